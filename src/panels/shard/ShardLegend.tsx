/** What colours and patterns mean, and the choice of what chunks are coloured by. */
import { useId } from "react";
import type { ShardMap } from "../../core/shard-map.ts";
import { formatBytes, formatCount, formatExactBytes } from "../../widgets/number-format.ts";
import { rampGradient } from "./chunk-colours.ts";
import { SHARD_COLOURS, type ShardColour } from "./shard-props.ts";
import type { ShardTotals } from "./shard-totals.ts";
import styles from "./ShardPanel.module.css";

const COLOUR_WORDS: Readonly<Record<ShardColour, string>> = {
  place: "place in the grid",
  size: "stored size",
  file: "place in the file",
};

export interface ShardLegendProps {
  readonly map: ShardMap;
  readonly totals: ShardTotals;
  readonly colour: ShardColour;
  readonly onColour: (colour: ShardColour) => void;
}

export function ShardLegend({ map, totals, colour, onColour }: ShardLegendProps) {
  const id = useId();
  return (
    <div className={styles.legend}>
      <span className={styles.choice}>
        <label htmlFor={id}>Colour by</label>
        <select
          id={id}
          value={colour}
          onChange={(event) => {
            onColour(SHARD_COLOURS.find((one) => one === event.target.value) ?? "place");
          }}
        >
          {SHARD_COLOURS.map((one) => (
            <option key={one} value={one}>
              {COLOUR_WORDS[one]}
            </option>
          ))}
        </select>
      </span>
      <RampEntry totals={totals} colour={colour} />
      <ul aria-label="Legend" className={styles.entries}>
        <Swatch kind="index" words="index" />
        {map.bytesDead > 0 ? <Swatch kind="dead" words="dead bytes" /> : null}
        {totals.empty > 0 ? <Swatch kind="empty" words="empty" count={totals.empty} /> : null}
        {totals.shared > 0 ? <Swatch kind="shared" words="shared" count={totals.shared} /> : null}
        {totals.damaged > 0 ? <Swatch kind="damaged" words="damaged" count={totals.damaged} /> : null}
      </ul>
    </div>
  );
}

interface RampEntryProps {
  readonly totals: ShardTotals;
  readonly colour: ShardColour;
}

function RampEntry({ totals: { smallest, largest }, colour }: RampEntryProps) {
  const sized = colour === "size" && smallest !== undefined && largest !== undefined;
  return (
    <span className={styles.rampEntry} title={sized ? "On a square-root scale" : undefined}>
      {sized ? <span title={formatExactBytes(smallest)}>{formatBytes(smallest)}</span> : "first"}
      <span className={styles.ramp} style={{ backgroundImage: rampGradient() }} />
      {sized ? <span title={formatExactBytes(largest)}>{formatBytes(largest)}</span> : "last"}
    </span>
  );
}

interface SwatchProps {
  readonly kind: string;
  readonly words: string;
  readonly count?: number;
}

function Swatch({ kind, words, count }: SwatchProps) {
  return (
    <li className={styles.entry}>
      <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
      {words}
      {count === undefined ? null : <b className={styles.entryCount}>{formatCount(count)}</b>}
    </li>
  );
}
