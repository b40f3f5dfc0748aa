import { describe, expect, it } from "vitest";
import { CONTEXT, openRepositoryOf, openServed } from "../testing/open.ts";
import { historyFixture } from "../testing/histories.ts";
import { simulateExpiry } from "./expire.ts";
import { splitsOf } from "./reader-anatomy.ts";
import { expectAnatomy } from "./testing/expect-anatomy.ts";

describe.each(["river-04", "river-07"] as const)("the anatomy of %s", (name) => {
  const recorded = historyFixture(name);

  it("is the sum of its files, with orphans and what expiring frees", () => expectAnatomy(recorded));

  it("goes on without a manifest, a snapshot or a chunk that is missing, and says so", async () => {
    const { files, truth } = recorded;
    const reached = (folder: string) =>
      [...files.keys()].filter((path) => path.startsWith(folder) && truth.anatomy.orphans[path] === undefined);
    const without = (path = "") => new Map([...files].filter(([other]) => other !== path));
    const lost = await openRepositoryOf(without(reached("manifests/")[0]));
    const { unread, findings } = await lost.anatomy(CONTEXT);
    expect([unread, findings.map(({ code }) => code)]).toEqual([1, ["icechunk-object-missing"]]);
    const chunkless = await openRepositoryOf(without(reached("chunks/")[0]));
    expect((await chunkless.anatomy(CONTEXT)).missingChunks).toBe(1);
  });

  it("stops when it is cancelled", async () => {
    const repository = await openRepositoryOf(recorded.files);
    const stopped = { ...CONTEXT, signal: AbortSignal.abort() };
    await expect(repository.anatomy(stopped)).rejects.toThrow(/abort/i);
    expect((await repository.anatomy(CONTEXT)).bytes).toEqual(recorded.truth.anatomy.bytes);
  });
});

describe("the anatomy of a repository that cannot be listed", () => {
  it("has the sizes that snapshots and references record, and names what they name", async () => {
    const { files, truth } = historyFixture("river-04");
    const { repository } = await openServed(files);
    const { bytes, listed, orphans } = await repository.anatomy(CONTEXT);
    const { metadata, ...rest } = truth.anatomy.bytes;
    expect([listed, bytes]).toMatchObject(["none", rest]);
    const logs = [...files].filter(([path]) => path.startsWith("transactions/") && !(path in truth.anatomy.orphans));
    expect(bytes.metadata).toBe(metadata - logs.reduce((sum, [, log]) => sum + log.length, 0));
    expect(orphans.filter(({ name }) => !(name in truth.anatomy.orphans))).toEqual([]);
    const { before, freed } = truth.anatomy.expire;
    const known = new Set(freed);
    const simulated = await repository.expiry(before, CONTEXT);
    expect(simulated.freed.filter((path) => !known.has(path))).toEqual([]);
    // Chunks of a commit that was killed are in no snapshot that `repo` lists.
    const isNamed = (path: string) => !/killed|never was/.test(truth.anatomy.orphans[path] ?? "");
    expect(simulated.unnamed).toBe(freed.filter((path) => path.startsWith("chunks/") && isNamed(path)).length);
  });

  it("is that of the branch main alone in format 1", async () => {
    const { files, truth } = historyFixture("river-07");
    const { repository } = await openServed(files);
    const { snapshots, bytes } = await repository.anatomy(CONTEXT);
    expect(snapshots.map(({ id }) => id).toReversed()).toEqual(truth.ancestry["branch:main"]);
    expect(bytes.manifests).toBeLessThanOrEqual(truth.anatomy.bytes.manifests);
  });
});

describe("expiring", () => {
  it("keeps heads, the first snapshot, and those that are not older", () => {
    const at = (time: string, refs: readonly string[], parent: string | undefined) => ({
      id: time,
      time,
      refs,
      parent,
      message: "",
      size: 10,
      isReached: true,
      manifests: new Uint32Array(),
    });
    const byRank = [
      at("2026-01-02T00:00:00.000001Z", [], "a"),
      at("2026-01-03T00:00:00.000000Z", [], "b"),
      at("2026-01-01T00:00:00.000000Z", [], undefined),
      at("2026-01-01T12:00:00.000000Z", ["tag v1"], "c"),
    ];
    const files = byRank.map(({ id, size }, index) => ({
      name: id,
      bytes: size,
      part: "metadata" as const,
      rank: index + 1,
      shares: [],
    }));
    const collected = { ranked: { byRank, ranks: [], firstHead: 4 }, files, unlisted: [], places: new Map() };
    const freedBefore = (before: string) => simulateExpiry(collected, before).freed.length;
    expect(["2026-01-02", "2026-01-02T00:00:00.001Z", "2026-01-03", "2099-01-01"].map(freedBefore)).toEqual([
      0, 1, 1, 2,
    ]);
    expect(simulateExpiry(collected, undefined)).toMatchObject({ expired: 0, kept: 4, freed: [], bytes: 0 });
  });
});

describe("a better split", () => {
  it("is the coarsest that costs at most twice the best before one chunk", () => {
    const million = { references: 1_000_000, manifests: 1, manifestBytes: 20_000_200 };
    const { splits, better } = splitsOf(million, million.manifestBytes, 5000);
    expect(splits.map(({ references, manifests }) => [references, manifests])).toEqual([
      [1000, 1000],
      [10_000, 100],
      [100_000, 10],
      [1_000_000, 1],
    ]);
    expect(better).toBe(0);
    expect(splits[3]?.before).toBe(5000 + 20_000_200);
  });

  it("is not named where the present one is about as good, or the array is small", () => {
    const split = { references: 1_000_000, manifests: 1000, manifestBytes: 20_200_000 };
    expect(splitsOf(split, 20_200, 65_000).better).toBeUndefined();
    expect(splitsOf({ references: 100, manifests: 1, manifestBytes: 3000 }, 3000, 100)).toEqual({ splits: [] });
  });
});
