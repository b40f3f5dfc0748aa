/**
 * Sharded arrays against the recorded cases (see `testing/sharded.ts`): every value right, every damage named, none read
 * as good.
 */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { describe, expect, it } from "vitest";
import { cellCount, coordinatesOf, gridOf, insideShape } from "#core/metadata/chunk-grid.ts";
import { nodeAt } from "#core/findings/fact.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { elementText } from "#core/plane/slice.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { openFiles } from "./open-any.ts";
import { readChunk, readShard } from "../chunk/read-chunk.ts";
import { shardedCases, type ShardedCase } from "../testing/sharded.ts";
import { explained } from "#core/findings/explain.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

async function openCase({ files }: ShardedCase): Promise<EngineSet> {
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(files, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

/** Values by element, `null` where the chunk cannot be read. */
async function valuesOf(set: EngineSet, node: ArrayNode): Promise<readonly (string | null)[]> {
  const { shape, chunks, fillValue } = withEqualChunks(node.metadata);
  const grid = gridOf(shape, chunks);
  const values = Array.from<string | null>({ length: shape.reduce((a, b) => a * b, 1) });
  for (let ordinal = 0; ordinal < cellCount(grid); ordinal += 1) {
    const coordinates = coordinatesOf(grid, ordinal);
    const read = await readChunk(set, node.path, coordinates, CONTEXT);
    const inside = insideShape(shape, chunks, coordinates);
    for (let at = 0; at < cellCount(inside); at += 1) {
      const within = coordinatesOf(inside, at);
      const element = within.reduce((sum, index, d) => sum * (chunks[d] ?? 1) + index, 0);
      const place = within.reduce(
        (sum, index, d) => sum * (shape[d] ?? 1) + (coordinates[d] ?? 0) * (chunks[d] ?? 1) + index,
        0,
      );
      values[place] =
        read.reading.outcome === "missing"
          ? written(fillValue)
          : read.values === undefined
            ? null
            : elementText(read.values, element);
    }
  }
  return values;
}

const written = (value: unknown): string | null => (value === null ? null : `${value as string | number}`);

/** Codes of readings and of the set's findings for the names of the faults. */
const CODES: Readonly<Record<string, RegExp>> = {
  "index-crc": /shard-index-checksum|inner-chunk|shard/,
  "inner-crc": /checksum-mismatch|shard/,
  "gzip-error": /decode-failed|checksum-mismatch|shard/,
  overlap: /shard-overlap/,
  "past-end": /shard-past-end/,
  "half-empty": /shard-half-empty/,
  "into-index": /shard-into-index/,
  truncated: /shard-truncated|shard-index-checksum/,
  "uneven-config": /shard-chunks-uneven/,
  "zero-length": /shard-zero-length/,
};

describe.each(await shardedCases())("$name", (one) => {
  it("has the recorded values, and none where they cannot be known", async () => {
    const set = await openCase(one);
    const node = set.hierarchy.nodes.get("");
    if (one.expected.faults.some(({ fault }) => fault === "uneven-config")) {
      expect(node?.kind).toBe("broken");
      return;
    }
    expect(await valuesOf(set, arrayNode(set, ""))).toEqual(one.expected.values.map(written));
  });

  it("names every fault", async () => {
    const set = await openCase(one);
    const node = set.hierarchy.nodes.get("");
    const found = new Set(set.findings.map(({ code }) => code));
    if (node?.kind === "array") {
      const grid = gridOf(node.metadata.shape, node.metadata.chunks);
      for (let ordinal = 0; ordinal < cellCount(grid); ordinal += 1) {
        const { reading } = await readChunk(set, "", coordinatesOf(grid, ordinal), CONTEXT);
        for (const { code } of reading.findings) found.add(code);
        if (reading.error !== undefined) found.add(reading.error.code);
      }
    }
    for (const { fault } of one.expected.faults) {
      expect(
        [...found].some((code) => CODES[fault]?.test(code)),
        `${fault} among ${[...found].join(", ")}`,
      ).toBe(true);
    }
    const overlap = set.findings.find(({ code }) => code === "shard-overlap");
    if (overlap !== undefined) {
      expect(overlap).toMatchObject({ place: { kind: "shard", array: "", entry: 1 } });
      expect(overlap.facts).toMatchObject({ inner: [0, 1], others: [[0, 0]] });
    }
    const dead = set.findings.filter(({ code }) => code === "shard-dead-bytes");
    const withGaps = Object.values(one.expected.shards).filter(({ gaps }) => gaps.length > 0);
    // Beside damage, gaps are what it left.
    if (one.expected.ok) expect(dead.length > 0).toBe(withGaps.length > 0);
    if (dead.length > 0) expect(withGaps).not.toEqual([]);
    const errors = set.findings.filter((one) => explained(one).severity === "error");
    if (one.expected.ok) expect(errors).toEqual([]);
  });

  it("has shards only where it is sharded", async () => {
    const set = await openCase(one);
    const node = set.hierarchy.nodes.get("");
    if (node?.kind !== "array" || node.metadata.sharding !== undefined) return;
    await expect(readShard(set, "", [0, 0], CONTEXT)).rejects.toMatchObject({
      finding: { code: "not-sharded", place: nodeAt("") },
    });
  });

  it("shows the index as it is", async () => {
    const set = await openCase(one);
    const node = set.hierarchy.nodes.get("");
    if (node?.kind !== "array" || node.metadata.sharding === undefined) return;
    for (const [key, shard] of Object.entries(one.expected.shards)) {
      const coordinates = key.replace(/^c\/?/, "").split("/").filter(Boolean).map(Number);
      const { state } = await readShard(set, "", coordinates, CONTEXT);
      if (state.kind !== "shard") {
        expect(one.expected.faults.some((fault) => fault.inner === null && fault.shard === key)).toBe(true);
        continue;
      }
      const { map } = state;
      expect(map.size).toBe(shard.bytes);
      expect([map.index.offset, map.index.length]).toEqual([shard.index.at, shard.index.bytes]);
      const gaps = Array.from({ length: map.gaps.length / 2 }, (_, at) => [map.gaps[2 * at], map.gaps[2 * at + 1]]);
      expect(gaps).toEqual(shard.gaps);
      // Recorded are those that cannot be read.
      const unread = map.faults.filter(({ isRead }) => isRead !== true);
      const faults = unread.map(({ inner, fault, with: others }) => ({
        inner,
        fault,
        ...(others === undefined ? {} : { with: others }),
      }));
      const recorded = one.expected.faults
        .filter((fault) => fault.shard === key && fault.inner !== null && !/crc|gzip/.test(fault.fault))
        .map(({ inner, fault, with: others }) => ({ inner, fault, ...(others === undefined ? {} : { with: others }) }));
      expect(faults).toEqual(recorded);
    }
  });
});
