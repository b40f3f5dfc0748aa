/** Which dimension runs down and which across: their names stand where their axes end, and are choices. */
import type { NodeSummary } from "../../core/open-set.ts";
import { withDimension } from "../../widgets/cell-map/plane.ts";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { formatCount } from "../../widgets/number-format.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./DataPanel.module.css";

interface SideNamesProps {
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
}

export function SideNames({ node, view: { plane }, change }: SideNamesProps) {
  const counts = node.shape ?? [];
  const name = (dimension: number) => dimensionName(node.dimensionNames, dimension);
  return (["row", "column"] as const).map((side) => {
    const chosen = plane[side];
    if (chosen === undefined) return null;
    const words = `${name(chosen)}, ${formatCount(counts[chosen] ?? 0)} long`;
    return (
      <span
        key={side}
        className={styles.sideName}
        data-side={side}
        title={`${side === "row" ? "Down" : "Across"}: ${words}`}
      >
        <select
          aria-label={side === "row" ? "Rows" : "Columns"}
          value={chosen}
          onChange={({ target }) => change({ plane: withDimension(plane, side, Number(target.value)) })}
        >
          {counts.map((_, dimension) => (
            // oxlint-disable-next-line react/no-array-index-key -- a dimension is its place
            <option key={dimension} value={dimension}>
              {name(dimension)}
            </option>
          ))}
        </select>
      </span>
    );
  });
}
