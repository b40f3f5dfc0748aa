import type { SVGProps } from "react";
import styles from "./Icon.module.css";

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

/** The logo: a chunk grid whose cells each come from elsewhere. */
export function Logo({ size = 16 }: { readonly size?: number }) {
  return (
    <svg className="rigid" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <rect className={styles.range} x="0.5" y="0.5" width="7" height="7" rx="1.6" />
      <rect className={styles.inline} x="8.5" y="0.5" width="7" height="7" rx="1.6" />
      <rect className={styles.whole} x="0.5" y="8.5" width="7" height="7" rx="1.6" />
      <rect className={styles.missing} x="9.25" y="9.25" width="5.5" height="5.5" rx="1.2" />
    </svg>
  );
}
