/** Describes the metadata of one group or array. */
import { attempt } from "#core/basics.ts";
import { codecLabels } from "#codecs/pipeline.ts";
import { type ArrayMetadata, type ArrayNode, chunkBytes, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import {
  cellCount,
  chunkAlong,
  gridOf,
  isRegular,
  largestShape,
  smallestShape,
  startAlong,
} from "#core/metadata/chunk-grid.ts";
import { failure, nodeAt } from "#core/findings/finding.ts";
import type { ArrayDetail, CodecSummary, DimensionSummary, NodeDetail } from "#core/open-set.ts";
import { parseJsonTree, writeJson } from "#core/json/parse-json.ts";
import { elementText } from "#core/plane/slice.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import type { EngineSet } from "../engine-set.ts";
import { attribute } from "#core/metadata/attribute.ts";

export async function describeNode(
  set: EngineSet,
  path: string,
  context: CallContext,
  whole = false,
): Promise<NodeDetail> {
  const node = set.hierarchy.nodes.get(path);
  if (node === undefined) throw failure("no-such-node", nodeAt(path), {});
  const documents = documentsOf(set, path);
  const { text: attributes, length } = bounded(attributesText(set, path), whole);
  const base = {
    path,
    kind: node.kind,
    attributes,
    ...(length === undefined ? {} : { attributesLength: length }),
    documents: documents.map((document) => ({ ...document, ...bounded(document.text, whole) })),
  };
  if (node.kind === "broken") return { ...base, reason: node.reason };
  if (node.kind === "group") return base;
  return { ...base, array: await arrayDetail(set, node, context) };
}

/** Characters: attributes of 44 MB, asked for by every view, would stall the screen for seconds. */
export const MAX_TEXT = 1_000_000;

/** The beginning of a long text, and how long it is. */
function bounded(
  text: string | undefined,
  whole: boolean,
): { readonly text: string | undefined; readonly length?: number } {
  if (text === undefined || whole || text.length <= MAX_TEXT) return { text };
  return { text: text.slice(0, MAX_TEXT), length: text.length };
}

const METADATA_NAMES = ["zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata"];

function documentsOf(set: EngineSet, path: string): NodeDetail["documents"] {
  const prefix = path === "" ? "" : `${path}/`;
  return METADATA_NAMES.flatMap((name) => {
    const document = set.documents.get(`${prefix}${name}`);
    if (document === undefined) return [];
    const { key, text, problem } = document;
    return [{ key, text, ...(problem === undefined ? {} : { problem }) }];
  });
}

function attributesText(set: EngineSet, path: string): string | undefined {
  const prefix = path === "" ? "" : `${path}/`;
  const plain = set.documents.get(`${prefix}.zattrs`)?.text;
  if (plain !== undefined && !set.documents.has(`${prefix}zarr.json`)) return plain;
  const attributes = set.hierarchy.nodes.get(path)?.attributes; // from consolidated metadata
  return attributes === undefined ? undefined : writeJson(attributes);
}

async function arrayDetail(set: EngineSet, node: ArrayNode, context: CallContext): Promise<ArrayDetail> {
  const { metadata } = node;
  const bytesOf = (chunk: readonly number[]) => (itemSize === 0 ? undefined : cellCount(chunk) * itemSize);
  const { itemSize } = metadata.dataType;
  const name = metadata.zarrFormat === 3 ? "zarr.json" : ".zarray";
  const document = set.documents.get(node.path === "" ? name : `${node.path}/${name}`)?.text;
  return {
    path: node.path,
    zarrFormat: metadata.zarrFormat,
    dimensions: await dimensionsOf(set, node, context),
    dtype: metadata.dataType.text,
    order: metadata.order,
    separator: metadata.separator,
    ...(metadata.isRectilinear === true ? { isRectilinear: true } : {}),
    chunkBytes: bytesOf(largestShape(metadata.chunks)),
    ...(isRegular(metadata.chunks) ? {} : { leastChunkBytes: bytesOf(smallestShape(metadata.chunks)) }),
    codecs: await codecSummaries(metadata),
    // Arrays known only from consolidated metadata have no document of their own.
    fillValue: document === undefined ? writeJson(metadata.fillValue) : memberText(document, "fill_value"),
    fillAttribute: memberText(attributesText(set, node.path), "_FillValue"),
  };
}

/** A member's JSON text exactly as the document has it (`0.0` is not `0`); of a repeated key the last. */
function memberText(text: string | undefined, name: string): string | undefined {
  if (text === undefined) return undefined;
  // Broken metadata is a finding already.
  const root = attempt(() => parseJsonTree(text).root);
  const member = root?.kind === "object" ? root.members.findLast(({ key }) => key === name) : undefined;
  return member && text.slice(member.node.start, member.node.end);
}

async function dimensionsOf(set: EngineSet, { metadata }: ArrayNode, context: CallContext) {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const dimensions: DimensionSummary[] = [];
  for (const [at, length] of metadata.shape.entries()) {
    const name = metadata.dimensionNames?.[at];
    const ends = name === undefined ? undefined : await coordinateEnds(set, name, length, context);
    dimensions.push({ name, length, chunk: metadata.chunks[at] ?? 1, chunks: grid[at] ?? 0, ...ends });
  }
  return dimensions;
}

async function codecSummaries(metadata: ArrayMetadata): Promise<readonly CodecSummary[]> {
  const labels = await codecLabels(metadata);
  return metadata.decoding.map(({ id, configuration }, at) => {
    const { label = id, words, error } = labels[at] ?? {};
    const text = configuration.size === 0 ? "" : writeJson(configuration);
    return { id, label, words, configuration: text, supported: error === undefined }; // Reading a chunk says what is wrong.
  });
}

// First and last coordinate of a dimension, where they are in the set itself: nothing is requested for them.

type Ends = Pick<DimensionSummary, "first" | "last" | "units">;

const LARGEST_INLINE = 1 << 20;
const LARGEST_DECODED = 16 << 20;

/** From the 1-D root array named like the dimension and of its length; `{}` where there is none. */
async function coordinateEnds(set: EngineSet, name: string, length: number, context: CallContext): Promise<Ends> {
  const node = set.hierarchy.nodes.get(name);
  if (node?.kind !== "array" || node.metadata.shape.length !== 1 || node.metadata.shape[0] !== length) return {};
  const units = attribute(node.attributes, "units");
  const named = typeof units === "string" ? { units } : {};
  if (length === 0) return named;
  const edges = node.metadata.chunks[0] ?? 1;
  const lastChunk = chunkAlong(edges, length - 1);
  const first = await inlineElement(set, node, 0, 0, context);
  const last = await inlineElement(set, node, lastChunk, length - 1 - startAlong(edges, lastChunk), context);
  return { ...(first === undefined ? {} : { first }), ...(last === undefined ? {} : { last }), ...named };
}

async function inlineElement(
  set: EngineSet,
  node: ArrayNode,
  chunk: number,
  element: number,
  context: CallContext,
): Promise<string | undefined> {
  if ((set.index.pagesOf(node.path)?.stateOfChunk(chunk) ?? "loaded") !== "loaded") return undefined;
  const metadata = metadataOfChunk(node.metadata, [chunk]);
  // A few inline bytes may stand for gigabytes.
  if (chunkBytes(metadata) > LARGEST_DECODED) return undefined;
  const found = await chunkReference(set, node, [chunk], context);
  if (found.reference.kind !== "inline" || found.reference.bytes.length > LARGEST_INLINE) return undefined;
  const decoded = await decodeChunk(metadata, found.reference.bytes, context.signal);
  return decoded.values === undefined ? undefined : elementText(decoded.values, element);
}
