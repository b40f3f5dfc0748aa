/** What colours and patterns mean, and the choice of what chunks are coloured by. */
import type { ShardMap } from "../../../core/shard-map.ts";
import { Legend, LegendEntry, Ramp, RampBytes } from "../../../widgets/cell-map/Legend.tsx";
import { Choice } from "../../../widgets/Choice.tsx";
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
  return (
    <div className={styles.legend}>
      <Choice
        label="Colour by"
        value={colour}
        options={SHARD_COLOURS.map((value) => ({ value, text: COLOUR_WORDS[value] }))}
        className={styles.choice}
        onValue={(chosen) => onColour(SHARD_COLOURS.find((one) => one === chosen) ?? "place")}
      />
      <RampEntry totals={totals} colour={colour} />
      <Legend>
        <LegendEntry swatch="index">index</LegendEntry>
        {map.bytesDead > 0 ? <LegendEntry swatch="dead">dead bytes</LegendEntry> : null}
        {(["empty", "shared", "damaged"] as const).map((state) =>
          totals[state] > 0 ? (
            <LegendEntry key={state} swatch={state} count={totals[state]}>
              {state}
            </LegendEntry>
          ) : null,
        )}
      </Legend>
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
      <Ramp
        gradient={rampGradient()}
        low={sized ? <RampBytes bytes={smallest} /> : "first"}
        high={sized ? <RampBytes bytes={largest} /> : "last"}
      />
    </span>
  );
}
