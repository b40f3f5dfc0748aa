import { useLayoutEffect, useRef } from "react";
import { cssColour, distinctColour, readPalette, useThemeName } from "../../../widgets/cell-map/palette.ts";
import styles from "./MapPart.module.css";

/** The colour that the picture gives to a target. */
export function TargetSwatch({ id }: { readonly id: number }) {
  const swatch = useRef<HTMLSpanElement>(null);
  useThemeName(); // redrawn with the theme
  useLayoutEffect(() => {
    const element = swatch.current;
    if (element !== null) element.style.backgroundColor = cssColour(distinctColour(readPalette(element), id));
  });
  return <span ref={swatch} className={styles.swatch} aria-hidden="true" />;
}
