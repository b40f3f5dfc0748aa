/** Filters of the manifest, jump to a chunk, columns and copying. */
import { formatCount } from "../../../widgets/number-format.ts";
import { selectedRows } from "./cell-cursor.ts";
import { ColumnsMenu } from "./ColumnsMenu.tsx";
import { NO_FILTER, isFiltering, parseCoordinateRange, parseLengthRange, NO_RANGE } from "./filter-draft.ts";
import { GoToChunk } from "./GoToChunk.tsx";
import { RangeFields } from "./RangeFields.tsx";
import { StateFacets } from "./StateFacets.tsx";
import { TargetFacet } from "./TargetFacet.tsx";
import { SearchField } from "../../../widgets/SearchField.tsx";
import type { Manifest } from "./use-manifest.ts";
import { useCopyRows, type ManifestGridProps } from "./ManifestGrid.tsx";
import styles from "./FilterBar.module.css";

export type FilterBarProps = Omit<ManifestGridProps, "pointed">;

export function FilterBar({ manifest, table, cursor, setCursor, list, onSay }: FilterBarProps) {
  const { draft, setDraft } = manifest;
  const { more, setMore } = table;
  const goTo = (row: number) => {
    list.current?.show(row, "centre");
    setCursor({ row, column: cursor.column, anchor: row });
  };
  return (
    <div className={styles.bar} role="search" aria-label="Filter the manifest">
      <div className={styles.line}>
        <StateFacets manifest={manifest} />
        <TargetFacet manifest={manifest} />
        <button type="button" className={styles.round} aria-expanded={more} onClick={() => setMore(!more)}>
          More filters{hiddenFilters(manifest, more)}
        </button>
        <button
          type="button"
          className={styles.round}
          disabled={!isFiltering(draft)}
          onClick={() => setDraft(NO_FILTER)}
        >
          Clear filters
        </button>
      </div>
      <div className={styles.line}>
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
        <GoToChunk manifest={manifest} onFound={goTo} onSay={onSay} />
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
  const ranges = [draft.length, ...draft.coordinates.values()];
  const set = ranges.filter(({ from, to }) => from.trim() !== "" || to.trim() !== "").length;
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
      className={styles.round}
      disabled={count === 0}
      title={`Copies ${several ? "the marked rows" : "all rows listed"} as tab-separated text with a header`}
      onClick={() => void copyRowsOf(range)}
    >
      Copy {several ? formatCount(count) : "all"} rows
    </button>
  );
}

function MoreFilters({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft, node, isArray, array } = manifest;
  const grid = isArray ? (node.grid ?? []) : [];
  return (
    <div className={styles.line}>
      <RangeFields
        label="Length"
        hint="any size, such as 10 kB"
        range={draft.length}
        problem={parseLengthRange(draft.length).problem}
        onChange={(length) => setDraft({ ...draft, length })}
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
