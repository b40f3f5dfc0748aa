/**
 * Comparisons against the official library's diffs, and of the two ways with each other. Laws, for every two snapshots:
 * - By manifests the changed chunks are those whose references differ when all are read and compared one by one.
 * - By logs and by manifests the same nodes are added and removed; moved by manifests are those moved by logs that were in
 *   the first snapshot; updated by manifests are among those updated by logs.
 * - A chunk that differs by manifests is in the logs, unless its array was removed, or has another grid, which is said.
 */
import { describe, expect, it } from "vitest";
import { type Finding, nodeAt, nodeOf } from "#core/findings/finding.ts";
import type { ChangedChunk, SnapshotChanges } from "#core/repository.ts";
import { corpus } from "#core/testing/corpus.ts";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import { fetchSnapshot, openRepository } from "#formats/icechunk/index.ts";
import { describeReference, referencesOf, type ExpectedRepository } from "#formats/icechunk/testing/expected.ts";
import { fixtureFiles, folderFiles, objectsOf, testZstd } from "#formats/icechunk/testing/objects.ts";
import { repositoryOf, type SetRepository } from "../engine-set.ts";
import { cellCollector } from "./changed-cells.ts";
import { cellFindings } from "./compare.ts";
import type { SideArray } from "./snapshot-side.ts";
import repositories from "./fixtures/repositories.json" with { type: "json" };
import { CONTEXT, openRepositoryOf, openSet, type Files } from "./testing/open.ts";
import { CORPUS_REPOSITORIES } from "./testing/corpus-repositories.ts";

const expected = recorded as unknown as Readonly<Record<string, ExpectedRepository>>;
type Changed = ReadonlyMap<string, readonly ChangedChunk[]>;

/** A comparison with all its chunks. */
async function compared(repository: SetRepository, from: string, to: string, method: "auto" | "manifests" = "auto") {
  const changes = await repository.compare({ from, to, method }, CONTEXT);
  const chunks = new Map(changes.arrays.map(({ path }) => [path, repository.changedChunks(path, 0, 2000).chunks]));
  return { changes, chunks };
}

const slashed = (path: string) => `/${path}`;
const texts = (chunks: readonly ChangedChunk[] = []) => chunks.map(({ coordinates }) => coordinates.join("/"));

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

/** Every reference of a snapshot as one line, by path and coordinates. */
async function linesOf(files: Files, id: string) {
  const objects = objectsOf(files);
  const { nodes } = await fetchSnapshot(objects, testZstd, id);
  const byId = new Map<string, { readonly path: string; readonly lines: ReadonlyMap<string, string> }>();
  for (const node of nodes) {
    if (node.kind !== "array") continue;
    const { placed } = await referencesOf(objects, node);
    const lines = placed.map((one) => [one.at.join("/"), describeReference(one).line] as const);
    byId.set(node.id, { path: node.path.slice(1), lines: new Map(lines) });
  }
  return byId;
}

type Lines = Awaited<ReturnType<typeof linesOf>>;

/** Changed chunks by path in `to`, or `from` where it is gone: `path coordinates kind`, sorted. */
function bruteForce(from: Lines, to: Lines): readonly string[] {
  const found: string[] = [];
  for (const id of new Set([...from.keys(), ...to.keys()])) {
    const [one, other] = [from.get(id), to.get(id)];
    const path = other?.path ?? one?.path ?? "";
    for (const at of new Set([...(one?.lines.keys() ?? []), ...(other?.lines.keys() ?? [])])) {
      const [was, is] = [one?.lines.get(at), other?.lines.get(at)];
      if (was !== is)
        found.push(`${path} ${at} ${was === undefined ? "added" : is === undefined ? "removed" : "changed"}`);
    }
  }
  return found.sort();
}

const flat = (chunks: Changed) =>
  [...chunks]
    .flatMap(([path, all]) => all.map(({ coordinates, kind }) => `${path} ${coordinates.join("/")} ${kind}`))
    .sort();

const nodesOf = ({ nodes }: SnapshotChanges, kind: string) => nodes.filter((node) => node.kind === kind);

async function checkLaws(files: Files, repository: SetRepository, ids: readonly string[]): Promise<number> {
  const lines = new Map<string, Lines>();
  for (const id of ids) lines.set(id, await linesOf(files, id));
  let byLogs = 0;
  for (const from of ids) {
    for (const to of ids) {
      const exact = await compared(repository, from, to, "manifests");
      expect(exact.changes.method).toBe("manifests");
      expect(flat(exact.chunks), `${from} ${to}`).toEqual(bruteForce(lines.get(from)!, lines.get(to)!));
      const logged = await compared(repository, from, to);
      if (logged.changes.method !== "logs") {
        expect({ ...logged.changes, because: "" }).toEqual({ ...exact.changes, because: "" });
        continue;
      }
      byLogs += 1;
      checkAgreement(logged, exact);
    }
  }
  return byLogs;
}

const isResized = ({ code }: Finding): boolean => code === "icechunk-log-resized";

function checkAgreement(
  logged: Awaited<ReturnType<typeof compared>>,
  exact: Awaited<ReturnType<typeof compared>>,
): void {
  for (const kind of ["added", "removed"]) expect(nodesOf(logged.changes, kind)).toEqual(nodesOf(exact.changes, kind));
  const added = new Set(nodesOf(exact.changes, "added").map(({ path }) => path));
  const moved = nodesOf(logged.changes, "moved").filter(({ path }) => !added.has(path));
  expect(moved).toEqual(nodesOf(exact.changes, "moved"));
  expect(nodesOf(logged.changes, "updated")).toEqual(expect.arrayContaining([...nodesOf(exact.changes, "updated")]));
  const removed = new Set(nodesOf(exact.changes, "removed").map(({ path }) => path));
  const resized = new Set(logged.changes.findings.filter(isResized).map(({ place }) => place && nodeOf(place)));
  for (const [path, chunks] of exact.chunks) {
    if (!removed.has(path) && !resized.has(path))
      expect(texts(logged.chunks.get(path))).toEqual(expect.arrayContaining(texts(chunks)));
  }
}

/** Snapshots that branches and tags lead to, and in format 2 the others too. */
async function snapshotsIn(files: Files, repository: SetRepository): Promise<readonly string[]> {
  const { info, branches, tags } = await openRepository(objectsOf(files), testZstd);
  const ids = new Set(info?.snapshots.keys());
  for (const head of [...branches.values(), ...tags.values()]) {
    for (const { id } of (await repository.ancestry(head, 100, CONTEXT)).entries) ids.add(id);
  }
  return [...ids];
}

describe("every two snapshots", () => {
  it.each(["v1", "v2", "v2dict"] as const)("of %s", async (name) => {
    const files = fixtureFiles(name);
    const repository = await openRepositoryOf(files);
    const ids = await snapshotsIn(files, repository);
    expect(await checkLaws(files, repository, ids)).toBeGreaterThan(name === "v2dict" ? 1 : 10);
  });
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
