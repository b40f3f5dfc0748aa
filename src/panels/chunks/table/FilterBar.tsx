/** Filters of the table and the map's rows, the way to a chunk, columns and copying. */
import { type KeyboardEvent, type MouseEvent, useId, useState } from "react";
import type { NodeSummary, TargetSummary } from "#core/open-set.ts";
import { Popover } from "#widgets/controls/Popover.tsx";
import { nameOf } from "#widgets/data-grid/columns.ts";
import { CutUrl } from "#widgets/data-grid/CutText.tsx";
import { selectedRows } from "#widgets/data-grid/DataGrid.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { formatBytes, formatCount, formatExactBytes } from "#widgets/number-format.ts";
import { movedIndex } from "#widgets/controls/roving.ts";
import { Button, TextField } from "#widgets/controls/Button.tsx";
import { Chips } from "./Chips.tsx";
import styles from "./FilterBar.module.css";
import { type ManifestGridProps, useCopyRows } from "./ManifestGrid.tsx";
import { NO_RANGE, parseCoordinateRange, parseLengthRange, toggled } from "./filter-draft.ts";
import type { ChosenTarget, RangeText } from "./filter-draft.ts";
import { KeyOrPlace } from "./KeyOrPlace.tsx";
import { type Manifest, type ManifestTable, useFacets } from "./use-manifest.ts";
import { type Axis, placeRange } from "#core/cf/axis.ts";
import { declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { useCheapAxes } from "#store/hooks/use-axes.ts";
import { dimensionName } from "#widgets/zarr-words.ts";

export type FilterBarProps = Omit<ManifestGridProps, "pointed">;

export function FilterBar(props: FilterBarProps) {
  const { manifest, table, cursor, onSay } = props;
  const { more, setMore } = table;
  const { goTo } = cursor;
  const hidden = hiddenFilters(manifest, more);
  return (
    <div className={styles.bar} role="search" aria-label="Filter the manifest">
      <div className={styles.line}>
        <Chips manifest={manifest} onRow={goTo} />
        <TargetFacet manifest={manifest} />
        <LengthFacet manifest={manifest} />
        <Button
          className={styles.chip}
          aria-expanded={more}
          aria-label={`More filters${hidden}`}
          title="Text in keys and sources, chunk coordinates"
          onClick={() => setMore(!more)}
        >
          More{hidden}
        </Button>
        <KeyOrPlace manifest={manifest} onFound={goTo} onSay={onSay} />
        <span className={styles.tools}>
          <CopyRowsButton {...props} />
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

function CopyRowsButton(props: FilterBarProps) {
  const { manifest, cursor } = props;
  const copyRowsOf = useCopyRows(props);
  const rows = manifest.rows.total;
  const selected = selectedRows(cursor.at);
  const several = selected !== undefined && selected.to > selected.from;
  const range = several ? selected : { from: 0, to: rows - 1 };
  const count = Math.max(0, range.to - range.from + 1);
  return (
    <Button
      className={styles.chip}
      disabled={count === 0}
      title={`Copies ${several ? "the marked rows" : "all rows listed"} as tab-separated text with a header`}
      onClick={() => void copyRowsOf(range)}
    >
      Copy {several ? `${formatCount(count)} ` : ""}rows
    </Button>
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

/** Shows and hides columns; the key always stays. */
function ColumnsMenu({ table }: { readonly table: ManifestTable }) {
  return (
    <Popover label={<span aria-label="Columns">⋯</span>} title="Columns" align="end" arrow={false}>
      <div className="column">
        {table.columns.map((column) =>
          column.getCanHide() ? (
            <label key={column.id} className={styles.column}>
              <input
                type="checkbox"
                checked={table.chosen.includes(column)}
                onChange={({ target }) => column.toggleVisibility(target.checked)}
              />
              {nameOf(column)}
            </label>
          ) : null,
        )}
      </div>
    </Popover>
  );
}

// Filter by target: the targets of the rows, with counts, to choose one or several of.

function TargetFacet({ manifest }: { readonly manifest: Manifest }) {
  const { draft } = manifest;
  const count = useFacets(manifest)?.targetCount;
  const chosen = draft.targets.length;
  if (count === 0 && chosen === 0) return null;
  const all = count === undefined ? "–" : formatCount(count);
  return (
    <Popover
      title="Sources"
      marked={chosen > 0}
      label={
        <>
          source <b>{chosen === 0 ? all : `${formatCount(chosen)} chosen`}</b>
        </>
      }
    >
      <TargetList manifest={manifest} />
    </Popover>
  );
}

function TargetList({ manifest }: { readonly manifest: Manifest }) {
  const { draft } = manifest;
  const [search, setSearch] = useState("");
  const facets = useFacets(manifest);
  const choices = targetChoices(facets?.targets ?? [], draft.targets, search);
  const unlisted = (facets?.targetCount ?? 0) - (facets?.targets.length ?? 0);
  return (
    <div className={styles.targets}>
      <SearchField label="Search sources" value={search} onChange={setSearch} />
      <TargetListbox {...{ manifest, choices }} />
      {choices.length === 0 ? (
        <p className={styles.hint}>
          {search === "" ? "No reference here has a source." : "No listed source contains this text."}
        </p>
      ) : null}
      {(facets?.states.native ?? 0) > 0 ? (
        <p className={styles.hint}>Native chunks lie in the store itself: filters by source leave them out.</p>
      ) : null}
      {unlisted > 0 ? (
        <p className={styles.hint}>
          These are the {formatCount(facets?.targets.length ?? 0)} sources with most rows; {formatCount(unlisted)} more
          are not listed. “Source contains” filters all of them.
        </p>
      ) : null}
    </div>
  );
}

interface TargetListboxProps {
  readonly manifest: Manifest;
  readonly choices: readonly TargetSummary[];
}

function TargetListbox({ manifest: { draft, setDraft }, choices }: TargetListboxProps) {
  const id = useId();
  const onToggle = ({ id, url }: TargetSummary) => {
    setDraft({ ...draft, targets: toggled(draft.targets, { id, url }, (a, b) => a.id === b.id) });
  };
  const [moved, setMoved] = useState(0);
  const active = Math.min(moved, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = choices[active];
    const next = movedIndex(event.key, active, choices.length, "vertical");
    if (next !== undefined) {
      setMoved(next);
      event.currentTarget.children[next]?.scrollIntoView({ block: "nearest" });
    } else if ((event.key === " " || event.key === "Enter") && target !== undefined) onToggle(target);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    const place = option === null ? -1 : Array.from(event.currentTarget.children).indexOf(option);
    const target = choices[place];
    if (target === undefined) return;
    setMoved(place);
    onToggle(target);
  };
  return (
    <div
      role="listbox"
      aria-label="Sources"
      aria-multiselectable
      aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
      tabIndex={0}
      className={styles.listbox}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {choices.map((target, place) => (
        <div
          key={target.id}
          id={`${id}-${place}`}
          role="option"
          aria-label={target.url}
          aria-selected={draft.targets.some((one) => one.id === target.id)}
          data-active={place === active}
          className={styles.option}
        >
          <span className={styles.check} aria-hidden="true" />
          <CutUrl url={target.url} />
          <span className={styles.optionCount}>{formatCount(target.references)}</span>
          <span className={`quiet ${styles.optionBytes}`} title={formatExactBytes(target.bytes)}>
            {formatBytes(target.bytes)}
          </span>
        </div>
      ))}
    </div>
  );
}

/**
 * The targets to offer: chosen ones stay in the list even where other filters leave them no row, so that they can be
 * taken back. `search` is contained in the URL, whatever the case.
 */
function targetChoices(
  listed: readonly TargetSummary[],
  chosen: readonly ChosenTarget[],
  search: string,
): readonly TargetSummary[] {
  const known = new Set(listed.map(({ id }) => id));
  const gone = chosen.filter(({ id }) => !known.has(id)).map((target) => ({ ...target, references: 0, bytes: 0 }));
  const wanted = search.trim().toLowerCase();
  return [...gone, ...listed].filter(({ url }) => url.toLowerCase().includes(wanted));
}

// The filters that are out of sight at first: texts, and chunk numbers along each dimension with their places.

function MoreFilters({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft, node, isArray } = manifest;
  const { grid = [] } = isArray ? node : {};
  return (
    <div className={styles.more}>
      <SearchField
        className={styles.text}
        label="Key contains"
        value={draft.textAs === "place" || draft.textAs === "file" ? "" : draft.keyText}
        onChange={(keyText) => setDraft({ ...draft, keyText, textAs: "key" })}
      />
      <SearchField
        className={styles.text}
        label="Source contains"
        value={draft.targetText}
        onChange={(targetText) => setDraft({ ...draft, targetText })}
      />
      {grid.length === 0 ? null : <DimensionFilters {...{ manifest, grid }} />}
      {isArray ? null : <span className={styles.hint}>Select an array to filter by chunk coordinates.</span>}
    </div>
  );
}

interface DimensionFiltersProps {
  readonly manifest: Manifest;
  readonly grid: readonly number[];
}

/** Chunk numbers along each dimension, with what stands there. */
function DimensionFilters({ manifest: { draft, setDraft, node, array, set }, grid }: DimensionFiltersProps) {
  const axes = useCheapAxes(set.id, node, true);
  return grid.map((count, dimension) => {
    const range = draft.coordinates.get(dimension) ?? NO_RANGE;
    const { problem, from = 0, to = count - 1 } = parseCoordinateRange(range);
    const name = array?.dimensions[dimension]?.name ?? dimensionName(node.dimensionNames, dimension);
    return (
      <RangeFields
        key={dimension}
        label={name}
        hint={`Chunk numbers, 0 to ${formatCount(count - 1)}`}
        meaning={chunkSpanWords(node, axes[dimension], dimension, { from, to: Math.min(to, count - 1) })}
        range={range}
        problem={problem}
        onChange={(next) => setDraft({ ...draft, coordinates: new Map(draft.coordinates).set(dimension, next) })}
      />
    );
  });
}

/** `chunks 0–5: 2026-01-01 – 2026-01-24` */
function chunkSpanWords(
  { shape = [], chunks = [] }: NodeSummary,
  axis: Axis | undefined,
  dimension: number,
  { from, to }: Readonly<Record<"from" | "to", number>>,
): string {
  if (from > to) return "no chunk";
  const [length, edges] = [shape[dimension] ?? 0, chunks[dimension] ?? 1];
  const [first, last] = [startAlong(edges, from), startAlong(edges, to) + declaredExtent(length, edges, to) - 1];
  const numbers = from === to ? `chunk ${formatCount(from)}` : `chunks ${formatCount(from)}–${formatCount(to)}`;
  return `${numbers}: ${(axis && placeRange(axis, first, last)) ?? `elements ${formatCount(first)}–${formatCount(last)}`}`;
}

interface RangeFieldsProps {
  readonly label: string;
  /** Hint on what may be typed. */
  readonly hint: string;
  readonly range: RangeText;
  /** Meaning of the range. */
  readonly meaning?: string;
  readonly problem: string | undefined;
  readonly onChange: (range: RangeText) => void;
}

/** Two fields, "from" and "to", both ends included; blank is open. */
function RangeFields({ label, hint, meaning, range, problem, onChange }: RangeFieldsProps) {
  const id = useId();
  return (
    <fieldset className={styles.range}>
      <legend className={styles.rangeName} title={hint}>
        {label}
      </legend>
      {(["from", "to"] as const).map((end) => (
        <TextField
          key={end}
          aria-label={`${label} ${end}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          placeholder={end}
          title={`${hint}, included`}
          value={range[end]}
          onChange={(event) => onChange({ ...range, [end]: event.target.value })}
        />
      ))}
      {problem !== undefined || meaning === undefined ? null : <span className={styles.hint}>{meaning}</span>}
      {problem === undefined ? null : (
        <span id={id} className="bad" role="alert">
          {problem} Not applied.
        </span>
      )}
    </fieldset>
  );
}
