/** A set of one chunk: what is needed to show a fault elsewhere. */
import { attempt } from "#core/basics.ts";
import { rectilinearOption } from "../open/python-needs.ts";
import { addressOf, type CallContext } from "#core/byte-source.ts";
import type { CapsuleParts } from "#core/check/capsule.ts";
import { chunkKey, chunkOf, chunkStart, insideShape } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { readChunk, type ReadChunk } from "../chunk/read-chunk.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { pythonString } from "#core/json/python-json.ts";

/** Stored bytes that are put into the references; those of larger chunks stay where they are. */
const MOST_INLINED = 8 * 1024 ** 2;

export interface CapsuleRequest {
  readonly array: string;
  readonly coordinates: readonly number[];
  /** The chunk's bytes are put into the references, so that nothing else is needed. */
  readonly inlines: boolean;
}

/** Reads the chunk once more. Throws `no-such-array`, `outside-grid`. */
export async function capsuleParts(
  set: EngineSet,
  { array, coordinates, inlines }: CapsuleRequest,
  context: CallContext,
): Promise<CapsuleParts> {
  const node = arrayNode(set, array);
  const read = await readChunk(set, array, coordinates, context);
  const stored = inlines ? storedBytes(read) : undefined;
  const refs = { ...metadataOf(set, node), ...referenceOf(node, read, stored) };
  const { separator, sharding } = node.metadata;
  return {
    reading: read.reading,
    references: `${JSON.stringify({ version: 1, refs }, undefined, 1)}\n`,
    script: scriptOf(node, coordinates),
    format: set.format.label,
    inlined: stored !== undefined,
    keys: { separator, ...(sharding === undefined ? {} : { shards: sharding.separator }) },
  };
}

function storedBytes({ loaded }: ReadChunk): Uint8Array | undefined {
  return loaded.kind === "bytes" && loaded.bytes.length <= MOST_INLINED ? loaded.bytes : undefined;
}

/** Metadata of the array and the groups above it, as stored. */
function metadataOf({ documents }: EngineSet, { path }: ArrayNode): Readonly<Record<string, string>> {
  const parts = path === "" ? [] : path.split("/");
  const folders = Array.from({ length: parts.length + 1 }, (_, depth) => parts.slice(0, depth).join("/"));
  const names = [".zgroup", ".zarray", ".zattrs", "zarr.json"];
  const keys = folders.flatMap((folder) => names.map((name) => (folder === "" ? name : `${folder}/${name}`)));
  const texts = keys.flatMap((key): [string, string][] => {
    const text = documents.get(key)?.text;
    return text === undefined ? [] : [[key, text]];
  });
  return Object.fromEntries(texts);
}

/** The chunk's key and its reference; of an inner chunk those of its shard. Nothing where there is none. */
function referenceOf(
  { path, metadata: { sharding, chunks, separator } }: ArrayNode,
  { reading }: ReadChunk,
  stored: Uint8Array | undefined,
): Readonly<Record<string, unknown>> {
  const { coordinates, written, resolution, request, state } = reading;
  const shard = sharding && chunkOf(chunkStart(coordinates, chunks), sharding.shape);
  const key =
    sharding === undefined || shard === undefined
      ? chunkKey(path, coordinates, separator)
      : chunkKey(path, shard, sharding.separator);
  const place = resolution === undefined ? undefined : addressOf(resolution);
  // A shard's inner chunk is no reference of its own: the shard as a whole is.
  if (sharding !== undefined) return place === undefined ? {} : { [key]: [place] };
  if (stored !== undefined) return { [key]: `base64:${base64(stored)}` };
  if (state === "missing") return {};
  const range = request?.readsServed === undefined || request.readsServed === 1 ? request?.range : undefined;
  const [, offset, length] = rangeWritten(written) ?? [undefined, range?.offset, range?.length];
  if (place !== undefined) return { [key]: offset === undefined ? [place] : [place, offset, length] };
  return { [key]: parsed(written) };
}

function rangeWritten(written: string): readonly [unknown, number, number] | undefined {
  const value = parsed(written);
  return Array.isArray(value) && value.length === 3
    ? (value as unknown as readonly [unknown, number, number])
    : undefined;
}

/** Parses JSON; a text that cannot be parsed, for example since it was cut, stays a text. */
const parsed = (written: string): unknown => attempt(() => JSON.parse(written) as unknown, written);

/** Bytes in pieces, since arguments of one call are limited. */
function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(""));
}

function scriptOf(node: ArrayNode, coordinates: readonly number[]): string {
  const { path, metadata } = node;
  const { shape, chunks, zarrFormat } = metadata;
  const inside = insideShape(shape, chunks, coordinates);
  const slices = chunkStart(coordinates, chunks).map((start, axis) => `${start}:${start + (inside[axis] ?? 0)}`);
  const selection = slices.length === 0 ? "..." : slices.join(", ");
  const chunk = coordinates.length === 0 ? "the only chunk" : `chunk ${coordinates.join(".")}`;
  return `${[
    `# Reads ${chunk} of one array through fsspec's reference filesystem.`,
    "# pip install zarr fsspec numcodecs, and what the targets need (aiohttp, s3fs, gcsfs)",
    "import fsspec",
    "import zarr",
    ...rectilinearOption([node]),
    "",
    'fs = fsspec.filesystem("reference", fo="references.json", asynchronous=True, skip_instance_cache=True)',
    'store = zarr.storage.FsspecStore(fs, read_only=True, path="")  # zarr 2: store = fs.get_mapper("")',
    `group = zarr.open(store, mode="r", zarr_format=${zarrFormat})`,
    `array = group${path === "" ? "" : `[${pythonString(path)}]`}`,
    "print(array.info)",
    `values = array[${selection}]`,
    "print(values)",
  ].join("\n")}\n`;
}
