/** The references of any open set as they can be written, and what cannot be expressed: known before anything is written. */
import type { CallContext } from "#core/byte-source.ts";
import { type Facts, failure, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import { portableJson } from "#core/json/portable-json.ts";
import type { JsonNode } from "#core/json/json.ts";
import { parseJsonTree, writeJsonNode } from "#core/json/parse-json.ts";
import { withoutManifest } from "#core/metadata/chunk-manifests.ts";
import { isLeftOut } from "#core/findings/out-of-reach.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import { type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { loadRest } from "../table/load-pages.ts";
import { copiedTable, jsonOf } from "./copied-table.ts";
import { type WriteNotes, writeNotes } from "./notes.ts";
import { type FromThere, movedTargets } from "./relative-targets.ts";
import { unreadInPython } from "./unread-in-python.ts";
import { zarr3Documents } from "./zarr3-documents.ts";

export interface WriteWish {
  /** Chunks of fewer bytes are read and written inline. */
  readonly inlineBelow?: number | undefined;
  /** Metadata of Zarr v2 become those of v3. */
  readonly zarr3?: boolean;
  /** Absent where nobody knows where it will be. */
  readonly fromThere?: FromThere;
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
    if (set.shards?.has(id) === true) notes.leftOut("shards", path);
    else await loadRest(set, path, context);
    if (paged.failedCells > 0) notes.leftOut("unread", path, paged.failedCells);
  }
  const absent = set.sourceFile?.findings.filter(isLeftOut) ?? [];
  for (const { code, place } of absent)
    if (code === "hdf5-external-link" && place.kind === "node") notes.leftOut("link", place.path);
  const { inlineBelow = 0, zarr3: isZarr3 = false, fromThere } = wish;
  const isCopied = set.resolveKey !== undefined || inlineBelow > 0;
  const left = new Set([...(set.shards ?? [])].map(([id]) => id));
  const copied = isCopied ? await copiedTable(set, inlineBelow, left, notes, context) : jsonInline(set);
  const { table: own, moved } = movedTargets(copied, set.targets.base, fromThere, notes);
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
    const [path, name] = [key.slice(0, Math.max(0, key.lastIndexOf("/"))), key.slice(key.lastIndexOf("/") + 1)];
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
