/** Legends of colours and patterns. */
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { formatBytes, formatCount, formatExactBytes } from "../number-format.ts";
import { cssColour, distinctColour, readPalette, useThemeName } from "./palette.ts";
import styles from "./MapFrame.module.css";

export function Legend({ children }: { readonly children: ReactNode }) {
  return (
    <ul aria-label="Legend" className={styles.entries}>
      {children}
    </ul>
  );
}

export interface LegendEntryProps {
  readonly swatch?: SwatchLook;
  readonly children: ReactNode;
  readonly count?: number;
  readonly title?: string;
  /** It is what the pointer or the cursor is at. */
  readonly looked?: boolean;
}

export function LegendEntry({ swatch, children, count, title, looked }: LegendEntryProps) {
  return (
    <li className={styles.entry} title={title} data-looked={looked}>
      {swatch === undefined ? null : <Swatch look={swatch} />}
      {children}
      {count === undefined ? null : <b>{formatCount(count)}</b>}
    </li>
  );
}

/** Looks as the canvas draws them. */
export type SwatchLook =
  | "cross"
  | "dots"
  | "frame"
  | "index"
  | "dead"
  | "empty"
  | "shared"
  | "damaged"
  | "missing"
  | "unchanged"
  | "ok"
  | "failed"
  | "not tried";

export function Swatch({ look }: { readonly look: SwatchLook }) {
  return <span className={styles.swatch} data-look={look} aria-hidden="true" />;
}

/** The colour that the picture gives to one of many, by its number. */
export function DistinctSwatch(props: { readonly number: number; readonly className: string | undefined }) {
  const { number, className } = props;
  const swatch = useRef<HTMLSpanElement>(null);
  useThemeName(); // redrawn with the theme
  useLayoutEffect(() => {
    const element = swatch.current;
    if (element !== null) element.style.backgroundColor = cssColour(distinctColour(readPalette(element), number));
  });
  return <span ref={swatch} className={className} aria-hidden="true" />;
}

type RampProps = Readonly<Record<"low" | "high", ReactNode>> & { readonly gradient: string };

/** Colours from low to high, between the labels at their ends. */
export function Ramp({ gradient, low, high }: RampProps) {
  return (
    <>
      {low}
      <span className={styles.ramp} style={{ backgroundImage: gradient }} />
      {high}
    </>
  );
}

/** A number of bytes at an end of a ramp. */
export function RampBytes({ bytes }: { readonly bytes: number }) {
  return <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>;
}

export interface LookedLineProps {
  /** Announced while the cursor moves by keyboard; otherwise empty. */
  readonly spoken: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** Describes what is under the pointer or the cursor. Always present, so that the layout does not shift. */
export function LookedLine({ spoken, className = "", children }: LookedLineProps) {
  return (
    <div className={`${styles.looked} ${className}`}>
      <span aria-live="polite" className="unseen">
        {spoken}
      </span>
      {children}
    </div>
  );
}
