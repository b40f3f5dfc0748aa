/**
 * The references of any open set as they can be written, and what cannot be expressed: known before anything is
 * written.
 */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type Facts, failure, type Finding, WHOLE_SET, type FactsOf, finding, nodeAt } from "#core/findings/finding.ts";
import { portableJson } from "#core/json/portable-json.ts";
import type { JsonNode } from "#core/json/json.ts";
import { parseJsonTree, writeJsonNode } from "#core/json/parse-json.ts";
import { withoutManifest } from "#core/metadata/chunk-manifests.ts";
import { isLeftOut } from "#core/findings/out-of-reach.ts";
import { type ReferenceTable, TARGET_INLINE, type TargetDictionary } from "#core/table/reference-table.ts";
import { type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { copiedTable, jsonOf } from "./copied-table.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { type FromThere, movedTargets } from "./relative-targets.ts";
import { arrayText3, groupText3 } from "#core/metadata/v3-from-v2.ts";
import { isUnknownToPython } from "#core/readers/rules.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import { columnsAt } from "../table/batch.ts";

export interface WriteWish {
  /** Chunks of fewer bytes are read and written inline. */
  readonly inlineBelow?: number | undefined;
  /** Metadata of Zarr v2 become those of v3. */
  readonly zarr3?: boolean;
  /** Bytes of chunks and shards are copied: their references need no other form. */
  readonly copiesChunks?: boolean;
  /** Absent where nobody knows where it will be. */
  readonly fromThere?: FromThere;
  /** Place in which sources with relative or local paths will lie; "" keeps relative paths. */
  readonly sources?: string | undefined;
}

export interface Writable {
  readonly set: EngineSet;
  /** Inline values as JSON string text; no native objects, no inner chunks of shards. */
  readonly table: ReferenceTable;
  /** JSON text by key. */
  readonly documents: ReadonlyMap<string, string>;
  /** The document's own parts can be written as they are: templates, gen, order. */
  readonly isAsOpened: boolean;
  /** New form of relative targets, also of those in metadata, which are not in the table. */
  readonly moved: FromThere | undefined;
  /** Targets as they are read here, by the table's ids. */
  readonly targetsHere: TargetDictionary;
  /** Metadata documents without a text: only the document as opened has them. */
  readonly unread: number;
  readonly findings: readonly Finding[];
}

/**
 * Fetches references that are not here.
 * @throws RefscopeError `export-refused` and `export-incomplete` where fsspec reads another set than is shown,
 *   `too-many-pages`; an `AbortError`
 */
export async function writableSet(opened: EngineSet, wish: WriteWish, context: CallContext): Promise<Writable> {
  // Shards are written as shards: inner chunks have no keys.
  const set = opened.unexpanded ?? opened;
  if (isDocument(set)) refuseUntrue(set);
  else if (set.refused !== undefined) throw failure("export-refused", WHOLE_SET, { cause: set.refused });
  const notes = writeNotes();
  if (set.unlisted === true) notes.leftOut("unlisted");
  for (const [id, paged] of set.index.paged) {
    const path = set.table.arrays[id]?.path ?? "";
    // Whole shards need no index.
    if (set.shards?.has(id) === true) continue;
    await loadRest(set, path, context);
    if (paged.failedCells > 0) notes.leftOut("unread", path, paged.failedCells);
  }
  const absent = set.sourceFile?.findings.filter(isLeftOut) ?? [];
  for (const { code, place } of absent)
    if (code === "hdf5-external-link" && place.kind === "node") notes.leftOut("link", place.path);
  const { inlineBelow = 0, zarr3: isZarr3 = false, copiesChunks = false } = wish;
  const isCopied = !copiesChunks && (set.resolveKey !== undefined || inlineBelow > 0);
  const left = new Set<number>();
  const copied = isCopied ? await copiedTable(set, inlineBelow, left, notes, context) : jsonInline(set);
  const { table: own, moved } = movedTargets(copied, set.targets.base, wish, notes);
  const { texts, unread } = documentTexts(set, left, notes);
  const made = isZarr3 ? zarr3Documents(set, texts, own, notes) : { documents: texts, table: own };
  const isWritten = ({ place }: Finding) =>
    place.kind === "node" &&
    [".zarray", "zarr.json"].some((name) => made.documents.has(place.path === "" ? name : `${place.path}/${name}`));
  const isAsOpened = isDocument(set) && !isCopied && !isZarr3;
  return {
    set,
    ...made,
    moved,
    targetsHere: copied.targets,
    unread,
    isAsOpened,
    findings: [
      ...unreadInPython(set).filter(isWritten),
      ...absent.filter(({ code }) => code !== "hdf5-external-link"),
      ...notes.list(),
    ],
  };
}

/** Values that are bytes in the set become text as they are asked for. */
function jsonInline({ table, format }: EngineSet): ReferenceTable {
  if (format.inlineText === undefined) return table;
  const { inline } = table;
  const slice = (offset: number, length: number) => jsonOf(inline.slice(offset, length));
  return { ...table, inline: { byteLength: inline.byteLength, slice } };
}

/** `left`: arrays of which nothing is written, by id. */
function documentTexts({ documents, table }: EngineSet, left: ReadonlySet<number>, notes: WriteNotes) {
  let unread = 0;
  const texts = new Map<string, string>();
  const absent = new Set([...left].map((id) => table.arrays[id]?.path ?? ""));
  for (const [key, { text }] of documents) {
    const [path, name] = [nodePathOf(key), key.slice(key.lastIndexOf("/") + 1)];
    // Consolidated metadata repeat the others.
    if (name === ".zmetadata" || absent.has(path)) continue;
    if (text === undefined) {
      unread += 1;
      continue;
    }
    const own = name === "zarr.json" && absent.size > 0 ? withoutNodes(text, path, absent) : text;
    // Numbers in `.zarray` are fill values, which are such texts anyway.
    texts.set(
      key,
      portableJson(withoutManifest(own), () => notes.changed("not-finite", undefined, Number(name !== ".zarray"))),
    );
  }
  return { texts, unread };
}

/** A group's document, whose consolidated metadata repeat those of nodes below it. */
function withoutNodes(text: string, path: string, absent: ReadonlySet<string>): string {
  const { root } = parseJsonTree(text);
  const at = (name: string) => (path === "" ? name : `${path}/${name}`);
  const kept = (node: JsonNode, name: string, rest: (inner: JsonNode) => JsonNode): JsonNode =>
    node.kind === "object"
      ? { ...node, members: node.members.map((one) => (one.key === name ? { ...one, node: rest(one.node) } : one)) }
      : node;
  const nodes = (node: JsonNode): JsonNode =>
    node.kind === "object" ? { ...node, members: node.members.filter(({ key }) => !absent.has(at(key))) } : node;
  return writeJsonNode(kept(root, "consolidated_metadata", (own) => kept(own, "metadata", nodes)));
}

/** Refuses a set that has no true form without templates and gen. */
function refuseUntrue({ refused, findings, renderer }: DocumentSet): void {
  if (refused !== undefined) {
    const cause = findings.find(({ facts }) => facts["raises"] !== undefined);
    throw failure("export-refused", WHOLE_SET, { cause });
  }
  if (renderer?.isIncomplete !== true) return;
  const cause = findings.find(({ place, facts }) => {
    const isOfDocument = place.kind === "gen" || facts["member"] === "gen" || facts["member"] === "templates";
    return isOfDocument && stopsRendering(facts);
  });
  throw failure("export-incomplete", WHOLE_SET, { cause });
}

const stopsRendering = (facts: Facts): boolean => facts["raises"] !== undefined || facts["limit"] !== undefined;

type Texts = ReadonlyMap<string, string>;

/** A set's metadata of Zarr v2 as those of v3, with the keys of chunks that go with them. */
function zarr3Documents(set: EngineSet, texts: Texts, table: ReferenceTable, notes: WriteNotes) {
  const documents = new Map<string, string>();
  const changed = new Set<string>();
  const sources = set.sourceFile && new Map(set.sourceFile.arrays.map((one) => [one.path, one]));
  for (const { path } of set.hierarchy.nodes.values()) {
    const at = (name: string) => (path === "" ? name : `${path}/${name}`);
    const [array, attributes, own] = [texts.get(at(".zarray")), texts.get(at(".zattrs")), texts.get(at("zarr.json"))];
    const masks = sources === undefined || sources.get(path)?.hasFillAttribute === true;
    const made = attempt(() => ({
      text: own ?? (array === undefined ? groupText3(attributes) : arrayText3(array, attributes, masks)),
    }));
    if (made?.text === undefined) notes.leftOut(made === undefined ? "metadata" : "v3-type", path);
    else documents.set(at("zarr.json"), made.text);
    if (own === undefined && array !== undefined) changed.add(path);
  }
  const arrays = table.arrays.map((slot) => (changed.has(slot.path) ? { ...slot, separator: "c/" as const } : slot));
  return { documents, table: { ...table, arrays } };
}

const JSON_LISTS = "json2";
/** Bytes: a bracket for each dimension, and spaces. */
const MAX_HEAD = 1000;

/** Arrays that are handed on as they are stored, and of which no reader of Python gives back the elements. */
export function unreadInPython(set: EngineSet): readonly Finding[] {
  const { hierarchy, table, index } = set;
  const found = new Map<string, Finding>();
  const add = (path: string, facts: FactsOf<"unread-in-python">) =>
    found.set(path, finding("unread-in-python", nodeAt(path), facts));
  /** Dimensions of those of which a chunk tells, by id. */
  const unsure = new Map<number | undefined, { readonly path: string; readonly dimensions: number }>();
  for (const node of hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const { path, metadata } = node;
    const codec = metadata.decoding.find(({ id }) => isUnknownToPython(id, metadata.zarrFormat))?.id;
    if (codec !== undefined) add(path, { why: "codec", codec });
    else if (!metadata.decoding.some(({ id }) => id === JSON_LISTS)) continue;
    else if (metadata.shape.length === 0) add(path, { why: "scalar", codec: JSON_LISTS });
    else unsure.set(index.arrayIds.get(path), { path, dimensions: metadata.shape.length });
  }
  for (let row = 0; row < table.rows && unsure.size > 0; row += 1) {
    const { array, target } = columnsAt(table, row);
    const one = unsure.get(array);
    if (one === undefined || target !== TARGET_INLINE) continue;
    unsure.delete(array);
    const { reference } = referenceAt(set, row);
    if (reference.kind === "inline" && holdsLists(reference.bytes, one.dimensions))
      add(one.path, { why: "lists", codec: JSON_LISTS });
  }
  return [...found.values()];
}

/** The elements lie in rows of rows, and behind them their type and shape. */
function holdsLists(bytes: Uint8Array, dimensions: number): boolean {
  const [brackets = ""] = /^[\s[]*/.exec(new TextDecoder().decode(bytes.subarray(0, MAX_HEAD))) ?? [];
  return brackets.replaceAll(/\s/g, "").length > dimensions;
}
