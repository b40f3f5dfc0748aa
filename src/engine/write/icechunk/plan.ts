/** Plan of a repository: nodes, where every target is, and what cannot be expressed. */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import { isJsonObject, type JsonMember, type JsonNode, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { jsonValueOf, parseJsonTree, writeJson, writeJsonNode } from "#core/json/parse-json.ts";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { isRegular } from "#core/metadata/chunk-grid.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_WHOLE,
  type ReferenceTable,
  TARGET_BAD,
  TARGET_INLINE,
  type TargetDictionary,
} from "#core/table/reference-table.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { newId } from "#formats/icechunk/object-id.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { eachAtOnce } from "#engine/kept.ts";
import { startPace } from "#engine/pace.ts";
import { columnsAt } from "#engine/table/batch.ts";
import { writeNotes, type WriteNotes } from "../notes.ts";
import { type Writable, writableSet } from "../writable.ts";
import { type Containers, containersFor, type Location, locationOf } from "./locations.ts";

export interface IcechunkPlan {
  readonly set: EngineSet;
  readonly table: ReferenceTable;
  readonly nodes: readonly PlannedNode[];
  /** Places by target id. */
  readonly locations: readonly Location[];
  /** Sizes and times of sources that are read whole, by target id. */
  readonly sources: ReadonlyMap<number, WholeSource>;
  /** Targets as they are read here, by the same ids. */
  readonly targetsHere: TargetDictionary;
  readonly containers: Containers;
  readonly findings: readonly Finding[];
}

export interface PlannedNode {
  readonly id: string;
  /** Without a leading slash. */
  readonly path: string;
  readonly metadata: Uint8Array<ArrayBuffer>;
  readonly array?: PlannedArray;
}

export interface PlannedArray {
  /** Id in the table; absent without references. */
  readonly id: number | undefined;
  readonly grid: readonly number[];
  readonly shape: readonly { readonly arrayLength: number; readonly chunks: number }[];
  readonly dimensionNames: readonly (string | null)[] | undefined;
}

export interface WholeSource {
  /** Bytes. */
  readonly size: number;
  /** Seconds since 1970, as the server said. */
  readonly seconds?: number;
}

/**
 * `prefix`: the address that sources at relative or local paths have.
 * @throws RefscopeError as `writableSet` does, `export-impossible`; an `AbortError`
 */
export async function planIcechunk(
  opened: EngineSet,
  { prefix }: { readonly prefix?: string | undefined },
  context: CallContext,
): Promise<IcechunkPlan> {
  // Relative paths stay, so that the store's own objects are found and copied; only the library must not get any.
  const sources = prefix ?? (opened.targets.base.kind === "url" ? undefined : "");
  const writable = await writableSet(opened, { zarr3: true, sources }, context);
  const { set, table } = writable;
  const notes = writeNotes();
  const nodes = plannedNodes(writable, notes);
  if (nodes.length === 0) throw failure("export-impossible", WHOLE_SET, { why: "no-nodes" });
  const { targets } = table;
  const locations = Array.from({ length: targets.count }, (_, id) => locationOf(targets.text(id), set.recorded));
  const placed = { set, table, locations, sources: new Map<number, WholeSource>() };
  const known = await wholeSources(writable, await wholeTargets(placed, context), context);
  await noteRows({ ...placed, sources: known }, nodes, notes, context);
  const urls = locations.flatMap((one) => (one.kind === "url" ? [one.url] : []));
  return {
    ...placed,
    sources: known,
    nodes,
    targetsHere: writable.targetsHere,
    containers: containersFor(urls, set.recorded),
    findings: [...writable.findings.filter(({ code }) => code !== "write-relative"), ...notes.list()],
  };
}

// Nodes: every document of Zarr v3, with what the official library keeps beside it.

const encoder = new TextEncoder();

/** Most chunks along a dimension: coordinates have four bytes. */
const MOST_CHUNKS = 2 ** 32 - 1;

function plannedNodes({ set, table, documents }: Writable, notes: WriteNotes): readonly PlannedNode[] {
  const ids = new Map(table.arrays.map(({ path }, id) => [path, id]));
  const nodes: PlannedNode[] = [];
  for (const [key, text] of documents) {
    const path = nodePathOf(key);
    if (!/(?:^|\/)zarr\.json$/.test(key)) continue;
    if (path !== "" && path.split("/").some((name) => /^\.{0,2}$/.test(name))) notes.leftOut("odd-path", path);
    else {
      const node = plannedNode(set, path, text, ids.get(path), notes);
      if (node !== undefined) nodes.push(node);
    }
  }
  return nodes;
}

function plannedNode(
  set: EngineSet,
  path: string,
  text: string,
  id: number | undefined,
  notes: WriteNotes,
): PlannedNode | undefined {
  const leftOut = (what: "metadata" | "unread-grid"): undefined => notes.leftOut(what, path) as undefined;
  const root = attempt(() => parseJsonTree(text).root);
  const value = root && jsonValueOf(root);
  const node = set.hierarchy.nodes.get(path);
  if (root === undefined || !isJsonObject(value) || node === undefined) return leftOut("metadata");
  const own = { id: newId(8), path };
  // Consolidated metadata repeat other nodes, and would stay behind them.
  if (value.get("node_type") !== "array")
    return { ...own, metadata: bytesOf(withMembers(root, ({ key }) => key !== "consolidated_metadata")) };
  const array = node.kind === "array" ? plannedArray(node.metadata, value) : undefined;
  if (array === undefined) return leftOut("unread-grid");
  const keys = root.kind === "object" ? root.members.find(({ key }) => key === "chunk_key_encoding") : undefined;
  if (keys !== undefined && !isDefault(jsonValueOf(keys.node))) notes.changed("chunk-keys", path);
  const rest = withMembers(root, ({ key }) => key !== "chunk_key_encoding", DEFAULT_KEYS);
  return { ...own, metadata: bytesOf(rest), array: { id, ...array } };
}

const bytesOf = (node: JsonNode): Uint8Array<ArrayBuffer> => encoder.encode(writeJsonNode(node));

/** The only names by which the library finds chunks. */
const DEFAULT_KEYS = parseJsonTree('{"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}}}').root;

const isDefault = (keys: JsonValue): boolean =>
  isJsonObject(keys) && keys.get("name") === "default" && writeJson(keys.get("configuration") ?? "/").includes("/");

function withMembers(node: JsonNode, isKept: (member: JsonMember) => boolean, more?: JsonNode): JsonNode {
  if (node.kind !== "object") return node;
  const added = more?.kind === "object" ? more.members : [];
  return { ...node, members: [...node.members.filter(isKept), ...added] };
}

/** `undefined` where a repository cannot have it. */
function plannedArray(metadata: ArrayMetadata, value: JsonObject): Omit<PlannedArray, "id"> | undefined {
  const grid = storedGrid(metadata);
  const edges = metadata.sharding?.shape ?? metadata.chunks;
  const isWritable = metadata.zarrFormat === 3 || isRegular(edges);
  if (!isWritable || grid.some((count) => count > MOST_CHUNKS)) return undefined;
  const names = value.get("dimension_names");
  return {
    grid,
    shape: metadata.shape.map((arrayLength, axis) => ({ arrayLength, chunks: grid[axis] ?? 0 })),
    dimensionNames: Array.isArray(names)
      ? names.map((name: JsonValue) => (typeof name === "string" ? name : null))
      : undefined,
  };
}

// References: what each row becomes, and why some become nothing.

export type RowFate = "inline" | "virtual" | "copied" | "bad" | "elsewhere" | "empty" | "no-size" | "relative";

type Placed = Pick<IcechunkPlan, "set" | "table" | "locations" | "sources">;

/** `isSized`: the sizes of sources that are read whole have been asked for. */
export function fateOf({ set, table, locations, sources }: Placed, row: number, isSized = true): RowFate {
  const { target, length, offset } = columnsAt(table, row);
  if (target === TARGET_INLINE) {
    const { bytes, oddity = "non-ascii" } = decodeInline(table.inline.slice(offset, length));
    return oddity !== "non-ascii" ? "bad" : bytes.length === 0 ? "empty" : "inline";
  }
  if (target === TARGET_BAD) return "bad";
  if (length === 0) return "empty";
  const place = target < FIRST_SPECIAL_TARGET ? locations[target] : undefined;
  // The store's own objects may also lie in an archive.
  if (place !== undefined && place.kind !== "url" && set.resolveKey !== undefined) return "copied";
  if (place === undefined || place.kind === "other") return "elsewhere";
  if (place.kind === "relative") return "relative";
  if (length !== LENGTH_WHOLE || !isSized) return "virtual";
  const size = sources.get(target)?.size;
  return size === undefined ? "no-size" : size === 0 ? "empty" : "virtual";
}

/** Ids of the targets that are read whole. */
async function wholeTargets(placed: Placed, context: CallContext): Promise<ReadonlySet<number>> {
  const { table } = placed;
  const pace = startPace(context, "Looking through references", table.rows);
  const wholes = new Set<number>();
  for (let row = 0; row < table.rows; row += 1) {
    const { target, length } = columnsAt(table, row);
    if (target < FIRST_SPECIAL_TARGET && length === LENGTH_WHOLE && fateOf(placed, row, false) === "virtual")
      wholes.add(target);
    if (row % 4096 === 0) await pace.yieldIfDue(row);
  }
  return wholes;
}

/** Requests under way at once. */
const AT_ONCE = 16;

/** Asks the sources that are read whole how long they are: a reference has a length. */
async function wholeSources(
  { set, table, targetsHere }: Writable,
  ids: ReadonlySet<number>,
  context: CallContext,
): Promise<ReadonlyMap<number, WholeSource>> {
  const found = new Map<number, WholeSource>();
  let asked = 0;
  await eachAtOnce(ids, AT_ONCE, async (id) => {
    const text = targetsHere.text(id);
    const resolution = set.targets.resolve(text);
    context.report({ label: "Asking for sizes", done: (asked += 1), total: ids.size, unit: "files" });
    if (resolution.kind === "unresolved") return;
    const { size, lastModified } = await set.targets.probe(
      resolution,
      { furthest: undefined, needsSize: true },
      context,
    );
    const seconds = Math.floor(Date.parse(lastModified ?? "") / 1000);
    // Sources that will lie elsewhere get times of their own.
    const isDated = seconds > 0 && text === table.targets.text(id);
    if (size !== undefined) found.set(id, isDated ? { size, seconds } : { size });
  });
  context.signal.throwIfAborted();
  return found;
}

/** Notes what each row becomes. @throws RefscopeError `export-impossible` */
async function noteRows(placed: Placed, nodes: readonly PlannedNode[], notes: WriteNotes, context: CallContext) {
  const { table } = placed;
  const written = new Set(nodes.flatMap(({ array }) => array?.id ?? []));
  const strays = new Set(table.strays.map(({ row }) => row));
  notes.leftOut("stray", undefined, strays.size);
  const pace = startPace(context, "Looking through references", table.rows);
  for (let row = 0; row < table.rows; row += 1) {
    const { array, target } = columnsAt(table, row);
    if (row % 4096 === 0) await pace.yieldIfDue(row);
    if (strays.has(row) || !written.has(array)) continue;
    const fate = fateOf(placed, row);
    const path = table.arrays[array]?.path;
    if (fate === "relative") {
      throw failure("export-impossible", WHOLE_SET, { why: "relative", paths: [table.targets.text(target)] });
    }
    if (fate === "copied") notes.changed("copied", path);
    else if (fate !== "inline" && fate !== "virtual") notes.leftOut(fate, path);
  }
}
