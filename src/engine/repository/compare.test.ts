/**
 * Comparisons against the official library's diffs, and of the two ways with each other. `testing/comparison-laws.ts` has the laws.
 */
import { describe, expect, it } from "vitest";
import { nodeAt } from "#core/findings/finding.ts";
import type { SnapshotChanges } from "#core/repository.ts";
import { corpus } from "#core/testing/corpus.ts";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import type { ExpectedRepository } from "#formats/icechunk/testing/expected.ts";
import { fixtureFiles, folderFiles } from "#formats/icechunk/testing/objects.ts";
import { repositoryOf } from "../engine-set.ts";
import { cellCollector } from "./changed-cells.ts";
import { cellFindings } from "./compare.ts";
import type { SideArray } from "./snapshot-side.ts";
import repositories from "./fixtures/repositories.json" with { type: "json" };
import { type Changed, checkLaws, compared, nodesOf, snapshotsIn, texts } from "./testing/comparison-laws.ts";
import { CONTEXT, openRepositoryOf, openSet } from "./testing/open.ts";
import { historyFixture } from "./testing/histories.ts";
import { CORPUS_REPOSITORIES } from "./testing/corpus-repositories.ts";

const expected = recorded as unknown as Readonly<Record<string, ExpectedRepository>>;
const slashed = (path: string) => `/${path}`;

/** Changes in the words of the official library's diff. */
function asDiff({ nodes }: SnapshotChanges, chunks: Changed) {
  const paths = (kind: string, node: string) =>
    nodes.filter((one) => one.kind === kind && one.node === node).map(({ path }) => slashed(path));
  return {
    newGroups: paths("added", "group"),
    newArrays: paths("added", "array"),
    deletedGroups: paths("removed", "group"),
    deletedArrays: paths("removed", "array"),
    updatedGroups: paths("updated", "group"),
    updatedArrays: paths("updated", "array"),
    updatedChunks: Object.fromEntries(
      [...chunks].map(([path, all]) => [slashed(path), all.map(({ coordinates }) => coordinates)]),
    ),
    movedNodes: nodes
      .filter(({ kind }) => kind === "moved")
      .map(({ path, before = "" }) => ({ from: slashed(before), to: slashed(path) })),
  };
}

describe.each(["v1", "v2"] as const)("the official diffs of %s", (name) => {
  it.each(expected[name]!.diffs)("$from to $to", async ({ from, to, ...diff }) => {
    const { changes, chunks } = await compared(await openRepositoryOf(fixtureFiles(name)), from, to);
    expect(changes).toMatchObject({ method: "logs", findings: [] });
    expect(asDiff(changes, chunks)).toEqual(diff);
    for (const { kinds, count } of changes.arrays)
      expect(kinds).toEqual({ set: count, added: 0, removed: 0, changed: 0 });
  });
});

describe("every two snapshots", () => {
  it.each(["v1", "v2", "v2dict"] as const)("of %s", async (name) => {
    const files = fixtureFiles(name);
    const repository = await openRepositoryOf(files);
    const ids = await snapshotsIn(files, repository);
    expect(await checkLaws(files, repository, ids)).toBeGreaterThan(name === "v2dict" ? 1 : 10);
  });
});

it.each(["river-04", "river-07"] as const)("every two snapshots of the recorded history %s", async (name) => {
  const { files } = historyFixture(name);
  const repository = await openRepositoryOf(files);
  expect(await checkLaws(files, repository, await snapshotsIn(files, repository))).toBeGreaterThan(10);
});

describe("an array that was recreated with other dimensions", () => {
  const files = new Map(
    Object.entries(repositories.resized).map(([path, text]) => [path, Uint8Array.from(Buffer.from(text, "base64"))]),
  );

  it("shares no chunk with the one before it at its path: the laws hold", async () => {
    const repository = await openRepositoryOf(files);
    const ids = await snapshotsIn(files, repository);
    expect(await checkLaws(files, repository, ids)).toBeGreaterThan(10);
  });

  it("is counted with it, listed first, and each is on its own map", async () => {
    const ids = await snapshotsIn(files, await openRepositoryOf(files));
    const rank = async (id: string) => {
      const node = (await openSet(files, `snapshot:${id}`)).hierarchy.nodes.get("a");
      return node?.kind === "array" ? node.metadata.shape.length : 0;
    };
    const ranks = new Map(await Promise.all(ids.map(async (id) => [await rank(id), id] as const)));
    const [from, to] = [ranks.get(1)!, ranks.get(2)!];
    const [before, after] = [await openSet(files, `snapshot:${from}`), await openSet(files, `snapshot:${to}`)];
    for (const { repository } of [before, after]) {
      const { arrays, findings } = await repository!.compare({ from, to, method: "manifests" }, CONTEXT);
      expect(findings).toContainEqual(
        expect.objectContaining({ code: "icechunk-changes-of-two-arrays", place: nodeAt("a") }),
      );
      const { count, kinds, shown } = arrays.find(({ path }) => path === "a")!;
      expect(shown).toBe(true);
      expect(kinds.added * kinds.removed).toBeGreaterThan(0);
      expect(kinds.added + kinds.removed).toBe(count);
      const all = repository!.changedChunks("a", 0, 100);
      expect(all.total).toBe(count);
      expect(all.chunks.map(({ coordinates: { length } }) => length)).toEqual([
        ...Array.from({ length: kinds.added }, () => 2),
        ...Array.from({ length: kinds.removed }, () => 1),
      ]);
      const middle = repository!.changedChunks("a", kinds.added - 1, kinds.added + 1).chunks;
      expect(middle).toEqual(all.chunks.slice(kinds.added - 1, kinds.added + 1));
    }
    expect(new Set(before.repository!.changesOf("a")!.kinds)).toEqual(new Set([2]));
    expect(new Set(after.repository!.changesOf("a")!.kinds)).toEqual(new Set([1]));
  });
});

describe(`every two snapshots of ${corpus.title}`, () => {
  it.each(CORPUS_REPOSITORIES)("%s", async (entry) => {
    const all = [...folderFiles(`${corpus.folder}/${entry}`)];
    const roots = new Set(all.flatMap(([path]) => /^(.*?)snapshots\//.exec(path)?.[1] ?? []));
    for (const root of roots) {
      const own = all
        .filter(([path]) => path.startsWith(root))
        .map(([path, bytes]) => [path.slice(root.length), bytes] as const);
      const files = new Map(own);
      const repository = await openRepositoryOf(files);
      const byLogs = await checkLaws(files, repository, (await snapshotsIn(files, repository)).slice(0, 8));
      // After expiry, no log covers everything that is left.
      if (!entry.includes("expired")) expect(byLogs, root).toBeGreaterThan(0);
      else expect(byLogs, root).toBe(0);
    }
  });
});

describe("without the logs", () => {
  const { diffs } = expected["v2"]!;
  const { from, to } = diffs[1]!;
  const logs = [...fixtureFiles("v2").keys()].filter((path) => path.startsWith(`transactions/${to}`));

  it("that are gone, damaged or of another commit, manifests are compared", async () => {
    const files = fixtureFiles("v2");
    const exact = await compared(await openRepositoryOf(files), from, to, "manifests");
    const other = files.get("transactions/1CECHNKREP0F1RSTCMT0")!;
    const ways = [
      [undefined, { kind: "log-missing" }, []],
      [
        files.get(logs[0]!)!.slice(0, 60),
        { kind: "log-unreadable" },
        [{ code: "icechunk-file-damaged", facts: { file: "transaction log" } }],
      ],
      [other, { kind: "log-incomplete" }, []],
    ] as const;
    for (const [bytes, because, findings] of ways) {
      const changed = new Map(files);
      changed.delete(logs[0]!);
      if (bytes !== undefined) changed.set(logs[0]!, bytes);
      const { changes, chunks } = await compared(await openRepositoryOf(changed), from, to);
      expect(changes).toMatchObject({ method: "manifests", because, findings, nodes: exact.changes.nodes });
      expect(chunks).toEqual(exact.chunks);
    }
  });

  it("and without a manifest what is not known is said", async () => {
    const files = new Map([...fixtureFiles("v2")].filter(([path]) => !path.startsWith("manifests/")));
    const { changes } = await compared(await openRepositoryOf(files), from, to, "manifests");
    expect(changes.arrays).toEqual([]);
    expect(changes.uncompared).toBe(2);
    expect(changes.findings).toContainEqual(
      expect.objectContaining({
        code: "icechunk-array-not-compared",
        place: nodeAt("air/virt"),
        facts: { cause: expect.objectContaining({ code: "icechunk-object-missing" }) as unknown },
      }),
    );
  });
});

describe("comparisons", () => {
  it("turned round have added and removed turned, and moves back", async () => {
    const { from, to } = expected["v2"]!.diffs[0]!;
    const repository = await openRepositoryOf(fixtureFiles("v2"));
    const forth = await compared(repository, from, to);
    const back = await compared(repository, to, from);
    expect(back.changes).toMatchObject({ method: "logs", because: { kind: "logs", reversed: true } });
    expect(nodesOf(back.changes, "removed")).toEqual(
      nodesOf(forth.changes, "added").map((node) => ({ ...node, kind: "removed" })),
    );
    expect(nodesOf(back.changes, "moved")).toContainEqual({
      kind: "moved",
      node: "group",
      path: "air/deep",
      before: "deep2",
    });
    expect(texts(back.chunks.get("air/temp"))).toEqual(texts(forth.chunks.get("air/temp")));
  });

  it("are shown on the open set's grid", async () => {
    const { from, to } = expected["v2"]!.diffs[1]!;
    const files = fixtureFiles("v2");
    const newer = await openRepositoryOf(files, `snapshot:${to}`);
    expect(newer.changesOf("time")).toBeUndefined();
    expect(() => newer.changedChunks("time", 0, 1)).toThrow(
      expect.objectContaining({ code: "nothing-compared" }) as Error,
    );
    const changes = await newer.compare({ from, to, method: "manifests" }, CONTEXT);
    expect(changes.arrays.map(({ path, shown }) => [path, shown])).toEqual([
      ["air/virt", true],
      ["time", true],
    ]);
    expect(newer.changesOf("time")).toEqual({ ordinals: new Float64Array([0]), kinds: new Uint8Array([3]) });
    expect(newer.changesOf("air/virt")?.kinds).toEqual(new Uint8Array(8).fill(1));
    expect(newer.changesOf("air/temp")).toBeUndefined();
    expect(newer.changedChunks("air/virt", 6, 2000)).toMatchObject({
      from: 6,
      total: 8,
      chunks: [{}, { coordinates: [1, 3] }],
    });
    expect(newer.changedChunks("nowhere", 0, 5)).toMatchObject({ total: 0, chunks: [] });
    const older = await openRepositoryOf(files, `snapshot:${from}`);
    expect((await older.compare({ from, to, method: "auto" }, CONTEXT)).arrays).toMatchObject([
      { path: "air/virt", shown: false },
      { path: "time", shown: true },
    ]);
  });

  it("follow an array that moved to its place in the open set", async () => {
    const { from, to } = expected["v2"]!.diffs[0]!;
    const set = await openSet(fixtureFiles("v2"), `snapshot:${to}`);
    await set.repository?.compare({ from, to, method: "manifests" }, CONTEXT);
    expect(set.repository?.changesOf("deep2/flag")?.ordinals).toEqual(new Float64Array([0]));
  });

  it("can be cancelled, and refuse what is not a snapshot", async () => {
    const { from, to } = expected["v2"]!.diffs[0]!;
    const repository = await openRepositoryOf(fixtureFiles("v2"));
    for (const method of ["auto", "manifests"] as const) {
      const cancelled = repository.compare({ from, to, method }, { ...CONTEXT, signal: AbortSignal.abort() });
      await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    }
    const missing = repository.compare({ from: "main", to, method: "auto" }, CONTEXT);
    await expect(missing).rejects.toMatchObject({ code: "icechunk-ref-missing" });
  });
});

it("changes that are counted and not kept are said", () => {
  const side = { id: "A", path: "a", grid: [9], innerChunks: 1 } as unknown as SideArray;
  const pair = { from: side, to: side, path: "a", before: undefined, box: [9] };
  const cells = cellCollector([9], true, { left: 2 });
  for (let at = 0; at < 5; at += 1) cells.add(at, "set");
  expect(cellFindings(pair, cells.finish())).toMatchObject([
    { code: "icechunk-changes-cut", place: nodeAt("a"), facts: { changes: 5, unlisted: 3, mayRepeat: true } },
  ]);
});

it("a set that is not a repository's has no history", async () => {
  const text = '{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}"}}';
  const set = await openSet(new Map([["a.json", new TextEncoder().encode(text)]]));
  expect(() => repositoryOf(set)).toThrow(
    expect.objectContaining({
      code: "no-repository",
      finding: expect.objectContaining({ facts: { format: set.format.label } }) as unknown,
    }) as Error,
  );
});
