import { Ramp, Swatch } from "../../widgets/cell-map/Legend.tsx";
import { colormapGradient, type Colormap } from "../../widgets/colormap.ts";
import type { Painting, ValueRange } from "../../widgets/cell-map/paint-values.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { clippedWords } from "./value-words.ts";
import styles from "./MapLegend.module.css";

interface MapLegendProps {
  readonly colormap: Colormap;
  /** `undefined` where no value is left. */
  readonly range: ValueRange | undefined;
  readonly units: string | undefined;
  /** How a value is written. */
  readonly label: (value: number) => string;
  /** Raw values are shown, and those equal to a fill value are left out of the picture. */
  readonly fillMasked: boolean;
  readonly painting: Painting;
}

/** Which colour is which value, and what has no colour. */
export function MapLegend({ colormap, range, units, label, painting, fillMasked }: MapLegendProps) {
  const clipped = clippedWords(painting);
  return (
    <div className={styles.legend}>
      {range === undefined ? (
        <span>No value in this slice.</span>
      ) : (
        <Ramp
          gradient={colormapGradient(colormap)}
          low={<span title={String(range.minimum)}>{label(range.minimum)}</span>}
          high={
            <span title={String(range.maximum)}>
              {label(range.maximum)}
              {units === undefined ? "" : ` ${units}`}
            </span>
          }
        />
      )}
      <span className={styles.missing} title="In this picture; the statistics above count the whole chunk">
        <Swatch look="missing" />
        {fillMasked ? "missing or fill value here" : "missing here"} {formatCount(painting.missing)}
      </span>
      {clipped === undefined ? null : <span className={styles.clipped}>{clipped}</span>}
    </div>
  );
}
