/**
 * Repositories with a past (shards, moves, resizes, changed splitting, escapes) against what the official library
 * read.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { type Locations, NO_LOCATIONS } from "#core/byte-source.ts";
import { writeZip } from "#io/fixtures/zip-writer.ts";
import { droppedFiles } from "#io/local-files.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, repositoryOf, type EngineSet } from "../engine-set.ts";
import { loadChunk } from "../chunk/load-chunk.ts";
import { openFiles } from "../open/open-any.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { summaryOf } from "../describe/summary.ts";
import type { Network } from "../chunk/sources.ts";
import type { ChangeKind } from "#core/repository.ts";
import { explained } from "#core/findings/explain.ts";
import recordedText from "./fixtures/recorded.json" with { type: "json" };
import repositories from "./fixtures/repositories.json" with { type: "json" };
import type { TransactionLog } from "#formats/icechunk/snapshot.ts";

interface RecordedChunk {
  readonly length?: number;
  readonly sha256?: string;
  readonly error?: string;
  readonly asked?: string;
}

interface RecordedSnapshot {
  readonly id: string;
  readonly nodes: Readonly<Record<string, string>>;
  readonly chunks: Readonly<Record<string, RecordedChunk>>;
}

interface Difference extends Omit<TransactionLog, "header" | "id" | "updatedChunks" | "moved"> {
  readonly from: string;
  readonly to: string;
  readonly updatedChunks: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly movedNodes: readonly { readonly from: string; readonly to: string }[];
}

interface RecordedRepository {
  readonly branches: Readonly<Record<string, string>>;
  readonly snapshots: Readonly<Record<string, RecordedSnapshot>>;
  readonly diffs: readonly Difference[];
}

type Name = keyof typeof repositories;
const recorded: Readonly<Record<Name, RecordedRepository>> = recordedText;

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const OFFLINE: Network = { http: { fetch: () => Promise.reject(new Error("There is no network here.")), attempts: 1 } };
const HERE: Locations = { ...NO_LOCATIONS, allowPrivate: true };
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64, "base64"));

const filesOf = (name: Name) =>
  Object.entries(repositories[name]).map(([path, text]) => [path, bytesOf(text)] as const);

async function open(name: Name, ref: string, network = OFFLINE, locations = HERE): Promise<EngineSet> {
  const files = droppedFiles(filesOf(name).map(([path, bytes]) => ({ path: `r/${path}`, blob: new Blob([bytes]) })));
  return opened(await openFiles(files, { locations, network, options: { ref, choice: "r/" }, context: CONTEXT }));
}

function opened(result: Awaited<ReturnType<typeof openFiles>>): EngineSet {
  if (result.kind !== "set") throw new Error(result.title);
  return result.set;
}

async function read(set: EngineSet, array: string, at: readonly number[]) {
  const chunk = await chunkReference(set, arrayNode(set, array), at, CONTEXT);
  return { chunk, loaded: await loadChunk(set, chunk, CONTEXT) };
}

/** Every coordinate of a small grid. */
function cellsOf(grid: readonly number[]): readonly (readonly number[])[] {
  return grid.reduce<readonly (readonly number[])[]>(
    (cells, length) => cells.flatMap((cell) => Array.from({ length }, (_, at) => [...cell, at])),
    [[]],
  );
}

/** All nodes, and all cells of all arrays: those that are recorded have the recorded bytes, the others are missing. */
async function expectSnapshot(set: EngineSet, { nodes, chunks }: RecordedSnapshot): Promise<void> {
  expect([...set.hierarchy.nodes.keys()].toSorted()).toEqual(Object.keys(nodes).toSorted());
  const found: [string, RecordedChunk][] = [];
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    for (const at of cellsOf(gridOf(node.metadata.shape, node.metadata.chunks))) {
      const { chunk, loaded } = await read(set, node.path, at);
      if (loaded.kind === "bytes")
        found.push([chunk.key, { length: loaded.bytes.length, sha256: sha256(loaded.bytes) }]);
      else expect([chunk.key, loaded.kind]).toEqual([chunk.key, "missing"]);
    }
  }
  expect(Object.fromEntries(found)).toEqual(chunks);
}

const snapshotsOf = (name: Name) =>
  Object.entries(recorded[name].snapshots).map(([label, one]) => [name, label, one] as const);

describe("snapshots", () => {
  it.each([...snapshotsOf("moved"), ...snapshotsOf("resized"), ...snapshotsOf("split")])(
    "%s, %s: nodes and chunks",
    async (name, _, snapshot) => {
      const set = await open(name, `snapshot:${snapshot.id}`);
      await expectSnapshot(set, snapshot);
      expect(set.findings.filter((one) => explained(one).severity !== "info")).toEqual([]);
    },
  );

  it.each(["moved", "resized"] as const)("%s, in an archive", async (name) => {
    const entries = filesOf(name).map(([path, content], at) => ({
      name: `deep/repo/${path}`,
      content,
      method: at % 2 === 0 ? 8 : 0,
    }));
    const files = droppedFiles([{ path: "repository.zip", blob: new Blob([writeZip(entries)]) }]);
    const [last] = Object.values(recorded[name].snapshots).slice(-1);
    const set = opened(await openFiles(files, { locations: HERE, network: OFFLINE, options: {}, context: CONTEXT }));
    expect(summaryOf(set, 1).format).toMatch(/^Icechunk, format [12]$/);
    expect(last?.id).toBe(recorded[name].branches["main"]);
    if (last !== undefined) await expectSnapshot(set, last);
  });
});

const withoutSlash = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => path.replace(/^\//, "")).toSorted();

describe("differences of following snapshots", () => {
  const cases = (["moved", "resized", "split", "sharded"] as const).flatMap((name) =>
    recorded[name].diffs.map((diff) => [name, diff.from, diff.to, diff] as const),
  );
  it.each(cases)("%s: %s → %s, as the official diff", async (name, from, to, diff) => {
    const { snapshots } = recorded[name];
    const set = await open(name, "main");
    const asked = { from: snapshots[from]?.id ?? "", to: snapshots[to]?.id ?? "", method: "auto" } as const;
    const { nodes, arrays, method } = await repositoryOf(set).compare(asked, CONTEXT);
    expect(method).toBe("logs");
    const of = (kind: string) => withoutSlash(nodes.filter((node) => node.kind === kind).map(({ path }) => path));
    expect(of("added")).toEqual(withoutSlash([...diff.newGroups, ...diff.newArrays]));
    expect(of("removed")).toEqual(withoutSlash([...diff.deletedGroups, ...diff.deletedArrays]));
    expect(of("updated")).toEqual(withoutSlash([...diff.updatedGroups, ...diff.updatedArrays]));
    const moves = nodes.flatMap(({ before, path }) => (before === undefined ? [] : [`${before} → ${path}`]));
    expect(moves.toSorted()).toEqual(diff.movedNodes.map((move) => withoutSlashes(move)).toSorted());
    // The others are those that a shorter shape cut off.
    const logged = arrays.filter(({ kinds }) => kinds.set > 0);
    const chunks = logged.map(({ path }) => [path, chunksOf(set, path, "set")] as const);
    const expected = Object.entries(diff.updatedChunks).map(([path, at]) => [path.slice(1), at] as const);
    expect(Object.fromEntries(chunks)).toEqual(Object.fromEntries(expected));
  });
});

const withoutSlashes = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `${from.slice(1)} → ${to.slice(1)}`;

const chunksOf = (set: EngineSet, path: string, of?: ChangeKind) =>
  repositoryOf(set)
    .changedChunks(path, 0, 2000)
    .chunks.flatMap(({ coordinates, kind }) => ((of ?? kind) === kind ? [coordinates] : []));

describe("a sharded array", () => {
  const { inner, shardBin, shardB } = recordedText.sharded;
  const targets = new Map([
    ["/d/shard.bin", bytesOf(shardBin)],
    ["/d/shard-b.bin", bytesOf(shardB)],
  ]);
  const network: Network = {
    http: {
      attempts: 1,
      fetch: (url, init) => {
        const target = targets.get(new URL(url).pathname);
        const [, from, to] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
        if (target === undefined || from === undefined) return Promise.resolve(new Response("", { status: 404 }));
        const part = target.slice(Number(from), Number(to) + 1);
        const range = `bytes ${from}-${Number(from) + part.length - 1}/${target.length}`;
        return Promise.resolve(new Response(part, { status: 206, headers: { "content-range": range, etag: '"new"' } }));
      },
    },
  };

  it("shows its inner chunks, of native, inline and virtual shards", async () => {
    const set = await open("sharded", `snapshot:${recorded.sharded.snapshots["first"]?.id ?? ""}`, network);
    for (const [name, values] of Object.entries(inner)) {
      const { reading, values: found } = await readChunk(set, "a", name.split("/").map(Number), CONTEXT);
      const numbers = found?.numbers === undefined ? undefined : [...found.numbers];
      expect([name, reading.outcome, numbers]).toEqual([name, values === null ? "missing" : "ok", values ?? undefined]);
    }
    const { states } = summaryOf(set, 1);
    expect(states.missing).toBe(10);
    expect(states.bad).toBe(0);
  });

  it("of virtual shards: staleness is that of the shard's reference", async () => {
    const set = await open("sharded", "main", network);
    for (const [at, numbers, codes] of [
      [0, [1, 2], []],
      [1, [3, 4], []],
      [2, [1, 2], ["icechunk-target-changed"]],
      [3, [3, 4], ["icechunk-target-changed"]],
    ] as const) {
      const { values, loaded } = await readChunk(set, "b", [at], CONTEXT);
      expect([...(values?.numbers ?? [])]).toEqual(numbers);
      expect([at, loaded.findings.map(({ code }) => code)]).toEqual([at, codes]);
    }
  });

  it("changes by shard, which its map shows by inner chunk", async () => {
    const set = await open("sharded", "main", network);
    const [from = "", to = ""] = Object.values(recorded.sharded.snapshots).map(({ id }) => id);
    for (const method of ["auto", "manifests"] as const) {
      const { findings } = await repositoryOf(set).compare({ from, to, method }, CONTEXT);
      expect(findings).toMatchObject([
        { code: "icechunk-changes-of-shards", place: nodeAt("a"), facts: { chunks: 4 } },
        { code: "icechunk-changes-of-shards", place: nodeAt("b"), facts: { chunks: 2 } },
      ]);
      expect(chunksOf(set, "a")).toEqual([[0, 0]]);
      expect([...(repositoryOf(set).changesOf("a")?.ordinals ?? [])]).toEqual([0, 1, 4, 5]);
    }
    const { values } = await readChunk(set, "a", [0, 1], CONTEXT);
    expect([...(values?.numbers ?? [])]).toEqual([5, 6, 7, 88]);
  });
});

describe("locations", () => {
  const asked: string[] = [];
  const network: Network = {
    http: {
      attempts: 1,
      fetch: (url) => {
        asked.push(new URL(url).pathname);
        const headers = { "content-range": "bytes 8-11/64" };
        return Promise.resolve(new Response(Uint8Array.of(8, 9, 10, 11), { status: 206, headers }));
      },
    },
  };
  /**
   * Differences: a browser cannot make the request, or Refscope reads what the official reader refuses, with a warning.
   */
  const DIFFERENT = new Map([
    ["s3://bucket/p/sub/../x.nc", "refused"],
    ["s3://bucket/p/./x.nc", "refused"],
    ["http://127.0.0.1:39413/dd/x.nc", "/dd/x.nc"],
    ["https://127.0.0.1:39413/d/x.nc", "/d/x.nc"],
    ["s3://other/x.nc", "/x.nc"],
  ]);

  it("are asked for as the official reader asks", async () => {
    const { locations } = recordedText.escapes;
    const [snapshot] = Object.values(recorded.escapes.snapshots);
    const set = await open("escapes", "main", network);
    for (const [at, location] of locations.entries()) {
      asked.length = 0;
      const { loaded } = await read(set, "a", [at]);
      const wanted = DIFFERENT.get(location) ?? snapshot?.chunks[`a/c/${at}`]?.asked ?? "refused";
      const got = loaded.kind === "bytes" ? (asked[0] ?? "nothing") : "refused";
      expect([location, decodeURIComponent(got)]).toEqual([location, decodeURIComponent(wanted)]);
    }
    expect(set.findings).toContainEqual(expect.objectContaining({ code: "icechunk-no-container" }));
  });
});
