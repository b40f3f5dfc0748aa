/** The graph of snapshots against what the official library recorded of the branches and tags. */
import { describe, expect, it } from "vitest";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import type { ExpectedRepository } from "#formats/icechunk/testing/expected.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { historyFixture } from "./testing/histories.ts";
import { CONTEXT, openRepositoryOf, openServed } from "./testing/open.ts";

const expected = recorded as unknown as Readonly<Record<string, ExpectedRepository>>;
const ALL = { limit: 1000, from: 0, to: 1000 };
const FIRST = "1CECHNKREP0F1RSTCMT0";

describe.each(["v1", "v2", "v2dict"] as const)("the graph of %s", (name) => {
  const { ancestry, branches } = expected[name]!;

  it("has every snapshot of every branch and tag once, with its parent below it", async () => {
    const repository = await openRepositoryOf(fixtureFiles(name));
    const graph = await repository.graph(ALL, CONTEXT);
    expect(graph).toMatchObject({ hasMore: false, total: graph.rows.length, failed: [] });
    const known = new Map(Object.values(ancestry).flatMap((all) => all.map((one) => [one.id, one] as const)));
    expect(new Set(graph.rows.flatMap(({ id, isDetached }) => (isDetached ? [] : [id])))).toEqual(
      new Set(known.keys()),
    );
    for (const row of graph.rows) {
      const { parent = null, message = row.message } = known.get(row.id) ?? {};
      expect(row.message).toBe(message);
      if (parent !== null) expect(graph.rows[row.parentRow!]!.id).toBe(parent);
      else if (known.has(row.id)) expect(row).toMatchObject({ end: "first" });
    }
    const shown = graph.rows[graph.shown!.row]!;
    expect(shown).toMatchObject({ id: branches["main"], lane: 0, message: graph.shown!.entry!.message });
    expect(graph.shown!.commits).toBe(ancestry["branch:main"]!.length);
    expect(graph.heads.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(branches)));
  });

  it("of one branch has that branch alone, in one lane", async () => {
    const repository = await openRepositoryOf(fixtureFiles(name));
    const of = branches["main"]!;
    const { rows, lanes } = await repository.graph({ ...ALL, of }, CONTEXT);
    expect(rows.map(({ id }) => id)).toEqual(ancestry["branch:main"]!.map(({ id }) => id));
    expect(lanes).toBe(1);
    const window = await repository.graph({ ...ALL, of, from: 1, to: 2 }, CONTEXT);
    expect(window).toMatchObject({ total: rows.length, from: 1, rows: [rows[1]] });
  });
});

describe("a fork", () => {
  it("leads to the branch, and the branch to where it left", async () => {
    const { branches, ancestry } = expected["v2"]!;
    const { rows } = await (await openRepositoryOf(fixtureFiles("v2"))).graph(ALL, CONTEXT);
    const at = (id: string) => rows.find((row) => row.id === id)!;
    const dev = at(branches["dev"]!);
    const fork = rows[dev.joinRow!]!;
    expect(ancestry["branch:main"]!.map(({ id }) => id)).toContain(fork.id);
    expect(fork.lane).not.toBe(dev.lane);
    expect(rows[fork.forkRow!]!.parent).toBe(fork.id);
    expect(fork.joining.length).toBeGreaterThan(0);
  });

  it("refuses what is not a snapshot", async () => {
    const repository = await openRepositoryOf(fixtureFiles("v2"));
    const refused = { code: "icechunk-ref-missing" };
    await expect(repository.graph({ ...ALL, of: "main" }, CONTEXT)).rejects.toMatchObject(refused);
    await expect(repository.changesIn("../x", CONTEXT)).rejects.toMatchObject(refused);
  });
});

describe("format 1", () => {
  it("fetches as many files as it is let, each once, and says that there are more", async () => {
    const { asked, repository } = await openServed(fixtureFiles("v1"));
    asked.length = 0;
    const some = await repository.graph({ ...ALL, limit: 2 }, CONTEXT);
    expect(some).toMatchObject({ total: 2, hasMore: true, rows: [{}, { end: "limit" }] });
    const reported: number[] = [];
    const context = { ...CONTEXT, report: ({ done }: { done: number }) => reported.push(done) };
    expect(await repository.graph(ALL, context)).toMatchObject({ total: 4, hasMore: false });
    expect(reported.length).toBeGreaterThan(0);
    expect(asked.filter((path) => path.startsWith("snapshots/"))).toHaveLength(4);
  });

  it("shows the rest where a file is gone or damaged", async () => {
    const gone = new Map(fixtureFiles("v1"));
    gone.delete(`snapshots/${FIRST}`);
    const { rows } = await (await openRepositoryOf(gone)).graph(ALL, CONTEXT);
    expect(rows.at(-1)).toMatchObject({ end: "missing" });
    const damaged = new Map(fixtureFiles("v1")).set(`snapshots/${FIRST}`, new Uint8Array(50));
    const graph = await (await openRepositoryOf(damaged)).graph(ALL, CONTEXT);
    expect(graph.failed).toHaveLength(1);
    expect(graph.rows.at(-1)).toMatchObject({ end: "unreadable" });
    const { asked, repository } = await openServed(damaged);
    const tries = () => asked.filter((path) => path === `snapshots/${FIRST}`).length;
    for (const to of [0, 10]) await repository.graph({ ...ALL, to }, CONTEXT);
    expect(tries()).toBe(1);
    await repository.graph({ ...ALL, to: 0 }, CONTEXT);
    expect(tries()).toBe(2);
  });

  it("has the snapshots that lie in the folder and nothing leads to, as far as it is let", async () => {
    const { files, truth } = historyFixture("river-07");
    const led = new Set(Object.values(truth.ancestry).flat());
    const lost = Object.keys(truth.anatomy.orphans).flatMap((path) => /^snapshots\/(\w+)$/.exec(path)?.[1] ?? []);
    expect(lost.length).toBeGreaterThan(2);
    const repository = await openRepositoryOf(files);
    const { rows, hasMore } = await repository.graph(ALL, CONTEXT);
    expect(rows.flatMap(({ id, isDetached }) => (isDetached ? [id] : [])).toSorted()).toEqual(lost.toSorted());
    expect([rows.length, hasMore]).toEqual([led.size + lost.length, false]);
    const { detached } = await repository.history(CONTEXT);
    expect(detached.map(({ id }) => id).toSorted()).toEqual(lost.toSorted());
    const times = detached.map(({ time = "" }) => time);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await repository.graph({ ...ALL, limit: led.size }, CONTEXT)).toMatchObject({
      total: led.size,
      hasMore: true,
    });
    const [of = ""] = led;
    expect((await repository.graph({ ...ALL, of }, CONTEXT)).rows.some(({ id }) => lost.includes(id))).toBe(false);
  });

  it("does not take a snapshot for detached where not all branches are known", async () => {
    const { repository } = await openServed(historyFixture("river-07").files);
    expect((await repository.history(CONTEXT)).detached).toEqual([]);
  });

  it("can be cancelled", async () => {
    const { repository } = await openServed(fixtureFiles("v1"));
    const cancelled = repository.graph(ALL, { ...CONTEXT, signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    expect(await repository.graph(ALL, CONTEXT)).toMatchObject({ total: 4 });
  });
});

describe("what the commits of a repository did", () => {
  const name = "v1";
  const commits = expected[name]!.diffs.filter(({ from, to }) =>
    Object.values(expected[name]!.ancestry).some((all) => all.some(({ id, parent }) => id === to && parent === from)),
  );

  it.each(commits)("$to is what the official library names", async ({ to, ...diff }) => {
    const repository = await openRepositoryOf(fixtureFiles(name));
    const { arrays, nodes, isUntold } = await repository.changesIn(to, CONTEXT);
    const counts = Object.entries(diff["updatedChunks"] as Record<string, unknown[]>);
    expect(Object.fromEntries(arrays.map(({ path, count }) => [`/${path}`, count]))).toEqual(
      Object.fromEntries(counts.map(([path, all]) => [path, all.length])),
    );
    expect(isUntold).toBe(false);
    const paths = (kind: string, node: string) =>
      nodes.flatMap((one) => (one.kind === kind && one.node === node ? [`/${one.path}`] : []));
    expect(paths("added", "array")).toEqual(diff["newArrays"]);
    expect(paths("removed", "array")).toEqual(diff["deletedArrays"]);
    for (const { count, chunks = Infinity } of arrays) expect(count).toBeLessThanOrEqual(chunks);
  });
});

it("names nodes that only the commit's own branch has, and says where there is no log", async () => {
  const { branches } = expected["v2"]!;
  const repository = await openRepositoryOf(fixtureFiles("v2"), "branch:main");
  const { arrays, nodes } = await repository.changesIn(branches["dev"]!, CONTEXT);
  expect(nodes).toContainEqual({ kind: "moved", node: "group", path: "deep2", before: "air/deep" });
  for (const { path } of [...arrays, ...nodes]) expect(path).toBeDefined();
  const first = await openRepositoryOf(fixtureFiles("v1"));
  expect(await first.changesIn(FIRST, CONTEXT)).toMatchObject({ isUntold: true, arrays: [], nodes: [] });
});
