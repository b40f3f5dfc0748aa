/** Filter by key or source file, or go to a chunk by its key, coordinates, date or degrees. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { isPlaceText, type PlaceAxes, type TypedPlace, typedPlace } from "#core/cf/typed-place.ts";
import { chunkAlong, chunkKey, type KeySeparator } from "#core/metadata/chunk-grid.ts";
import { nodesByPath, typedChunk } from "#core/metadata/chunk-of-key.ts";
import { findingOfError, isAbort } from "#core/findings/finding.ts";
import type { NodeSummary, ViewRow } from "#core/open-set.ts";
import { counted } from "#core/words.ts";
import type { ChunkState } from "#core/table/reference.ts";
import type { CommandOf } from "#store/command-bus.ts";
import { goToTyped } from "#store/go-to-typed.ts";
import { useCheapAxes } from "#store/hooks/use-axes.ts";
import { useActions, useApp, useEngine, useCommand } from "#store/react.tsx";
import { FieldProblem } from "#widgets/controls/PlaceField.tsx";
import { Button, TextField } from "#widgets/controls/Button.tsx";
import { placesText } from "#widgets/plane/axis-words.ts";
import { loadCatalogue, messageOf } from "#widgets/notes/Notices.tsx";
import styles from "./FilterBar.module.css";
import type { TextMeaning } from "./filter-draft.ts";
import type { Manifest } from "./use-manifest.ts";
import type { Explain } from "#core/findings/explained.ts";

interface KeyOrPlaceProps {
  readonly manifest: Manifest;
  /** Given the row's position in the view. */
  readonly onFound: (row: number) => void;
  readonly onSay: (text: string) => void;
}

/** A part of a key or of a file's name filters; a place is gone to with Enter. The field says which it took. */
export function KeyOrPlace({ manifest, onFound, onSay }: KeyOrPlaceProps) {
  const { draft, setDraft, node, set } = manifest;
  const id = useId();
  const [why, setWhy] = useState<string>();
  const text = draft.keyText;
  const go = useGoTo({ manifest, onFound, onSay, onProblem: setWhy });
  useSoughtRow(manifest, go);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void go(text);
  };
  const take = (keyText: string, textAs: TextMeaning | undefined) => {
    setWhy(undefined);
    setDraft({ ...draft, keyText, textAs });
  };
  const type = (next: string) =>
    take(next, isPlaceText(next) || isPlace(next, { nodes: set.nodes, scope: node.path }) ? "place" : undefined);
  return (
    <form onSubmit={onSubmit} className={styles.goTo}>
      <TextField
        className={styles.text}
        aria-label="Key or place"
        aria-invalid={why !== undefined}
        aria-describedby={why === undefined ? undefined : id}
        placeholder="Key, date, 45N 10E or file"
        title="Part of a key or of a source file’s name filters; a chunk such as 2.0.1, a date, degrees or lat=45, then Enter, goes there"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {why === undefined ? (
        <Meanings
          {...{ manifest, text }}
          onTake={(meaning) => {
            take(text, meaning);
            if (meaning === "place") void go(text, true);
          }}
        />
      ) : null}
      <FieldProblem id={id} why={why} />
    </form>
  );
}

interface MeaningsProps {
  readonly manifest: Manifest;
  readonly text: string;
  readonly onTake: (meaning: TextMeaning) => void;
}

/** Meanings that the text may have: the one that the rows follow, and others to choose. Shown while the field has the focus. */
function Meanings({ manifest: { set, node, draft, isArray }, text, onTake }: MeaningsProps) {
  const axes = useCheapAxes(set.id, node, isArray);
  const asked = text.trim() === "" ? undefined : { set: set.id, scope: node.path, text };
  const { data: counts, stale } = useEngine("table.textRows", asked);
  if (asked === undefined || counts === undefined || stale) return null;
  const taken = draft.textAs ?? (counts.key === 0 && counts.file > 0 ? "file" : "key");
  const place = isArray ? typedPlace(text, node, axes) : undefined;
  const rowsText = (count: number) => (count === 0 ? "none" : counted(count, "row"));
  const meanings = [
    ["key", `as key: ${rowsText(counts.key)}`, counts.key > 0],
    ["file", `as file name: ${rowsText(counts.file)}`, counts.file > 0],
    ...(place === undefined
      ? []
      : [["place", `as place: ${placeName(place, node, axes)}`, place.kind === "at"] as const]),
  ] as const;
  return (
    <div className={styles.meanings} role="group" aria-label={`Meanings of “${text}”`}>
      {meanings.map(([meaning, label, isThere]) => (
        <Button
          key={meaning}
          className={styles.chip}
          aria-pressed={taken === meaning}
          disabled={!isThere && taken !== meaning}
          onClick={() => onTake(meaning)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** Where nothing stands along a dimension, its chunk. */
const placeName = (place: TypedPlace, { dimensionNames, chunks = [] }: NodeSummary, axes: PlaceAxes): string =>
  place.kind === "none"
    ? "none"
    : placesText(
        place.positions,
        dimensionNames,
        axes,
        (dimension, at) => `chunk ${chunkAlong(chunks[dimension] ?? 1, at)}`,
      );

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

function useGoTo({ manifest, onFound, onSay, onProblem }: KeyOrPlaceProps & { onProblem: (why: string) => void }) {
  const app = useApp();
  const { engine } = app;
  const actions = useActions();
  const { set, node, array, rows, isArray, listsMissing } = manifest;
  return async (text: string, isTaken = manifest.draft.textAs === "place" && manifest.draft.keyText === text) => {
    const wish = chunkWish(text, { nodes: set.nodes, scope: node.path, separator: array?.separator });
    const isChunk = isPlace(text, { nodes: set.nodes, scope: node.path });
    if (isPlaceText(text) || (isTaken && !isChunk)) {
      const why = await goToTyped(app, node, text);
      if (why !== undefined) onProblem(why);
      return;
    }
    if (wish.kind === "none") onProblem(wish.reason);
    if (wish.kind === "elsewhere") actions.selectChunk(wish.array, wish.coordinates);
    if (wish.kind !== "key" || rows.shown === undefined) return;
    try {
      const request = { set: set.id, view: rows.shown.info.view, key: wish.key };
      const { index, row } = await engine.call("table.find", request);
      if (index === undefined) {
        // A part of keys or of file names: the rows follow it already.
        if (!isChunk) return;
        const extent = array === undefined ? undefined : keyExtent(node, array.separator);
        onProblem(`There is no chunk ${wish.key}${extent === undefined ? "." : `: ${extent}.`}`);
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

// Parses `sst/2.0.1`, `2.0.1`, `2/0/1` or `c/2/0/1`.

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
  const text = bareKey(typed);
  if (text === "")
    return { kind: "none", reason: "Type a chunk key such as sst/2.0.1, or chunk coordinates such as 2.0.1." };
  const chunk = typedChunk(text, nodesByPath(nodes), scope);
  if (chunk?.array === scope && separator !== undefined)
    return { kind: "key", key: chunkKey(scope, chunk.coordinates, separator) };
  const isBelow = scope === "" || chunk?.array === scope || text.startsWith(`${scope}/`);
  return chunk === undefined || isBelow ? { kind: "key", key: text } : { kind: "elsewhere", ...chunk };
}

/**
 * True if it is a whole key or all coordinates of a chunk, in the grid or not, rather than part of a key to filter by.
 */
export const isPlace = (typed: string, { nodes, scope }: Pick<WishContext, "nodes" | "scope">): boolean =>
  typedChunk(bareKey(typed), nodesByPath(nodes), scope) !== undefined;

const bareKey = (typed: string): string => typed.trim().replace(/^\/+/, "");

/** Why a chunk of the set has no row in the view; "" where selecting it leads to a view that has one. */
export function whyNoRow(
  key: string,
  state: ChunkState | undefined,
  { isArray, listsMissing }: { readonly isArray: boolean; readonly listsMissing: boolean },
): string {
  if (state !== "missing" || listsMissing) return `${key} is hidden by filters. Choose “All” to show it.`;
  return isArray ? `Selected ${key}. It is missing, and so has no row here.` : "";
}

/** Extent of the array's chunk keys, for the message that there is no such key: "from sst/0.0.0 to sst/5.2.2". */
export function keyExtent(node: NodeSummary | undefined, separator: KeySeparator): string | undefined {
  if (node?.grid === undefined || node.grid.includes(0)) return undefined;
  const { path, grid } = node;
  const keyAt = (placeIn: (count: number) => number) => chunkKey(path, grid.map(placeIn), separator);
  const first = keyAt(() => 0);
  const last = keyAt((count) => count - 1);
  return first === last ? `its only chunk is ${first}` : `chunk keys go from ${first} to ${last}`;
}

/** Why a row cannot be selected as a chunk. */
export function notAChunk({ key, reasons }: ViewRow, explain: Explain): string {
  return `${key} is not a chunk. ${messageOf(reasons, explain)}`;
}
