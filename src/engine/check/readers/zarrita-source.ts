/** What zarrita is given of a set: the document as it stands, or the part of it that a chunk needs. */
import type { CallContext } from "../../../core/byte-source.ts";
import { BLOCK_ROWS, TARGET_INLINE } from "../../../core/reference-table.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import type { Reference } from "../../../core/reference.ts";
import type { MetadataEntry } from "../../../formats/kerchunk-json/index.ts";
import { chunkReference } from "../../chunk/chunk-reference.ts";
import { arrayNode, isDocument, type DocumentSet, type EngineSet } from "../../engine-set.ts";
import { rowOf } from "../../table/array-index.ts";
import { blockOf } from "../../table/batch.ts";
import { STORE_URL, TARGET_URL, type ZarritaSource } from "./zarrita-messages.ts";

export interface GivenSource {
  readonly source: ZarritaSource;
  /** What stands behind a URL that zarrita asks for; `undefined` where it made one up. */
  placeOf(url: string): ForeignPlace | undefined;
  /** It holds this chunk alone. */
  readonly isPart: boolean;
}

/** A target as written, or an object of the store. */
export type ForeignPlace =
  { readonly kind: "target"; readonly target: string } | { readonly kind: "object"; readonly key: string };

interface Chunk {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** `undefined` where zarrita has no store for such a set, or a shard's reference is not at hand. */
export async function zarritaSource(
  set: EngineSet,
  chunk: Chunk,
  context: CallContext,
): Promise<GivenSource | undefined> {
  if (set.format.kind === "zarr") return { source: { kind: "store" }, placeOf: objectOf, isPart: false };
  if (!isDocument(set)) return undefined;
  const targets = new Map<string, number>();
  const whole = documentOf(set, targets);
  const refs = whole ?? (await partOf(set, chunk, targets, context));
  if (refs === undefined) return undefined;
  const names = [...targets.keys()];
  const placeOf = (url: string): ForeignPlace | undefined => {
    const target = url.startsWith(TARGET_URL) ? names[Number(url.slice(TARGET_URL.length))] : undefined;
    return target === undefined ? undefined : { kind: "target", target };
  };
  const text = typeof refs === "string" ? refs : JSON.stringify(inVersion(set, refs));
  return { source: { kind: "references", text }, placeOf, isPart: whole === undefined };
}

/** Whether zarrita can be given the chunks of an array; of what is rendered it is given a part, without shards. */
export function isGiven(set: EngineSet, { metadata }: ArrayNode): boolean {
  if (set.format.kind === "zarr") return true;
  return isDocument(set) && (metadata.sharding === undefined || documentOf(set, new Map()) !== undefined);
}

function objectOf(url: string): ForeignPlace | undefined {
  if (!url.startsWith(STORE_URL)) return undefined;
  try {
    return { kind: "object", key: decodeURIComponent(url.slice(STORE_URL.length)) };
  } catch {
    return undefined;
  }
}

type Members = readonly (readonly [key: string, value: unknown])[];

/** Neither templates nor gen: zarrita's parser would run them as code. Version 0 has no member `refs` to it. */
const inVersion = ({ format }: DocumentSet, members: Members): object => {
  const refs = Object.fromEntries(members);
  return format.version === 0 ? refs : { version: 1, refs };
};

/** As it stands, where there is nothing to render. Text that is no JSON stays, for zarrita to refuse. */
function documentOf(set: DocumentSet, targets: Map<string, number>): Members | string | undefined {
  const { documentText: text, format, document } = set;
  if (text === undefined || format.hasTemplates === true || (document.gen ?? "[]") !== "[]") return undefined;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    return text;
  }
  const refs = format.version === 0 ? parsed : (parsed["refs"] ?? {});
  return Object.entries(refs).map(([key, value]) => [key, withTarget(value, targets)]);
}

/** A URL by its number: what is asked for is then answered with what the target is here. */
function withTarget(value: unknown, targets: Map<string, number>): unknown {
  if (!Array.isArray(value)) return value;
  const [url, ...rest] = value as readonly unknown[];
  return typeof url === "string" ? [numbered(url, targets), ...rest] : value;
}

function numbered(target: string, targets: Map<string, number>): string {
  const known = targets.get(target) ?? targets.size;
  targets.set(target, known);
  return `${TARGET_URL}${known}`;
}

/** Metadata of the array and the chunk's reference, as rendered. */
async function partOf(
  set: DocumentSet,
  { array, coordinates }: Chunk,
  targets: Map<string, number>,
  context: CallContext,
): Promise<Members | undefined> {
  const node = arrayNode(set, array);
  if (node.metadata.sharding !== undefined) return undefined;
  const prefix = array === "" ? "" : `${array}/`;
  const own = set.document.metadata.filter(({ key }) => isOf(prefix, key));
  const metadata = own.map((entry) => [entry.key, metadataValue(entry, targets)] as const);
  const { key, reference } = await chunkReference(set, node, coordinates, context);
  if (reference.kind === "missing") return metadata;
  const value = reference.kind === "inline" ? await inlineText(set, array, coordinates, context) : undefined;
  return [...metadata, [key, value ?? referenceValue(reference, targets)]];
}

const isOf = (prefix: string, key: string): boolean =>
  [".zarray", ".zattrs", "zarr.json"].some((name) => key === prefix + name);

function metadataValue({ value, isObject }: MetadataEntry, targets: Map<string, number>): unknown {
  if (value.kind !== "inline") return referenceValue(value, targets);
  const text = new TextDecoder().decode(value.bytes);
  return isObject === true ? (JSON.parse(text) as unknown) : text;
}

function referenceValue(reference: Reference, targets: Map<string, number>): unknown {
  switch (reference.kind) {
    case "whole":
      return withTarget([reference.target], targets);
    case "range":
      return withTarget([reference.target, reference.offset, reference.length], targets);
    case "bad":
      return badValue(reference.written, targets);
    case "inline":
    case "missing":
    case "native":
      return undefined;
  }
}

function badValue(written: string, targets: Map<string, number>): unknown {
  try {
    return withTarget(JSON.parse(written), targets);
  } catch {
    return undefined;
  }
}

/** The text as the document has it, base64 and all. */
async function inlineText(
  { table, index }: DocumentSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<unknown> {
  const id = index.arrayIds.get(array) ?? -1;
  const grid = table.arrays[id]?.grid ?? [];
  const ordinal = coordinates.reduce((at, coordinate, d) => at * (grid[d] ?? 1) + coordinate, 0);
  const row = rowOf(await index.arrayIndex(id, context), ordinal);
  const block = blockOf(table, row);
  const at = row % BLOCK_ROWS;
  if (row < 0 || block.target[at] !== TARGET_INLINE) return undefined;
  const raw = table.inline.slice(block.offset[at] ?? 0, block.length[at] ?? 0);
  return JSON.parse(`"${new TextDecoder().decode(raw)}"`) as unknown;
}
