/** What the strip's colours and hatches mean. */
import { useLayoutEffect, useRef } from "react";
import type { SourceDetail } from "../../core/sources.ts";
import { cssColour, distinctColour, readPalette, useThemeName } from "../../widgets/cell-map/palette.ts";
import { countOf } from "../../widgets/number-format.ts";
import { arrayName } from "./array-words.ts";
import styles from "./BytesTab.module.css";

const MAX_ARRAYS = 6;

export function StripLegend({ detail }: { readonly detail: SourceDetail }) {
  const { arrays, arrayCount, unclaimed, shared, overlapping, pastEnd } = detail;
  const more = arrayCount - Math.min(arrays.length, MAX_ARRAYS);
  return (
    <ul className={styles.legend} aria-label="Legend">
      {arrays.slice(0, MAX_ARRAYS).map(({ array }, at) => (
        <li key={array}>
          <Swatch number={at} />
          {arrayName(array)}
        </li>
      ))}
      {more > 0 ? <li>and {countOf(more, "more array")}</li> : null}
      {unclaimed > 0 ? <Sign look="bare">nothing refers to these</Sign> : null}
      {shared > 0 ? <Sign look="shared">the same range, more than once</Sign> : null}
      {overlapping > 0 ? <Sign look="overlap">ranges overlap</Sign> : null}
      {pastEnd > 0 ? <Sign look="past-end">past the end</Sign> : null}
    </ul>
  );
}

function Sign({ look, children }: { readonly look: string; readonly children: string }) {
  return (
    <li>
      <span className={styles.swatch} data-look={look} aria-hidden="true" />
      {children}
    </li>
  );
}

/** The colour that the strip gives to an array. */
function Swatch({ number }: { readonly number: number }) {
  const swatch = useRef<HTMLSpanElement>(null);
  useThemeName(); // redrawn with the theme
  useLayoutEffect(() => {
    const element = swatch.current;
    if (element !== null) element.style.backgroundColor = cssColour(distinctColour(readPalette(element), number));
  });
  return <span ref={swatch} className={styles.swatch} aria-hidden="true" />;
}
