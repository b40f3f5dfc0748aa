/** How an array stands in a served Zarr v2 store: its metadata from what it means, not from what is written of it. */
import { decodedElements } from "#codecs/pipeline.ts";
import type { CallContext } from "#core/byte-source.ts";
import { type FactsOf, failure, finding, type Finding, nodeAt } from "#core/findings/finding.ts";
import { isJsonObject, type JsonNode, memberOf, membersOf } from "#core/json/json.ts";
import { jsonValueOf, parseJsonTree, writeJson, writeJsonNode } from "#core/json/parse-json.ts";
import { portableJson } from "#core/json/portable-json.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import type { ArrayMetadata, ArrayNode, GroupNode } from "#core/metadata/array-metadata.ts";
import { coordinatesOf, gridOf, largestShape } from "#core/metadata/chunk-grid.ts";
import { attempt } from "#core/basics.ts";
import { isMaskedByFill, meantFill } from "#core/cf/cf-fill.ts";
import { missingElement, writtenFill } from "#core/values/fill.ts";
import { fromBase64, toBase64 } from "#core/values/fill-bytes.ts";
import { variableFill, writeVariable } from "#core/values/variable-elements.ts";
import type { VariableElements, VariableKind } from "#core/values/variable-elements.ts";
import { holdsBytes, typeJsonV2, writtenType } from "#core/values/written-elements.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { firstListed } from "../table/array-index.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { readOne } from "./read-chunks.ts";
import type { ObjectTexts } from "./read-selection.ts";

export interface ServedArray {
  /** Documents by name: `.zarray`, `.zattrs`. */
  readonly documents: ReadonlyMap<string, string>;
  /** Encoding of objects. */
  readonly elements: ServedObjects | undefined;
  /** Every reader of the metadata fills a missing chunk as it is read here. */
  readonly isMissingSaid: boolean;
}

type Why = FactsOf<"array-not-served">["why"];

export const notServed = (path: string, why: Why, cause?: Finding): Finding =>
  finding("array-not-served", nodeAt(path), { why, cause });

export const groupDocuments = (set: EngineSet, node: GroupNode): ReadonlyMap<string, string> =>
  new Map([
    [".zgroup", '{"zarr_format":2}'],
    [".zattrs", attributesText(set, node, new Map())],
  ]);

/** Reads a chunk where only that tells what the elements are. */
export async function servedArray(
  set: EngineSet,
  node: ArrayNode,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<ServedArray | { readonly leftOut: Finding }> {
  const { path, metadata } = node;
  const { error, makes } = await decodedElements(metadata);
  if (error !== undefined) return { leftOut: notServed(path, "unreadable", error) };
  if (metadata.dataType.kind === "object" && metadata.dataType.record !== undefined)
    return { leftOut: notServed(path, "records") };
  const kind = makes === "json" ? await kindOfFirst(set, node, decoder, context) : makes;
  if (kind === "lists" || (kind === "json" && metadata.shape.length > 1))
    return { leftOut: notServed(path, kind === "json" ? "dimensions" : kind) };
  const elements = kind === undefined ? undefined : servedObjects(path, metadata, kind);
  const { text, isCommon } = writtenFill(metadata);
  const own = isMaskedByFill(metadata) ? undefined : maskOf(node);
  const fill = isMaskedByFill(metadata) ? text : (own ?? "null");
  const names = metadata.dimensionNames;
  const added = new Map<string, string | undefined>(own === undefined ? [] : [["_FillValue", undefined]]);
  if (names?.every((name) => name !== undefined) === true)
    added.set("_ARRAY_DIMENSIONS", portableJson(writeJson(names)));
  return {
    documents: new Map([
      [".zarray", arrayText(metadata, fill, elements?.codec)],
      [".zattrs", attributesText(set, node, added)],
    ]),
    elements,
    isMissingSaid: isCommon && fill === text,
  };
}

/** Fill value to declare: xarray masks it in Zarr v2, so that an array's own mark takes its place. */
function maskOf({ metadata, attributes }: ArrayNode): string | undefined {
  const value = isJsonObject(attributes) ? attributes.get("_FillValue") : undefined;
  if (value === undefined || metadata.dataType.kind === "object") return undefined;
  const meant = { ...metadata, zarrFormat: 2, fillValue: meantFill(value, metadata) } as const;
  return missingElement(meant) === undefined ? undefined : writtenFill(meant).text;
}

function arrayText(metadata: ArrayMetadata, fill: string, codec: string | undefined): string {
  const { shape, chunks } = metadata;
  const lengths = largestShape(chunks).map((length) => Math.max(1, length));
  const dtype = metadata.dataType.kind === "object" ? '"|O"' : typeJsonV2(writtenType(metadata));
  const filters = codec === undefined ? "null" : `[{"id":"${codec}"}]`;
  return [
    `{"chunks":${JSON.stringify(lengths)},"compressor":null,"dtype":${dtype},"fill_value":${fill}`,
    `"filters":${filters},"order":"C","shape":${JSON.stringify(shape)},"zarr_format":2}`,
  ].join(",");
}

/** Numbers as they were written: 10.0 is not 10 to Python. `added`: members as JSON text; `undefined` is none. */
function attributesText(
  set: EngineSet,
  { path, attributes }: ArrayNode | GroupNode,
  added: ReadonlyMap<string, string | undefined>,
): string {
  const prefix = path === "" ? "" : `${path}/`;
  const rootOf = (name: string): JsonNode | undefined => {
    const text = set.documents.get(prefix + name)?.text;
    return text === undefined ? undefined : attempt(() => parseJsonTree(text).root);
  };
  const written = memberOf(rootOf("zarr.json"), "attributes") ?? rootOf(".zattrs");
  const value = isJsonObject(attributes) ? attributes : new Map();
  const isWritten = written !== undefined && writeJson(jsonValueOf(written)) === writeJson(value);
  const root = isWritten ? written : parseJsonTree(writeJson(value)).root;
  const members = Array.from(
    membersOf(root) ?? [],
    ([name, node]) => [name, portableJson(writeJsonNode(node))] as const,
  );
  const all = new Map<string, string | undefined>([...members, ...added]);
  const texts = [...all].flatMap(([name, text]) => (text === undefined ? [] : [`${pythonJsonText(name)}:${text}`]));
  return `{${texts.join(",")}}`;
}

// Elements of no fixed size. Of json2 and its like only the elements themselves tell whether they are all texts.

export interface ServedObjects extends ObjectTexts {
  /** The name that numcodecs has for it. */
  readonly codec: string;
  /** An element past the array's edge. */
  readonly none: string;
  encoded(texts: readonly string[], shape: readonly number[]): Uint8Array<ArrayBuffer>;
}

async function kindOfFirst(set: EngineSet, node: ArrayNode, decoder: ChunkDecoder, context: CallContext) {
  const id = set.index.arrayIds.get(node.path);
  const first = id === undefined ? undefined : firstListed(await set.index.arrayIndex(id, context));
  const coordinates = coordinatesOf(gridOf(node.metadata.shape, node.metadata.chunks), first ?? 0);
  if (coordinates.some(Number.isNaN)) return "text";
  const outcome = await readOne({ set, decoder }, await chunkReference(set, node, coordinates, context), context);
  const texts = outcome.kind === "decoded" ? outcome.decoded.values?.texts : undefined;
  if (texts?.kind !== "json") return texts?.kind ?? "text";
  for (let at = 0; at < texts.length; at += 1) if (isList(texts.at(at))) return "lists";
  return "json";
}

/** numcodecs' json2 makes further dimensions of lists. */
const isList = (element: string | Uint8Array | undefined): boolean =>
  typeof element === "string" && element.startsWith("[");

const CODECS: Readonly<Record<VariableKind, string>> = { text: "vlen-utf8", bytes: "vlen-bytes", json: "json2" };

function servedObjects(path: string, metadata: ArrayMetadata, kind: VariableKind): ServedObjects {
  const misfit = () => failure("array-not-served", nodeAt(path), { why: "mixed", cause: undefined });
  const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "string") throw misfit();
    return kind === "bytes" ? (fromBase64(value) ?? new Uint8Array(0)) : new TextEncoder().encode(value);
  };
  return {
    codec: CODECS[kind],
    none: kind === "json" ? "null" : '""',
    fill: kind === "bytes" ? bytesFill(metadata) : new TextDecoder().decode(missingElement(metadata)),
    of(elements, index) {
      const text = objectText(elements, index, kind);
      if (text === undefined) throw misfit();
      return text;
    },
    encoded(texts, shape) {
      if (kind !== "json") return writeVariable(texts.map(bytesOf));
      if (texts.some(isList)) throw misfit();
      return new TextEncoder().encode(`[${[...texts, '"|O"', JSON.stringify(shape)].join(",")}]`);
    },
  };
}

/** Zarr v2 has fill values of text alone. */
function bytesFill({ zarrFormat, fillValue }: ArrayMetadata): string {
  const bytes = zarrFormat === 3 ? variableFill(fillValue, "bytes") : undefined;
  return bytes === undefined ? "null" : JSON.stringify(toBase64(bytes));
}

/** JSON, of bytes their base64; `undefined` where it is not of the kind. */
function objectText(elements: VariableElements, index: number, kind: VariableKind): string | undefined {
  const element = elements.at(index) ?? "";
  if (typeof element !== "string") return kind === "bytes" ? JSON.stringify(toBase64(element)) : undefined;
  if (elements.kind !== "json") return kind === "bytes" ? undefined : JSON.stringify(element);
  return kind === "json" && !holdsBytes(element) ? element : undefined;
}
