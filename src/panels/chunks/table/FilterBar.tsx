/** Filters of the table and the map's rows, the way to a chunk, columns and copying. */
import { formatCount } from "../../../widgets/number-format.ts";
import { Popover } from "../../../widgets/Popover.tsx";
import { SearchField } from "../../../widgets/SearchField.tsx";
import { selectedRows } from "./cell-cursor.ts";
import { Chips, StateChips } from "./Chips.tsx";
import { ColumnsMenu } from "./ColumnsMenu.tsx";
import { parseCoordinateRange, parseLengthRange, NO_RANGE } from "./filter-draft.ts";
import { KeyOrPlace } from "./KeyOrPlace.tsx";
import { useCopyRows, type ManifestGridProps } from "./ManifestGrid.tsx";
import { RangeFields } from "./RangeFields.tsx";
import { TargetFacet } from "./TargetFacet.tsx";
import type { Manifest } from "./use-manifest.ts";
import styles from "./FilterBar.module.css";

export type FilterBarProps = Omit<ManifestGridProps, "pointed">;

export function FilterBar({ manifest, table, cursor, setCursor, list, onSay }: FilterBarProps) {
  const { more, setMore } = table;
  const goTo = (row: number) => {
    list.current?.show(row, "centre");
    setCursor({ row, column: cursor.column, anchor: row });
  };
  return (
    <div className={styles.bar} role="search" aria-label="Filter the manifest">
      <div className={styles.line}>
        <Chips manifest={manifest} onRow={goTo} />
        <TargetFacet manifest={manifest} />
        <LengthFacet manifest={manifest} />
        <button
          type="button"
          className={styles.chip}
          aria-expanded={more}
          aria-label={`More filters${hiddenFilters(manifest, more)}`}
          title="Text in keys and targets, states, chunk coordinates"
          onClick={() => setMore(!more)}
        >
          More{hiddenFilters(manifest, more)}
        </button>
        <KeyOrPlace manifest={manifest} onFound={goTo} onSay={onSay} />
        <span className={styles.tools}>
          <CopyRowsButton manifest={manifest} table={table} cursor={cursor} onSay={onSay} />
          <ColumnsMenu table={table} />
        </span>
      </div>
      {more ? <MoreFilters manifest={manifest} /> : null}
    </div>
  );
}

/** How many filters are at work that the closed part hides. */
function hiddenFilters({ draft }: Manifest, open: boolean): string {
  const ranges = [...draft.coordinates.values()].filter(({ from, to }) => from.trim() !== "" || to.trim() !== "");
  const set = ranges.length + Number(draft.targetText !== "");
  return open || set === 0 ? "" : ` (${set} set)`;
}

function CopyRowsButton(props: Pick<ManifestGridProps, "manifest" | "table" | "cursor" | "onSay">) {
  const { manifest, cursor } = props;
  const { copyRowsOf } = useCopyRows(props);
  const rows = manifest.rows.shown?.info.rows ?? 0;
  const selected = selectedRows(cursor);
  const several = selected !== undefined && selected.to > selected.from;
  const range = several ? selected : { from: 0, to: rows - 1 };
  const count = Math.max(0, range.to - range.from + 1);
  return (
    <button
      type="button"
      className={styles.chip}
      disabled={count === 0}
      title={`Copies ${several ? "the marked rows" : "all rows listed"} as tab-separated text with a header`}
      onClick={() => void copyRowsOf(range)}
    >
      Copy {several ? `${formatCount(count)} ` : ""}rows
    </button>
  );
}

function LengthFacet({ manifest: { draft, setDraft } }: { readonly manifest: Manifest }) {
  const { from, to } = draft.length;
  return (
    <Popover label="length" title="Length" marked={from.trim() !== "" || to.trim() !== ""}>
      <RangeFields
        label="Length"
        hint="any size, such as 10 kB"
        range={draft.length}
        problem={parseLengthRange(draft.length).problem}
        onChange={(length) => setDraft({ ...draft, length })}
      />
    </Popover>
  );
}

function MoreFilters({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft, node, isArray, array } = manifest;
  const grid = isArray ? (node.grid ?? []) : [];
  return (
    <div className={styles.line}>
      <div role="group" aria-label="All states" className={styles.chips}>
        <StateChips manifest={manifest} which="all" />
      </div>
      <SearchField
        className={styles.text}
        label="Key contains"
        value={draft.keyText}
        onChange={(keyText) => setDraft({ ...draft, keyText })}
      />
      <SearchField
        className={styles.text}
        label="Target contains"
        value={draft.targetText}
        onChange={(targetText) => setDraft({ ...draft, targetText })}
      />
      {grid.map((count, dimension) => {
        const range = draft.coordinates.get(dimension) ?? NO_RANGE;
        const name = array?.dimensions[dimension]?.name ?? node.dimensionNames?.[dimension];
        return (
          <RangeFields
            key={dimension}
            label={name ?? `dimension ${dimension}`}
            hint={`chunk 0 to ${formatCount(count - 1)}`}
            range={range}
            problem={parseCoordinateRange(range).problem}
            onChange={(range) => setDraft({ ...draft, coordinates: new Map(draft.coordinates).set(dimension, range) })}
          />
        );
      })}
      {isArray ? null : <span className={styles.hint}>Select an array to filter by chunk coordinates.</span>}
    </div>
  );
}
