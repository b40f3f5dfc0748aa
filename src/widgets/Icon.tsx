import type { SVGProps } from "react";

interface IconProps extends SVGProps<SVGSVGElement> {
  readonly path: string;
  /** Sides of the square in which it is drawn. */
  readonly side?: number;
}

/** A path in a square, for the eye alone. */
export const Icon = ({ path, side = 12, ...props }: IconProps) => (
  <svg viewBox={`0 0 ${side} ${side}`} aria-hidden="true" {...props}>
    <path d={path} />
  </svg>
);

/** Sign before the word of a button; `base.css` draws it in lines. */
export const Sign = ({ path }: { readonly path: string }) => <Icon side={16} data-sign="" path={path} />;
