/**
 * An array's metadata document with the codecs and the byte order of a trial. Only what changes is rewritten: all else
 * keeps its text, and so its order, its big numbers and its spelling.
 */
import type { ArrayMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { findCodec, spelledIn } from "#codecs/find-codec.ts";
import type { JsonNode, JsonObjectNode } from "#core/json/json.ts";
import type { Trial } from "#core/check/lab.ts";
import { jsonValueOf, parseJsonTree, writeJson } from "#core/json/parse-json.ts";
import type { TableEdit, TextEdit } from "#core/studio.ts";
import { trialMetadata, turnedDtype } from "./trial-metadata.ts";
import { failure, keyAt, unlessFinding } from "#core/findings/finding.ts";
import type { DocumentSet } from "../engine-set.ts";
import { applyTextEdits } from "../edit/text-edits.ts";

/** A document inside a text. */
interface DocumentNode {
  readonly text: string;
  readonly node: JsonObjectNode;
}

/** True if the trial reads with other codecs, or in another byte order, than the metadata say. */
export function changesMetadata(metadata: ArrayMetadata, trial: Trial): boolean {
  const tried = trialMetadata(metadata, trial);
  const [before, after] = [metadata, tried].map(({ decoding, dataType }) => [...decoding.map(identity), dataType.text]);
  const isTurned = JSON.stringify(tried.dataType) !== JSON.stringify(metadata.dataType);
  return isTurned || JSON.stringify(before) !== JSON.stringify(after);
}

const identity = ({ id, configuration }: CodecConfiguration): string => `${id} ${writeJson(configuration)}`;

/**
 * Edits of the text, in its order. The document may be a copy inside consolidated metadata.
 *
 * @throws RefscopeError `trial-configuration`
 */
function metadataEdits(document: DocumentNode, metadata: ArrayMetadata, trial: Trial): readonly TextEdit[] {
  const tried = trialMetadata(metadata, trial);
  const edits =
    metadata.zarrFormat === 2 ? editsV2(document, metadata, tried, trial) : editsV3(document, metadata, tried);
  return edits
    .filter(({ start, end, text }) => document.text.slice(start, end) !== text)
    .sort((a, b) => a.start - b.start);
}

function editsV2(document: DocumentNode, declared: ArrayMetadata, tried: ArrayMetadata, trial: Trial): TextEdit[] {
  const edits: TextEdit[] = [];
  const dtype = member(document.node, "dtype");
  if (trial.byteOrder !== undefined && dtype !== undefined) {
    const written = jsonValueOf(dtype);
    const turned = writeJson(turnedDtype(written, trial.byteOrder));
    if (turned !== writeJson(written)) edits.push({ start: dtype.start, end: dtype.end, text: turned });
  }
  if (isSameChain(declared, tried)) return edits;
  const [compressor, filters] = [member(document.node, "compressor"), member(document.node, "filters")];
  const filterNodes = filters?.kind === "array" ? filters.items : [];
  const hadCompressor = compressor?.kind === "object";
  const inDecoding = [...(hadCompressor ? [compressor] : []), ...filterNodes.toReversed()];
  const codecs = writtenCodecs(document, declared, tried, inDecoding, codecTextV2);
  const [first] = tried.decoding;
  // A list of filters alone decodes alike; where there was a compressor, what stands in its place stays one.
  const keepsCompressor = hadCompressor && first !== undefined && !isFilter(first.id);
  const rest = (keepsCompressor ? codecs.slice(1) : codecs).toReversed();
  const none = filters?.kind === "array" ? "[]" : "null";
  edits.push(
    ...setMembers(document, [
      ["compressor", keepsCompressor ? (codecs[0] ?? "null") : "null"],
      ["filters", rest.length === 0 ? none : `[${rest.join(",")}]`],
    ]),
  );
  return edits;
}

function editsV3(document: DocumentNode, declared: ArrayMetadata, tried: ArrayMetadata): TextEdit[] {
  if (isSameChain(declared, tried)) return [];
  const holder = declared.sharding === undefined ? document.node : shardConfiguration(document.node);
  const list = holder === undefined ? undefined : member(holder, "codecs");
  const inDecoding = list?.kind === "array" ? list.items.toReversed() : [];
  const codecs = writtenCodecs(document, declared, tried, inDecoding, codecTextV3).toReversed();
  return holder === undefined ? [] : setMembers({ ...document, node: holder }, [["codecs", `[${codecs.join(",")}]`]]);
}

const isSameChain = (a: ArrayMetadata, b: ArrayMetadata): boolean =>
  JSON.stringify(a.decoding.map(identity)) === JSON.stringify(b.decoding.map(identity));

/** For `sharding_indexed` as the only codec of the list. */
function shardConfiguration(root: JsonObjectNode): JsonObjectNode | undefined {
  const list = member(root, "codecs");
  const only = list?.kind === "array" ? list.items[0] : undefined;
  const configuration = only?.kind === "object" ? member(only, "configuration") : undefined;
  return configuration?.kind === "object" ? configuration : undefined;
}

/** Texts in the order of decoding: those of the document for codecs that stay as they are, each taken once. */
function writtenCodecs(
  { text }: DocumentNode,
  declared: ArrayMetadata,
  tried: ArrayMetadata,
  nodes: readonly JsonNode[],
  write: (codec: CodecConfiguration) => string,
): readonly string[] {
  const left = declared.decoding.map((codec, at) => ({ identity: identity(codec), node: nodes[at] }));
  return tried.decoding.map((codec) => {
    const at = left.findIndex((one) => one.identity === identity(codec));
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    return kept?.node === undefined ? write(codec) : text.slice(kept.node.start, kept.node.end);
  });
}

function codecTextV2({ id, configuration }: CodecConfiguration): string {
  return writeJson(new Map([["id", spelledIn(2, id)], ...configuration]));
}

function codecTextV3({ id, configuration }: CodecConfiguration): string {
  return writeJson(
    new Map<string, string | CodecConfiguration["configuration"]>([
      ["name", spelledIn(3, id)],
      ["configuration", configuration],
    ]),
  );
}

/** Codecs that work on elements, or put bytes into another order: none of them is a compressor. */
function isFilter(id: string): boolean {
  const codec = findCodec(id);
  if (codec === undefined) return false;
  return codec.kind !== "bytes-bytes" || codec.keepsSize !== undefined || codec.checksum !== undefined;
}

function member(node: JsonObjectNode, key: string): JsonNode | undefined {
  return node.members.findLast((one) => one.key === key)?.node;
}

/** Those that are not there go to the end, in one edit. */
function setMembers({ node }: DocumentNode, members: readonly (readonly [key: string, value: string])[]): TextEdit[] {
  const known = members.flatMap(([key, text]) => {
    const at = member(node, key);
    return at === undefined ? [] : [{ start: at.start, end: at.end, text }];
  });
  const fresh = members.filter(([key]) => member(node, key) === undefined).map(([key, text]) => `"${key}":${text}`);
  if (fresh.length === 0) return known;
  const last = node.members.at(-1)?.node.end;
  const at = last ?? node.start + 1;
  return [...known, { start: at, end: at, text: `${last === undefined ? "" : ","}${fresh.join(",")}` }];
}

// The metadata documents that describe an array, edited: its own, and its copies in consolidated metadata.

/** Edits of an array's document, in the order of its text. */
export type DocumentChange = (document: DocumentNode) => readonly TextEdit[];

/**
 * A `set-reference` a document that says something else after it; none where the set has no such document.
 *
 * @throws RefscopeError `not-editable` where a document is made by gen; `trial-configuration`
 */
export function documentEdits(
  set: DocumentSet,
  path: string,
  metadata: ArrayMetadata,
  trial: Trial,
): readonly TableEdit[] {
  const name = metadata.zarrFormat === 2 ? ".zarray" : "zarr.json";
  return editsOfDocuments(set, path, name, (document) => metadataEdits(document, metadata, trial));
}

/** Edits of the array's own document of that name, and of its copies. @throws RefscopeError `not-editable` */
export function editsOfDocuments(
  set: DocumentSet,
  path: string,
  name: ".zarray" | ".zattrs" | "zarr.json",
  change: DocumentChange,
): readonly TableEdit[] {
  const edits: TableEdit[] = [];
  for (const [key, { text }] of set.documents) {
    const steps = stepsTo(key, path, name);
    const edited = steps === undefined || text === undefined ? undefined : editedAt(text, steps, change);
    if (edited === undefined || edited === text) continue;
    refuseGenerated(set, key);
    edits.push({ kind: "set-reference", key, value: JSON.stringify(edited) });
  }
  return edits;
}

/**
 * Members that lead from a document to the array's own; none where it is that, `undefined` where it cannot have one.
 */
function stepsTo(key: string, path: string, name: string): readonly string[] | undefined {
  const own = path === "" ? name : `${path}/${name}`;
  if (key === own) return [];
  const slash = key.lastIndexOf("/") + 1;
  const [prefix, document] = [key.slice(0, slash), key.slice(slash)];
  if (!own.startsWith(prefix)) return undefined;
  const rest = own.slice(prefix.length);
  if (document === ".zmetadata" && name !== "zarr.json") return ["metadata", rest];
  if (document !== "zarr.json" || name !== "zarr.json") return undefined;
  return ["consolidated_metadata", "metadata", rest.slice(0, -"/zarr.json".length)];
}

/** `undefined` where the document has none there. A member that is a text with JSON in it is edited inside. */
function editedAt(text: string, steps: readonly string[], change: DocumentChange): string | undefined {
  let node: JsonNode | undefined = rootOf(text);
  for (const [at, step] of steps.entries()) {
    if (isText(node)) return undefined;
    node = node?.kind === "object" ? node.members.findLast(({ key }) => key === step)?.node : undefined;
    if (isText(node) && at === steps.length - 1) return insideText(text, node, change);
  }
  return node?.kind === "object" ? applyTextEdits(text, change({ text, node })) : undefined;
}

type TextNode = JsonNode & { readonly kind: "scalar"; readonly value: string };

const isText = (node: JsonNode | undefined): node is TextNode =>
  node?.kind === "scalar" && typeof node.value === "string";

function insideText(text: string, node: TextNode, change: DocumentChange): string | undefined {
  const inside = editedAt(node.value, [], change);
  if (inside === undefined || inside === node.value) return inside === undefined ? undefined : text;
  const edit: TextEdit = { start: node.start, end: node.end, text: JSON.stringify(inside) };
  return applyTextEdits(text, [edit]);
}

/** Broken documents describe nothing; other findings say so. */
const rootOf = (text: string): JsonNode | undefined => unlessFinding(() => parseJsonTree(text).root);

function refuseGenerated({ document }: DocumentSet, key: string): void {
  const entry = document.metadata.find((one) => one.key === key);
  if (entry?.gen === undefined) return;
  throw failure("not-editable", keyAt(key), { problem: "generated", made: "document", references: 1 });
}
