/** Filters of the table and the map's rows, the way to a chunk, columns and copying. */
import { type FormEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { chunkKey, type KeySeparator } from "../../../core/metadata/chunk-grid.ts";
import { isAbort } from "../../../core/errors.ts";
import { findingOfError } from "../../../core/findings/failure.ts";
import type { NodeSummary, TargetSummary } from "../../../core/open-set.ts";
import type { ChunkState } from "../../../core/table/reference.ts";
import type { CommandOf } from "../../../store/command-bus.ts";
import { useActions, useApp, useCommand } from "../../../store/react.tsx";
import { Popover } from "../../../widgets/controls/Popover.tsx";
import { CutUrl } from "../../../widgets/data-grid/CutText.tsx";
import { selectedRows } from "../../../widgets/data-grid/grid-cursor.ts";
import { SearchField } from "../../../widgets/controls/SearchField.tsx";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { movedIndex } from "../../../widgets/controls/roving.ts";
import { loadCatalogue, messageOf } from "../../../widgets/notes/use-explain.ts";
import { Button } from "../../../widgets/controls/Button.tsx";
import { TextField } from "../../../widgets/controls/TextField.tsx";
import { Chips } from "./Chips.tsx";
import styles from "./FilterBar.module.css";
import { type ManifestGridProps, useCopyRows } from "./ManifestGrid.tsx";
import { type ChosenTarget, parseLengthRange, toggled } from "./filter-draft.ts";
import { MoreFilters, RangeFields } from "./MoreFilters.tsx";
import { notAChunk } from "./not-a-chunk.ts";
import { useFacets } from "./use-facets.ts";
import type { ManifestTable } from "./use-manifest-table.ts";
import type { Manifest } from "./use-manifest.ts";

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
          title="Text in keys and targets, chunk coordinates"
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
      <div className={styles.columns}>
        {table.hideable.map(({ id, header, visible }) => (
          <label key={id} className={styles.column}>
            <input type="checkbox" checked={visible} onChange={() => table.toggle(id)} />
            {header}
          </label>
        ))}
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
      title="Targets"
      marked={chosen > 0}
      label={
        <>
          target <b>{chosen === 0 ? all : `${formatCount(chosen)} chosen`}</b>
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
      <SearchField label="Search targets" value={search} onChange={setSearch} />
      <TargetListbox {...{ manifest, choices }} />
      {choices.length === 0 ? (
        <p className={styles.hint}>
          {search === "" ? "No reference here has a target." : "No listed target contains this text."}
        </p>
      ) : null}
      {(facets?.states.native ?? 0) > 0 ? (
        <p className={styles.hint}>Native chunks lie in the store itself: filters by target leave them out.</p>
      ) : null}
      {unlisted > 0 ? (
        <p className={styles.hint}>
          These are the {formatCount(facets?.targets.length ?? 0)} targets with most rows; {formatCount(unlisted)} more
          are not listed. “Target contains” filters all of them.
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
      aria-label="Targets"
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
          <span className={styles.optionBytes} title={formatExactBytes(target.bytes)}>
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

// Filter by key, or jump to a chunk by its key or coordinates.

interface KeyOrPlaceProps {
  readonly manifest: Manifest;
  /** Given the row's position in the view. */
  readonly onFound: (row: number) => void;
  readonly onSay: (text: string) => void;
}

/** A part of a key filters; a whole key, or chunk coordinates, is a place to go to with Enter. */
function KeyOrPlace({ manifest, onFound, onSay }: KeyOrPlaceProps) {
  const { draft, setDraft, node, set } = manifest;
  const [typed, setTyped] = useState({ text: "", keyText: "" });
  // The filter may be cleared or typed elsewhere.
  const text = typed.keyText === draft.keyText ? typed.text : draft.keyText;
  const go = useGoTo({ manifest, onFound, onSay });
  useSoughtRow(manifest, go);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void go(text);
  };
  const type = (next: string) => {
    const keyText = isPlace(next, { nodes: set.nodes, scope: node.path }) ? "" : next;
    setTyped({ text: next, keyText });
    if (keyText !== draft.keyText) setDraft({ ...draft, keyText });
  };
  return (
    <form onSubmit={onSubmit} className={styles.goTo}>
      <TextField
        className={styles.text}
        aria-label="Key or place"
        placeholder="Key or place"
        title="Part of a key filters; a chunk key or coordinates such as 2.0.1, then Enter, goes to the chunk"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </form>
  );
}

/** Other panels ask for the row of a key of the selected node so; it is gone to as soon as there are rows. */
function useSoughtRow({ set, node, rows }: Manifest, go: (key: string) => Promise<void>): void {
  const [sought, setSought] = useState<CommandOf<"find-row">>();
  const goTo = useRef(go);
  const done = useRef(sought);
  useCommand("find-row", setSought);
  useEffect(() => {
    goTo.current = go;
  });
  const { shown, stale } = rows;
  const ready = !stale && shown?.question.set === set.id && shown.question.spec.scope === node.path;
  useEffect(() => {
    if (sought === undefined || sought === done.current) return;
    const isElsewhere = sought.node !== node.path;
    if (!ready && !isElsewhere) return;
    done.current = sought;
    if (!isElsewhere) void goTo.current(sought.key);
  }, [sought, node.path, ready]);
}

function useGoTo({ manifest, onFound, onSay }: KeyOrPlaceProps) {
  const { engine } = useApp();
  const actions = useActions();
  const { set, node, array, rows, isArray, listsMissing } = manifest;
  return async (text: string) => {
    const wish = chunkWish(text, { nodes: set.nodes, scope: node.path, separator: array?.separator });
    if (wish.kind === "none") onSay(wish.reason);
    if (wish.kind === "elsewhere") actions.selectChunk(wish.array, wish.coordinates);
    if (wish.kind !== "key" || rows.shown === undefined) return;
    try {
      const request = { set: set.id, view: rows.shown.info.view, key: wish.key };
      const { index, row } = await engine.call("table.find", request);
      if (index === undefined) {
        const extent = array === undefined ? undefined : keyExtent(node, array.separator);
        onSay(`There is no chunk ${wish.key}${extent === undefined ? "." : `: ${extent}.`}`);
        return;
      }
      if (index >= 0) onFound(index);
      else onSay(whyNoRow(wish.key, row?.state, { isArray, listsMissing }));
      if (row?.array !== undefined && row.coordinates !== undefined) actions.selectChunk(row.array, row.coordinates);
      else if (row !== undefined) onSay(notAChunk(row, await loadCatalogue()));
    } catch (error) {
      if (!isAbort(error)) onSay(messageOf([findingOfError(error, `Looking for ${wish.key}`)], await loadCatalogue()));
    }
  };
}

// What is meant by typing `sst/2.0.1`, `2.0.1`, `2/0/1` or `c/2/0/1`.

type ChunkWish =
  /** A key to look up in the view. */
  | { readonly kind: "key"; readonly key: string }
  /** A chunk of an array that the view does not show. */
  | { readonly kind: "elsewhere"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "none"; readonly reason: string };

interface WishContext {
  readonly nodes: readonly NodeSummary[];
  /** Path of the selected group or array. */
  readonly scope: string;
  /** The selected array's; absent for groups. */
  readonly separator: KeySeparator | undefined;
}

export function chunkWish(typed: string, { nodes, scope, separator }: WishContext): ChunkWish {
  const text = typed.trim().replace(/^\/+/, "");
  if (text === "")
    return { kind: "none", reason: "Type a chunk key such as sst/2.0.1, or chunk coordinates such as 2.0.1." };
  const selected = nodes.find((node) => node.path === scope);
  const own = selected?.grid === undefined ? undefined : coordinatesIn(text, selected);
  if (own !== undefined && separator !== undefined) return { kind: "key", key: chunkKey(scope, own, separator) };
  const other = longestArray(text, nodes);
  const below = scope === "" || text.startsWith(`${scope}/`);
  if (other === undefined || below) return { kind: "key", key: text };
  const coordinates = coordinatesIn(text, other);
  return coordinates === undefined ? { kind: "key", key: text } : { kind: "elsewhere", array: other.path, coordinates };
}

/** Whether it is a whole key or all coordinates of a chunk, in the grid or not: no part of a key to filter by. */
export function isPlace(typed: string, { nodes, scope }: Pick<WishContext, "nodes" | "scope">): boolean {
  const text = typed.trim().replace(/^\/+/, "");
  const selected = nodes.find((node) => node.path === scope);
  if (selected?.grid !== undefined && coordinatesIn(text, selected) !== undefined) return true;
  const other = longestArray(text, nodes);
  return other !== undefined && coordinatesIn(text, other) !== undefined;
}

/** Chunk coordinates of the array from its key or its coordinates alone; whether they lie in the grid is not asked. */
function coordinatesIn(text: string, array: NodeSummary): readonly number[] | undefined {
  const rank = array.grid?.length;
  const name = array.path !== "" && text.startsWith(`${array.path}/`) ? text.slice(array.path.length + 1) : text;
  if (rank === 0) return name === "0" || name === "c" ? [] : undefined;
  // Zarr v3 begins chunk keys with a c: `c/2/0/1`.
  const parts = name.replace(/^c[./]/, "").split(/[./,]\s*/);
  return parts.length === rank && parts.every((part) => /^\d{1,15}$/.test(part)) ? parts.map(Number) : undefined;
}

function longestArray(text: string, nodes: readonly NodeSummary[]): NodeSummary | undefined {
  return nodes
    .filter((node) => node.kind === "array" && text.startsWith(`${node.path}/`))
    .reduce<NodeSummary | undefined>(
      (best, node) => (best === undefined || node.path.length > best.path.length ? node : best),
      undefined,
    );
}

/** Why a chunk of the set has no row in the view; "" where selecting it leads to a view that has one. */
export function whyNoRow(
  key: string,
  state: ChunkState | undefined,
  { isArray, listsMissing }: { readonly isArray: boolean; readonly listsMissing: boolean },
): string {
  if (state !== "missing" || listsMissing) return `${key} is hidden by filters. Choose “All” to show it.`;
  return isArray ? `Selected ${key}. It is missing, and so has no row here.` : "";
}

/** What chunk keys of the array look like, for the message that there is none: "from sst/0.0.0 to sst/5.2.2". */
export function keyExtent(node: NodeSummary | undefined, separator: KeySeparator): string | undefined {
  if (node?.grid === undefined || node.grid.includes(0)) return undefined;
  const { path, grid } = node;
  const keyAt = (placeIn: (count: number) => number) => chunkKey(path, grid.map(placeIn), separator);
  const first = keyAt(() => 0);
  const last = keyAt((count) => count - 1);
  return first === last ? `its only chunk is ${first}` : `chunk keys go from ${first} to ${last}`;
}
