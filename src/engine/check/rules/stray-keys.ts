/** Keys that fit no chunk, by what is wrong with all of an array's: another separator, rows past the grid. */
import { cellCount, gridOf, parseChunkName, type KeySeparator, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { finding, type Finding, keyAt } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { BLOCK_ROWS, STRAY_CODES, type StrayKey } from "#core/table/reference-table.ts";
import { ChunkPlaces, type SetRule, type SetView } from "#engine/rules/rule.ts";
import { dimensionOf } from "../steps/source-steps.ts";

const SEPARATORS: readonly KeySeparator[] = [".", "/", "c.", "c/"];
const STRAYS = ["key-outside-grid", "key-wrong-rank", "key-not-a-chunk"] as const;
const MAX_PLACES = 100;
/** Keys of an array that are looked at one by one; the rest is taken to be like them. */
const MAX_ROWS = 500_000;

export const strayKeys: SetRule = {
  id: "stray-keys",
  codes: ["key-separator-wrong", "keys-past-grid", ...STRAYS],
  run(view, sink) {
    const { list } = view.index.strays();
    if (list.length > 0) {
      const nodes = new Map(view.arrays.map((node) => [view.index.arrayIds.get(node.path) ?? -1, node]));
      for (const [id, strays] of groupedBy(list, (stray) => arrayOf(view, stray))) {
        const node = nodes.get(id);
        if (node !== undefined) for (const found of ofArray(view, node, strays)) sink(found);
      }
    }
    return { unit: "references", of: list.length, lookedAt: list.length, sampled: 0 };
  },
};

function arrayOf({ index: { table } }: SetView, { row }: StrayKey): number {
  return table.blocks[Math.floor(row / BLOCK_ROWS)]?.array[row % BLOCK_ROWS] ?? -1;
}

function ofArray(view: SetView, node: ArrayNode, strays: readonly StrayKey[]): readonly Finding[] {
  const prefix = node.path === "" ? 0 : node.path.length + 1;
  const names = strays.slice(0, MAX_ROWS).map(({ key }) => key.slice(prefix));
  const common = otherSeparator(view, node, strays, names) ?? pastGrid(node, strays, names);
  if (common === undefined) return oneByOne(view, node, strays);
  view.ledger.explainKeys(strays[0]?.key ?? "", strays.length);
  return [common];
}

/** Findings made when the set was opened, with all keys and the grid that they do not fit. */
function oneByOne({ ledger }: SetView, node: ArrayNode, strays: readonly StrayKey[]): readonly Finding[] {
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  const groups = groupedBy(strays, ({ reason }) => reason);
  return [...groups].flatMap(([reason, own]) => {
    if (reason === "grid-unread") return [];
    const places = own.slice(0, MAX_PLACES).map(({ key }) => keyAt(key));
    const [place = keyAt("")] = places;
    ledger.explainKeys(own[0].key, own.length);
    return [{ ...finding(STRAY_CODES[reason], place, { grid }, own.length), places }];
  });
}

/** Finding of keys nearly all of which would be chunks with another separator. */
function otherSeparator(
  view: SetView,
  node: ArrayNode,
  strays: readonly StrayKey[],
  names: readonly string[],
): Finding | undefined {
  const { shape, chunks, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  for (const other of SEPARATORS) {
    if (other === separator) continue;
    const places = new ChunkPlaces(node);
    for (const name of names) {
      const at = parseChunkName(name, grid.length, other);
      const ordinal = at === undefined ? undefined : ordinalOf(grid, at);
      if (ordinal !== undefined) places.add(ordinal);
    }
    if (places.count * 2 <= names.length) continue;
    const right = view.counts.arrays.get(node.path)?.present ?? 0;
    const facts = { key: strays[0]?.key ?? "", written: other, separator, keys: strays.length, right };
    return places.finding("key-separator-wrong", facts);
  }
  return undefined;
}

/** Finding of keys that fill whole rows of chunks after the end of one dimension. */
function pastGrid(node: ArrayNode, strays: readonly StrayKey[], names: readonly string[]): Finding | undefined {
  const { shape, chunks, separator } = node.metadata;
  const grid = gridOf(shape, chunks);
  if (names.length < strays.length) return undefined;
  const coordinates = names.map((name) => parseChunkName(name, grid.length, separator));
  if (coordinates.some((at) => at === undefined)) return undefined;
  const axes = new Set<number>();
  const rows = new Map<number, number>();
  for (const at of coordinates as (readonly number[])[]) {
    const past = at.flatMap((place, axis) => (place >= (grid[axis] ?? 0) ? [axis] : []));
    for (const axis of past) axes.add(axis);
    const [axis] = past;
    if (past.length === 1 && axis !== undefined) rows.set(at[axis] as number, (rows.get(at[axis] as number) ?? 0) + 1);
  }
  const [axis] = axes;
  if (axis === undefined || axes.size > 1) return undefined;
  const plane = cellCount(grid.with(axis, 1));
  const length = grid[axis] as number;
  const isFilled = [...rows].every(([row, keys]) => row < length + rows.size && keys >= plane * 0.9);
  if (!isFilled || plane === 0) return undefined;
  const edges = chunks[axis] ?? 1;
  const facts = {
    key: strays[0]?.key ?? "",
    dimension: dimensionOf(node, axis),
    axis,
    keys: names.length,
    chunks: length,
    reach: length + rows.size,
    chunkFits: typeof edges === "number" ? chunkFits(shape[axis] ?? 0, length + rows.size) : undefined,
    shape: shape[axis] ?? 0,
    chunk: typeof edges === "number" ? edges : undefined,
  };
  const places = strays.slice(0, MAX_PLACES).map(({ key }) => keyAt(key));
  return {
    ...finding("keys-past-grid", places[0] as (typeof places)[0], facts, names.length),
    places,
    extent: {
      arrays: [{ array: node.path, chunks: names.length, ...boxOf(coordinates as (readonly number[])[]) }],
      moreArrays: 0,
    },
  };
}

/** The length of a chunk with which that many fill the dimension. */
function chunkFits(shape: number, reach: number): number | undefined {
  const chunk = Math.ceil(shape / reach);
  return chunk > 0 && Math.ceil(shape / chunk) === reach ? chunk : undefined;
}

function boxOf(coordinates: readonly (readonly number[])[]) {
  const [first = []] = coordinates;
  const [from, to] = [[...first], [...first]];
  for (const at of coordinates) {
    for (const [axis, place] of at.entries()) {
      from[axis] = Math.min(from[axis] ?? place, place);
      to[axis] = Math.max(to[axis] ?? place, place);
    }
  }
  return { from, to };
}
