/** Expired commits: their logs may be kept for the snapshot that stands for them, or be gone. */
import { expect, it } from "vitest";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import { openRepository } from "#formats/icechunk/index.ts";
import { fixtureFiles, objectsOf, testZstd } from "#formats/icechunk/testing/objects.ts";
import { droppedFiles } from "#io/local-files.ts";
import { filesStore } from "#io/store.ts";
import { compareSnapshots } from "./compare.ts";
import { manifestCache } from "./manifest-cache.ts";
import type { OpenedRepository } from "./set-repository.ts";
import { CONTEXT, openRepositoryOf } from "./testing/open.ts";

const { c1, c2, c3 } = recorded.v2.namedSnapshots;

/** The fixture as if the commit between c1 and c3 had been expired. */
async function expired(prunedLogs: readonly string[]): Promise<OpenedRepository> {
  const files = fixtureFiles("v2");
  const repository = await openRepository(objectsOf(files), testZstd);
  const snapshots = new Map(repository.info!.snapshots);
  snapshots.delete(c2);
  snapshots.set(c3, { ...snapshots.get(c3)!, parent: c1, prunedLogs });
  const dropped = [...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) }));
  const store = filesStore(droppedFiles(dropped), "");
  return {
    store,
    repository: { ...repository, info: { ...repository.info!, snapshots } },
    shown: { kind: "snapshot", snapshot: c3 },
    hierarchy: { nodes: new Map() },
    ids: new Map(),
    manifests: manifestCache(store),
    entries: new Map(),
  } as unknown as OpenedRepository;
}

const withoutOpen = <T extends { readonly shown: boolean }>(arrays: readonly T[]) =>
  arrays.map((array) => ({ ...array, shown: false }));

it("kept logs of expired commits are read before that of the commit that stands for them", async () => {
  const { changes } = await compareSnapshots({ from: c1, to: c3, method: "auto" }, await expired([c2]), CONTEXT);
  const whole = await (
    await openRepositoryOf(fixtureFiles("v2"))
  ).compare({ from: c1, to: c3, method: "auto" }, CONTEXT);
  expect(changes).toMatchObject({ method: "logs", because: { kind: "logs", expired: 1 } });
  expect(changes.nodes).toEqual(whole.nodes);
  expect(changes.arrays).toEqual(withoutOpen(whole.arrays));
});

it("without them the logs that are left are incomplete, and not believed", async () => {
  const { changes } = await compareSnapshots({ from: c1, to: c3, method: "auto" }, await expired([]), CONTEXT);
  const repository = await openRepositoryOf(fixtureFiles("v2"));
  const exact = await repository.compare({ from: c1, to: c3, method: "manifests" }, CONTEXT);
  expect(changes).toMatchObject({
    method: "manifests",
    because: { kind: "log-incomplete" },
  });
  expect(changes.nodes).toEqual(exact.nodes);
  expect(changes.arrays).toEqual(withoutOpen(exact.arrays));
});
