/** For tests: what `expected.json` records of a repository, and the same from our reader. */
import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { fetchSnapshot, manifestPath, type Exact, type IcechunkObjects, type SnapshotNode } from "../index.ts";
import { openManifest, readChunkColumns, referenceAt, type ChunkReference } from "../references.ts";
import { testZstd } from "./objects.ts";

export interface ExpectedRepository {
  readonly spec: number;
  readonly branches: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly deletedTags: readonly string[];
  readonly config?: unknown;
  readonly status?: string;
  readonly ancestry: Readonly<Record<string, readonly ExpectedEntry[]>>;
  readonly snapshots: Readonly<Record<string, ExpectedSnapshot>>;
  readonly diffs: readonly ExpectedDiff[];
  readonly updates?: readonly unknown[];
}

interface ExpectedEntry {
  readonly id: string;
  readonly parent: string | null;
  readonly time: string;
  readonly message: string;
  readonly metadata: unknown;
}

export interface ExpectedSnapshot {
  readonly parent: string | null;
  readonly time: string;
  readonly message: string;
  readonly nodes: readonly unknown[];
}

interface ExpectedDiff {
  readonly from: string;
  readonly to: string;
  readonly [member: string]: unknown;
}

export const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** JSON values as plain ones, to be compared with `JSON.parse`'s. */
export function plain(value: JsonValue): unknown {
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(plain) : value;
}

export interface PlacedReference {
  readonly at: readonly number[];
  readonly reference: ChunkReference;
}

/** All references of an array in C order, through all its manifests. */
export async function referencesOf(
  objects: IcechunkObjects,
  node: SnapshotNode,
): Promise<{ readonly placed: readonly PlacedReference[]; readonly byteLength: number }> {
  if (node.kind !== "array") throw new Error(`${node.path} is not an array`);
  const grid = gridOf(node);
  const placed: PlacedReference[] = [];
  let byteLength = 0;
  for (const { id, extents } of node.manifests) {
    const bytes = await objects.get(manifestPath(id));
    if (bytes === undefined) throw new Error(`no manifest ${id}`);
    const manifest = await openManifest(bytes, id, testZstd);
    const array = manifest.arrays.find((candidate) => candidate.node === node.id);
    if (array === undefined) continue;
    const columns = readChunkColumns(manifest, array, grid, extents);
    byteLength += columns.byteLength;
    for (let row = 0; row < columns.rows; row += 1) {
      const at = columns.strays.get(row) ?? coordinatesAt(columns.ordinal[row] ?? 0, grid);
      placed.push({ at, reference: referenceAt(columns, row) });
    }
  }
  return { placed: placed.sort((a, b) => compare(a.at, b.at)), byteLength };
}

function compare(a: readonly number[], b: readonly number[]): number {
  const axis = a.findIndex((cell, index) => cell !== b[index]);
  return axis < 0 ? 0 : a[axis]! - b[axis]!;
}

function coordinatesAt(ordinal: number, grid: readonly number[]): readonly number[] {
  const at: number[] = [];
  let rest = ordinal;
  for (const cells of grid.toReversed()) {
    at.unshift(rest % cells);
    rest = Math.floor(rest / cells);
  }
  return at;
}

function metadataOf(node: SnapshotNode): Map<string, JsonValue> {
  const value = parseJson(new TextDecoder().decode(node.metadata)).value;
  if (!isJsonObject(value)) throw new Error(`${node.path} has no metadata`);
  return new Map(value);
}

export function gridOf(node: SnapshotNode): readonly number[] {
  const shape = plain(metadataOf(node).get("shape") ?? null) as number[];
  return chunkShapeOf(node).map((length, axis) => Math.ceil(shape[axis]! / length));
}

function chunkShapeOf(node: SnapshotNode): readonly number[] {
  const grid = plain(metadataOf(node).get("chunk_grid") ?? null) as { configuration: { chunk_shape: number[] } };
  return grid.configuration.chunk_shape;
}

const written = (value: Exact): number | string => (typeof value === "bigint" ? String(value) : value);

/** A reference as the README of the fixtures writes one: its entry without hashes of targets, and its line. */
export function describeReference({ at, reference }: PlacedReference) {
  if (reference.kind === "bad") throw new Error("The reference is empty.");
  if (reference.kind === "inline") {
    const hash = sha256(reference.bytes);
    const length = reference.bytes.length;
    return {
      entry: { at, kind: "inline", length, sha256: hash },
      line: [at.join("/"), "inline", hash, 0, length, "", ""].join("\t"),
    };
  }
  const [offset, length] = [written(reference.offset), written(reference.length)];
  if (reference.kind === "native") {
    const { chunk } = reference;
    return {
      entry: { at, kind: "native", chunk, offset, length },
      line: [at.join("/"), "native", chunk, offset, length, "", ""].join("\t"),
    };
  }
  const { location, checksum } = reference;
  const etag = checksum?.kind === "etag" ? checksum.etag : "";
  const time = checksum?.kind === "last-modified" ? checksum.time : "";
  return {
    entry: {
      at,
      kind: "virtual",
      location,
      offset,
      length,
      ...(etag === "" ? {} : { etag }),
      ...(time === "" ? {} : { lastModified: time }),
    },
    line: [at.join("/"), "virtual", location, offset, length, etag, time].join("\t"),
  };
}

/** A snapshot in the words of `expected.json`; what only the maker knew is left out. */
export async function describeSnapshot(objects: IcechunkObjects, id: string) {
  const snapshot = await fetchSnapshot(objects, testZstd, id);
  const nodes = [];
  for (const node of [...snapshot.nodes].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const base = { path: node.path, kind: node.kind, id: node.id, metadataSha256: sha256(node.metadata) };
    nodes.push(node.kind === "group" ? base : { ...base, ...(await describeArray(objects, node)) });
  }
  return { time: snapshot.time, message: snapshot.message, nodes };
}

async function describeArray(objects: IcechunkObjects, node: SnapshotNode) {
  if (node.kind !== "array") throw new Error(`${node.path} is not an array`);
  const all = (await referencesOf(objects, node)).placed.map(describeReference);
  const kinds: Record<string, number> = {};
  for (const { entry } of all) kinds[entry.kind] = (kinds[entry.kind] ?? 0) + 1;
  const entries = all.map(({ entry }) => entry);
  return {
    shape: node.shape.map(({ arrayLength }) => arrayLength),
    chunkShape: chunkShapeOf(node),
    dtype: plain(metadataOf(node).get("data_type") ?? null),
    dimensionNames: node.dimensionNames ?? null,
    manifests: node.manifests.map(({ id, extents }) => ({ id, extents: extents.map(({ from, to }) => [from, to]) })),
    references: {
      count: all.length,
      kinds,
      sha256: sha256(all.map(({ line }) => `${line}\n`).join("")),
      ...(all.length > 64 ? { first: entries.slice(0, 5), last: entries.slice(-5) } : { entries }),
    },
  };
}

/** The recorded snapshot, without the bytes of native and virtual references, which other tests compare. */
export function comparable(expected: ExpectedSnapshot): unknown {
  const { time, message, nodes } = expected;
  return { time, message, nodes: nodes.map(withoutTargets) };
}

function withoutTargets(node: unknown): unknown {
  const { references, ...rest } = node as { references?: Record<string, unknown> };
  if (references === undefined) return rest;
  const trimmed = Object.entries(references).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(trim) : value,
  ]);
  return { ...rest, references: Object.fromEntries(trimmed) as unknown };
}

function trim(entry: unknown): unknown {
  const { sha256: hash, decodedSha256: _decoded, icechunk: _icechunk, ...rest } = entry as Record<string, unknown>;
  return rest["kind"] === "inline" ? { ...rest, sha256: hash } : rest;
}
