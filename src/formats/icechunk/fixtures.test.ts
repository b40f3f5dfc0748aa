/** Whole repositories against what the official library found in them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import expectedFixtures from "./fixtures/expected.json" with { type: "json" };
import { historyEntries, readHistory } from "./repository.ts";
import type { RepositoryUpdate } from "#core/repository.ts";
import { openRepository, type IcechunkObjects } from "./index.ts";
import { rewritten } from "./testing/rewritten.ts";
import { comparable, describeSnapshot, plain, type ExpectedRepository } from "./testing/expected.ts";
import { fixtureFiles, folderFiles, hasShared, objectsOf, SHARED, testZstd } from "./testing/objects.ts";

const SMALL = ["v1", "v2", "v2dict"] as const;
const LARGE = ["v2default1500", "v2big", "plain_v1", "plain_v2", "cfg_s3", "cfg_http", "cfg_gcs"] as const;

describe.each(SMALL)("the repository %s", (name) => {
  const all = expectedFixtures as unknown as Readonly<Record<string, ExpectedRepository>>;
  checkRepository(objectsOf(fixtureFiles(name)), all[name]!);
});

// The large ones are not part of the project: they are checked where they lie beside it.
describe.skipIf(!hasShared).each(LARGE)("the repository %s", (name) => {
  if (!hasShared) return;
  const folder = join(SHARED, "fixtures/icechunk");
  const { repositories } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as {
    repositories: Record<string, ExpectedRepository>;
  };
  checkRepository(objectsOf(folderFiles(join(folder, name))), repositories[name]!);
});

// What we write of what we read is, to our reader, what the official library found.
describe.each(["v2", "v2dict"] as const)("the repository %s, written again", (name) => {
  const all = expectedFixtures as unknown as Readonly<Record<string, ExpectedRepository>>;
  const written = rewritten(fixtureFiles(name));
  checkRepository({ get: async (path) => (await written).get(path) }, all[name]!);
});

function checkRepository(objects: IcechunkObjects, expected: ExpectedRepository): void {
  it("has the branches, tags and configuration", async () => {
    const repository = await openRepository(objects, testZstd);
    expect(repository.format).toBe(expected.spec);
    expect(Object.fromEntries(repository.branches)).toEqual(expected.branches);
    expect(Object.fromEntries(repository.tags)).toEqual(expected.tags);
    expect(repository.deletedTags).toEqual(expected.deletedTags);
    expect(repository.findings).toEqual([]);
    if (expected.config !== undefined) expect(plain(repository.configuration.stored)).toEqual(expected.config);
    if (expected.status !== undefined) expect(repository.info?.status.availability).toBe(expected.status.toLowerCase());
  });

  it("has the log of operations", async () => {
    const { info } = await openRepository(objects, testZstd);
    expect(info?.updates.map(describeUpdate)).toEqual(expected.updates);
  });

  it.each(Object.entries(expected.ancestry))("has the ancestry of %s", async (name, ancestry) => {
    const repository = await openRepository(objects, testZstd);
    const [kind, ref] = [name.slice(0, name.indexOf(":")), name.slice(name.indexOf(":") + 1)];
    const from = (kind === "branch" ? repository.branches : repository.tags).get(ref)!;
    const history = await readHistory(historyEntries(objects, repository, testZstd), from);
    const entries = history.entries.map(({ id, parent, time, message, metadata }) => {
      return { id, parent: parent ?? null, time, message, metadata: plain(metadata) };
    });
    expect(entries).toEqual(ancestry);
    expect(history.end).toBe("first");
  });

  it.each(Object.entries(expected.snapshots))(
    "has the nodes and references of snapshot %s",
    async (id, snapshot) => {
      expect(await describeSnapshot(objects, id)).toEqual(comparable(snapshot));
    },
    60_000,
  );
}

const NAMES = new Map([
  ["initialized", "RepoInitialized"],
  ["migrated", "RepoMigrated"],
  ["gc-ran", "GCRan"],
  ["commit", "NewCommit"],
  ["amended", "CommitAmended"],
  ["detached-snapshot", "NewDetachedSnapshot"],
  ["flag-changed", "FeatureFlagChanged"],
  ["status-changed", "RepoStatusChanged"],
]);

function describeUpdate({ backup: _backup, ...update }: RepositoryUpdate): unknown {
  const words = update.kind.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const kind = NAMES.get(update.kind) ?? words.join("");
  if (update.kind !== "flag-changed") return { ...update, kind };
  const { flag, value, at } = update;
  return { kind, at, id: flag, value: value ?? false, isSet: value !== undefined };
}
