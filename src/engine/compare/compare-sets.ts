/** Compares any two sets, of whatever formats: nodes, metadata field by field, and the places of chunks. */
import { PLACES } from "#core/set-differences.ts";
import type { ArrayPlaces, DifferingKey, KeyPlaces, Pair, PlaceKind, SetDifferences } from "#core/set-differences.ts";
import { addressOf, type CallContext } from "#core/byte-source.ts";
import { type JsonChange, jsonChanges } from "#core/json/json-changes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { cellCount, chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { meaningOf, METADATA_MEMBERS, sameMeaning } from "#core/metadata/meaning.ts";
import type { MetadataMember } from "#core/metadata/member-names.ts";
import { type Reference, sameReference } from "#core/table/reference.ts";
import { addressedNative, referenceAt } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";
import { type ArrayIndex, rowOf } from "../table/array-index.ts";
import { loadRest } from "../table/load-pages.ts";
import { cellOfKey } from "../table/table-index.ts";

type Sets = Pair<EngineSet>;

/** Changes of one node's metadata that are listed. */
const MOST_CHANGES = 200;
/** Keys outside of all grids that are listed. */
const MOST_KEYS = 100;

/** Is told of each chunk of an array that has another reference, or none, on one side. */
export type NoteChunk = (ordinal: number, kind: PlaceKind) => void;

/** Nodes in `a` or `b` alone, and for common nodes the metadata that differ and the places of chunks. */
export async function compareSets(
  sets: Sets,
  context: CallContext,
  noting?: (path: string, grid: readonly number[]) => NoteChunk,
): Promise<SetDifferences> {
  const [a, b] = [sets.a.hierarchy.nodes, sets.b.hierarchy.nodes];
  const lone = (of: typeof a, other: typeof a, side: keyof Sets) =>
    [...of.values()].flatMap(({ path, kind }) => (other.has(path) ? [] : [{ path, node: kind, in: side }]));
  const metadata = [...a.values()].flatMap((node) => {
    const other = b.get(node.path);
    const all = other === undefined ? [] : metadataChanges(sets, { a: node, b: other });
    return all.length === 0 ? [] : [{ path: node.path, count: all.length, changes: all.slice(0, MOST_CHANGES) }];
  });
  const arrays: ArrayPlaces[] = [];
  for (const nodes of sharedArrays(sets)) arrays.push(await comparePlaces(sets, nodes.a.path, context, noting));
  return { nodes: [...lone(a, b, "a"), ...lone(b, a, "b")], metadata, arrays, keys: compareKeys(sets) };
}

/** Compares keys that fit no grid of a set: past its end, of other names, below no array. */
function compareKeys(sets: Sets): KeyPlaces {
  const rows = (set: EngineSet) => new Map(set.index.strays().list.map(({ key, row }) => [key, row]));
  const own = { a: rows(sets.a), b: rows(sets.b) };
  const kinds = noPlaces();
  const listed: DifferingKey[] = [];
  for (const key of new Set([...own.a.keys(), ...own.b.keys()])) {
    const at = (side: keyof Sets) => strayReference(sets[side], key, own[side].get(key));
    const [a, b] = [at("a"), at("b")];
    const kind = placeKind(sets, { a: a.reference, b: b.reference });
    kinds[kind] += 1;
    if (kind !== "same" && listed.length < MOST_KEYS) listed.push({ key, kind, a: a.written, b: b.written });
  }
  return { kinds, first: listed[0], listed };
}

function strayReference(set: EngineSet, key: string, row: number | undefined): WrittenReference {
  // A key that fits a grid in the other set is one of its chunks.
  if (row === undefined && cellOfKey(set.index, key) !== undefined) return { reference: undefined, written: "a chunk" };
  const { reference, written } = referenceAt(set, row ?? -1);
  return { reference: reference.kind === "bad" ? undefined : reference, written };
}

interface WrittenReference {
  readonly reference: Reference | undefined;
  readonly written: string;
}

const noPlaces = () => Object.fromEntries(PLACES.map((kind) => [kind, 0])) as Record<PlaceKind, number>;

export const sharedArrays = ({ a, b }: Sets): readonly Pair<ArrayNode>[] =>
  [...a.hierarchy.nodes.values()].flatMap((one) => {
    const other = b.hierarchy.nodes.get(one.path);
    return one.kind === "array" && other?.kind === "array" ? [{ a: one, b: other }] : [];
  });

/** Changes of metadata: as written for one version of Zarr, by their meaning for two. */
function metadataChanges(sets: Sets, nodes: Pair<HierarchyNode>): readonly JsonChange[] {
  const [a, b] = [writtenMetadata(sets.a, nodes.a.path), writtenMetadata(sets.b, nodes.b.path)];
  if (a.has("zarr.json") === b.has("zarr.json")) return jsonChanges(a, b);
  return meantChanges(nodes.a, nodes.b);
}

function writtenMetadata({ documents }: EngineSet, path: string): JsonObject {
  const names = [".zgroup", ".zarray", ".zattrs", "zarr.json"];
  const textOf = (name: string) => documents.get(path === "" ? name : `${path}/${name}`)?.text;
  return new Map(names.flatMap((name) => [textOf(name) ?? []].flat().map((text) => [name, parsedOr(text)] as const)));
}

/** Without what repeats the metadata of others. */
function parsedOr(text: string): JsonValue {
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) ? new Map([...value].filter(([name]) => name !== "consolidated_metadata")) : value;
  } catch {
    return text;
  }
}

/** Paths of changes whose members Zarr v3 calls otherwise. */
const PATHS: Partial<Record<MetadataMember, string>> = {
  dtype: "data_type[0]",
  "byte-order": "data_type[1]",
  dimensions: "dimension_names",
  fill: "fill_value",
  level: "codecs",
};
/** Members that are attributes, by name. */
const OF_ATTRIBUTES: ReadonlyMap<string, MetadataMember> = new Map([
  ["scale_factor", "scale_factor"],
  ["add_offset", "add_offset"],
  ["units", "units"],
  ["calendar", "calendar"],
  ["_FillValue", "missing"],
  ["missing_value", "missing"],
]);

/** Compares attributes that change no value. */
export function sameAttributes(a: ArrayNode, b: ArrayNode): boolean {
  const plain = ({ attributes }: ArrayNode): JsonObject =>
    new Map(isJsonObject(attributes) ? [...attributes].filter(([name]) => !isOfValues(name)) : []);
  return jsonChanges(plain(a), plain(b)).length === 0;
}

const isOfValues = (name: string): boolean => OF_ATTRIBUTES.has(name) || name === "_ARRAY_DIMENSIONS";

/** Attributes as they are written, but for those of one meaning. */
function meantChanges(a: HierarchyNode, b: HierarchyNode): readonly JsonChange[] {
  const arrays = a.kind === "array" && b.kind === "array" ? { a: meaningOf(a), b: meaningOf(b) } : undefined;
  const others = METADATA_MEMBERS.filter((member) => arrays !== undefined && !sameMeaning(member, arrays.a, arrays.b));
  const compared = ({ attributes }: HierarchyNode): JsonObject => {
    const named = isJsonObject(attributes) ? [...attributes] : [];
    return new Map(
      named.filter(([name]) => {
        const member = OF_ATTRIBUTES.get(name);
        return (
          name !== "_ARRAY_DIMENSIONS" && (arrays === undefined || member === undefined || others.includes(member))
        );
      }),
    );
  };
  const attributes = jsonChanges(compared(a), compared(b), "attributes");
  const isTold = (member: MetadataMember) =>
    [...OF_ATTRIBUTES].some(
      ([name, of]) => of === member && attributes.some(({ path }) => path.startsWith(`attributes.${name}`)),
    );
  return [
    ...attributes,
    ...others
      .filter((member) => !isTold(member))
      .flatMap((member) => jsonChanges(arrays?.a[member], arrays?.b[member], PATHS[member] ?? member)),
  ];
}

/** `first`: the first chunk that differs, with both references as written. Grids that differ are not compared. */
async function comparePlaces(
  sets: Sets,
  path: string,
  context: CallContext,
  noting?: (path: string, grid: readonly number[]) => NoteChunk,
): Promise<ArrayPlaces> {
  const kinds = noPlaces();
  const { grid, at, ordinals, isAlike } = await chunkReferences(sets, path, context);
  const note = noting?.(path, grid);
  if (!isAlike) return { path, cells: 0, kinds, first: undefined, uncompared: "grid" as const };
  const cells = cellCount(grid);
  let done = 0;
  const pace = startPace(context, `Comparing chunks of ${path}`, cells);
  let first: ArrayPlaces["first"];
  for (const ordinal of ordinals()) {
    await pace.yieldIfDue((done += 1));
    const { a, b } = at(ordinal);
    if (a.reference?.kind === "missing" && b.reference?.kind === "missing") continue;
    const kind = placeKind(sets, { a: a.reference, b: b.reference });
    kinds[kind] += 1;
    if (kind === "same") continue;
    note?.(ordinal, kind);
    first ??= { coordinates: coordinatesOf(grid, ordinal), kind, a: a.written, b: b.written };
  }
  return { path, cells, kinds, first, uncompared: undefined };
}

/**
 * The references of both by ordinal. `isAlike`: they have the same grid; else ordinals are those of A alone. `isListed`:
 * only chunks with a reference are gone through.
 */
export async function chunkReferences({ a, b }: Sets, path: string, context: CallContext) {
  const [one, other] = [await referencesOf(a, path, context), await referencesOf(b, path, context)];
  const isAlike = String(one.grid) === String(other.grid);
  const at = (ordinal: number) => ({ a: one.at(ordinal), b: other.at(ordinal) });
  const ordinals = () => listedIn(one.index, isAlike ? other.index : one.index);
  return { grid: one.grid, isAlike, at, ordinals, isListed: one.index.ordinals !== undefined };
}

/** All chunks; of a grid too large to list all, those of which either has a reference. */
function* listedIn(one: ArrayIndex, other: ArrayIndex): Generator<number> {
  const [a, b] = [one.ordinals, other.ordinals];
  if (a === undefined || b === undefined) for (let at = 0; at < one.cells; at += 1) yield at;
  else
    for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
      const next = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
      if (a[i] === next) i += 1;
      if (b[j] === next) j += 1;
      yield next;
    }
}

async function referencesOf(set: EngineSet, path: string, context: CallContext) {
  const id = set.index.arrayIds.get(path) ?? -1;
  await loadRest(set, path, context);
  const index = await set.index.arrayIndex(id, context);
  const paged = set.index.paged.get(id);
  const { grid = [], separator = "." } = set.table.arrays[id] ?? {};
  const at = (ordinal: number): WrittenReference => {
    if (paged?.stateOfChunk(ordinal) === "failed") return { reference: undefined, written: "not read" };
    const { reference, written } = referenceAt(set, rowOf(index, ordinal));
    if (reference.kind !== "native") return { reference: reference.kind === "bad" ? undefined : reference, written };
    const key = chunkKey(path, coordinatesOf(grid, ordinal), separator);
    return { reference: addressedNative(set, path, { ordinal }, key)?.reference, written: key };
  };
  return { grid, at, index };
}

type Known = Pair<Reference | undefined>;

/** `undefined`: not understood, or not read. */
export function placeKind(sets: Sets, { a, b }: Known): PlaceKind {
  if (a === undefined || b === undefined) return "unknown";
  if (a.kind === "missing") return "onlyB";
  if (b.kind === "missing") return "onlyA";
  if (sameReference(a, b, (one, other) => one === other || isOneAddress(sets, one, other))) return "same";
  if (a.kind === "inline" && b.kind === "inline") return "content";
  return a.kind === "inline" || b.kind === "inline" ? "form" : "elsewhere";
}

const addressIn = (set: EngineSet, target: string | null) => addressOf(set.targets.resolve(target)) ?? target;

const isOneAddress = ({ a, b }: Sets, one: string | null, other: string | null): boolean =>
  addressIn(a, one) === addressIn(b, other);

/** Tells whether both are surely the same bytes: names of files at hand may mean other files. */
export function sameSource(sets: Sets): (known: Known) => boolean {
  const isUrl = (target: string | null) => /^(?!file:)[a-z][a-z\d+.-]*:\/\//i.test(target ?? "");
  // Chunks beside each other mostly have one target.
  let last: Pair<string | null> & { readonly isOne: boolean } = { a: "", b: "", isOne: false };
  const isOneUrl = (a: string | null, b: string | null) => {
    if (a !== last.a || b !== last.b) last = { a, b, isOne: isUrl(addressIn(sets.a, a)) && isOneAddress(sets, a, b) };
    return last.isOne;
  };
  return ({ a, b }) => a !== undefined && b !== undefined && sameReference(a, b, isOneUrl);
}
