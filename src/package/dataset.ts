/** An open set of the engine behind the package's types. What is said of problems is fetched when it is asked for. */
import type { ByteRange, CallContext, ReadBytes } from "../core/byte-source.ts";
import { chunkIn } from "../core/findings/fact.ts";
import { failure, type Finding, nodeAt, RefscopeError } from "../core/findings/finding.ts";
import { isJsonObject } from "../core/json/json.ts";
import { writeJson } from "../core/json/parse-json.ts";
import type { ArrayNode } from "../core/metadata/array-metadata.ts";
import { withoutManifest } from "../core/metadata/chunk-manifests.ts";
import {
  cellCount,
  coordinatesOf,
  gridOf,
  largestShape,
  ordinalOf,
  parseChunkName,
} from "../core/metadata/chunk-grid.ts";
import { prefixesOf } from "../core/metadata/chunk-of-key.ts";
import { typedSelection } from "../engine/many/typed-selection.ts";
import { arrayNode, type EngineSet } from "../engine/engine-set.ts";
import { chunkReference } from "../engine/chunk/chunk-reference.ts";
import { loadChunk } from "../engine/chunk/load-chunk.ts";
import { readPart } from "../engine/many/array-part.ts";
import { type ChunkDecoder, inThread } from "../engine/chunk/chunk-decoder.ts";
import { decodedStore } from "../engine/many/decoded-store.ts";
import { littleTypeText } from "../core/values/written-elements.ts";
import type {
  Checked,
  CheckOptions,
  ChunkReference,
  Dataset,
  Problem,
  Repair,
  StoredBytes,
  StoredRange,
  ZarrArray,
} from "./types.ts";

export const contextOf = (signal = new AbortController().signal): CallContext => ({ signal, report: () => undefined });

/** Most references returned at once. */
const MOST_REFERENCES = 10_000;

export function datasetOf(set: EngineSet, decoder: ChunkDecoder = inThread): Dataset {
  let found = set.findings;
  const hierarchy = [...set.hierarchy.nodes.values()].flatMap((node) => {
    if (node.kind === "broken") return [];
    const own = { path: node.path, attributes: writeJson(isJsonObject(node.attributes) ? node.attributes : new Map()) };
    return [node.kind === "group" ? { kind: node.kind, ...own } : { ...own, ...arrayOf(set, node, decoder) }];
  });
  return {
    name: set.name,
    format: set.format.label,
    keys: set.keys,
    hierarchy,
    array(path) {
      const { path: own } = arrayNode(set, path.replace(/^\//, ""));
      return hierarchy.find((one) => one.kind === "array" && one.path === own) as ZarrArray;
    },
    problems: () => problemsOf(set.findings),
    async check(options = {}) {
      const checked = await checkedSet(set, decoder, options);
      found = checked.findings;
      const { chunks, targets } = checked.checked;
      const { of, decoded, failed, unreached = 0 } = chunks;
      const counts = { of, decoded, failed, unreached };
      return { problems: await problemsOf(found), chunks: counts, sources: targets } satisfies Checked;
    },
    repairs: () => repairsOf(set, found),
    zarrita: () => {
      const store = decodedStore(set, { decoder });
      return {
        get: (key, { signal } = {}) => store.get(key.slice(1), contextOf(signal)),
        leftOut: async () => problemsOf(await store.leftOut(contextOf())),
      };
    },
    raw: () => storedBytes(set),
    async write(form, { prefix, message, signal } = {}) {
      const { planForm } = await import("../engine/write/forms.ts");
      const { findings, files } = await planForm(set, { form, prefix, message }, contextOf(signal));
      return { problems: await problemsOf(findings), files: files() };
    },
  };
}

function arrayOf(set: EngineSet, node: ArrayNode, decoder: ChunkDecoder): Omit<ZarrArray, "path" | "attributes"> {
  const { shape, chunks, dimensionNames } = node.metadata;
  return {
    kind: "array",
    shape,
    chunks: largestShape(chunks),
    dtype: littleTypeText(node.metadata),
    dimensionNames,
    async references({ from = 0, count = MOST_REFERENCES } = {}) {
      const grid = gridOf(shape, chunks);
      const total = cellCount(grid);
      const end = Math.min(total, from + Math.min(count, MOST_REFERENCES));
      const references: ChunkReference[] = [];
      for (let ordinal = from; ordinal < end; ordinal += 1)
        references.push(await referenceOf(set, node, coordinatesOf(grid, ordinal)));
      return { total, references };
    },
    async read(select = "", { cf = false, signal } = {}) {
      const context = contextOf(signal);
      const { selection } = await typedSelection(select, { set, node, decoder }, context);
      const part = await readPart({ set, node, selection, cf, decoder }, context);
      const keys = [...part.failed.keys()];
      const problems = await problemsOf([...part.failed.values()]);
      const failed = new Map(keys.map((key, at) => [key, problems[at] as Problem]));
      return {
        shape: part.shape,
        dtype: cf ? part.dtype : littleTypeText(node.metadata),
        bytes: part.bytes,
        failed,
        missing: part.missing,
      };
    },
  };
}

async function referenceOf(set: EngineSet, node: ArrayNode, coordinates: readonly number[]): Promise<ChunkReference> {
  const { state, key, reference } = await chunkReference(set, node, coordinates, contextOf());
  // Its part of the references is here by now.
  const found = { coordinates, key, state: state === "unknown" ? "bad" : state } as const;
  if (reference.kind === "whole") return { ...found, target: reference.target };
  if (reference.kind !== "range") return found;
  return { ...found, target: reference.target, offset: reference.offset, length: reference.length };
}

async function problemsOf(findings: readonly Finding[]): Promise<readonly Problem[]> {
  if (findings.length === 0) return [];
  const { explained } = await import("../core/findings/explain.ts");
  return findings.map((found): Problem => {
    const { severity, title, message, remedy } = explained(found);
    const { place, code, count } = found;
    const chunk = chunkIn(place);
    return {
      code,
      severity,
      title,
      message,
      remedy,
      path: chunk?.array ?? (place.kind === "node" ? place.path : undefined),
      chunk: chunk?.coordinates,
      source: place.kind === "target" ? place.target : undefined,
      count,
    };
  });
}

async function checkedSet(set: EngineSet, decoder: ChunkDecoder, { network, deep, signal }: CheckOptions) {
  const { checkSet } = await import("../engine/check/check-set.ts");
  const { DEFAULT_TARGETS } = await import("../engine/check/sources/choose-targets.ts");
  const sources = { limit: DEFAULT_TARGETS, ...(network === true ? {} : { isHere: true as const }) };
  const request = { decoder, sources, atHand: true as const, deep: deep === undefined ? undefined : { chunks: deep } };
  return checkSet(set, request, contextOf(signal));
}

async function repairsOf(set: EngineSet, findings: readonly Finding[]): Promise<readonly Repair[]> {
  const { explained } = await import("../core/findings/explain.ts");
  const { inWords } = await import("../core/findings/explained.ts");
  const { fixesOfCauses } = await import("../engine/repair/search/fixes-of-causes.ts");
  const said = findings.map((one) => inWords(one, explained));
  const searched = await fixesOfCauses(set, said, { isDeep: true }, contextOf());
  return Array.from(searched, ([{ found }, { fix }]): Repair | undefined => {
    if (fix === undefined) return undefined;
    const { title, certainty, key, before, after, evidence } = fix;
    return { code: found.code, title, certainty, key, before, after, evidence };
  }).filter((one) => one !== undefined);
}

// Metadata and chunks as they are stored, by the keys of a Zarr store.

function storedBytes(opened: EngineSet): StoredBytes {
  // Shards are stored, not their inner chunks.
  const set = opened.unexpanded ?? opened;
  const stored = async (key: string, range: StoredRange | undefined, context: CallContext) => {
    const document = set.documents.get(key);
    if (document?.text !== undefined) return cutTo(new TextEncoder().encode(withoutManifest(document.text)), range);
    const resolution = set.resolveKey?.(key);
    const place = chunkOfKey(set, key);
    const isShard = place?.node.metadata.sharding !== undefined;
    if (resolution !== undefined && resolution.kind !== "unresolved" && (place === undefined || isShard))
      return cutTo(await bytesOf(set.targets.read(resolution, undefined, context)), range);
    if (place === undefined) return undefined;
    if (isShard) throw failure("write-left-out", nodeAt(place.node.path), { what: "shards", number: 1 });
    const chunk = await chunkReference(set, place.node, place.coordinates, context);
    const { reference } = chunk;
    if (reference.kind === "range" && range !== undefined) {
      const asked = within(reference, range);
      const target = set.targets.resolve(reference.target);
      if (target.kind !== "unresolved" && asked.length > 0) return bytesOf(set.targets.read(target, asked, context));
    }
    const loaded = await loadChunk(set, chunk, context);
    if (loaded.kind === "failed") throw new RefscopeError(loaded.error);
    return loaded.kind === "missing" ? undefined : cutTo(loaded.bytes, range);
  };
  return {
    get: (key, { signal } = {}) => stored(key.slice(1), undefined, contextOf(signal)),
    getRange: (key, range, { signal } = {}) => stored(key.slice(1), range, contextOf(signal)),
  };
}

/** The array's own metadata decide; of a sharded array it is a shard. */
function chunkOfKey({ hierarchy }: EngineSet, key: string) {
  for (const path of prefixesOf(key)) {
    const node = hierarchy.nodes.get(path);
    if (node?.kind !== "array") continue;
    const { shape, chunks, separator, sharding } = node.metadata;
    const grid = gridOf(shape, sharding?.shape ?? chunks);
    const name = path === "" ? key : key.slice(path.length + 1);
    const coordinates = parseChunkName(name, grid.length, sharding?.separator ?? separator);
    return coordinates && ordinalOf(grid, coordinates) !== undefined ? { node, coordinates } : undefined;
  }
  return undefined;
}

const bytesOf = async (read: Promise<ReadBytes>) => (await read).bytes;

function within({ offset, length }: ByteRange, range: StoredRange): ByteRange {
  if ("suffixLength" in range) {
    const from = Math.max(0, length - range.suffixLength);
    return { offset: offset + from, length: length - from };
  }
  const from = Math.min(range.offset, length);
  return { offset: offset + from, length: Math.min(range.length, length - from) };
}

function cutTo(bytes: Uint8Array, range: StoredRange | undefined): Uint8Array {
  if (range === undefined) return bytes;
  const { offset, length } = within({ offset: 0, length: bytes.length }, range);
  return bytes.subarray(offset, offset + length);
}
