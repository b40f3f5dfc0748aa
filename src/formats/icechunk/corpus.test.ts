/** Repositories by other people's writers, against what the official library (2.2.2) found in them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { corpus, entriesHere, recordedIn } from "#core/testing/corpus.ts";
import { historyEntries, readHistory } from "./repository.ts";
import { chunkPath, fetchSnapshot, openRepository, resolveLocation } from "./index.ts";
import type { Configuration, IcechunkObjects, SnapshotNode } from "./index.ts";
import { referencesOf, sha256, type PlacedReference } from "./testing/expected.ts";
import { folderFiles, objectsOf, testZstd, unlisted } from "./testing/objects.ts";

const CORPUS = corpus.folder;

interface ExpectedBranch {
  readonly snapshot: string;
  readonly virtual: readonly string[];
  readonly nvirtual: number;
  readonly nkeys: number;
  readonly keys: Readonly<Record<string, "array" | "group" | { len?: number; sha256?: string; error?: string }>>;
  readonly ancestry: readonly (readonly [string, string])[];
}

interface ExpectedRepository {
  readonly specVersion: number | null;
  readonly error?: string;
  readonly prefixes?: readonly string[];
  readonly branches?: Readonly<Record<string, ExpectedBranch>>;
  readonly tags?: Readonly<Record<string, string>>;
}

const ENTRIES = entriesHere([
  "icechunk-0.1-2024-12",
  "icechunk-expired-v1",
  "icechunk-http-vcc",
  "icechunk-test-repo-v1",
  "icechunk-test-repo-v2",
  "icechunk-test-repo-v2-migrated",
  "neuroglancer-icechunk",
  "gen-icechunk-virtual-a",
  "zarrs-icechunk-virtual",
]);

function recorded(): readonly (readonly [string, ExpectedRepository])[] {
  return ENTRIES.flatMap((entry) =>
    Object.entries(recordedIn<ExpectedRepository>(entry)["icechunk_read_with_earthmover_icechunk_2.2.2"] ?? {}),
  );
}

/** Present places of targets that moved. */
const MOVED: readonly (readonly [string, string])[] = [
  ["http://127.0.0.1:8765/", join(CORPUS, "gen-icechunk-virtual-a/")],
  [
    "https://github.com/zarrs/zarrs_icechunk/raw/refs/heads/main/examples/data/",
    join(CORPUS, "zarrs-icechunk-virtual/"),
  ],
];

describe(`repositories of ${corpus.title}`, () => {
  const known = recorded();
  const readable = known.filter(([, { error }]) => error === undefined);
  const refused = known.filter(([, { error }]) => error !== undefined);

  it("are all here", () => {
    expect(readable.length).toBeGreaterThanOrEqual(corpus.isWhole ? 9 : 6);
    expect(refused.length).toBeGreaterThanOrEqual(corpus.isWhole ? 4 : 1);
  });

  it.each(readable)("%s reads as in the official library", async (path, expected) => {
    const objects = objectsOf(folderFiles(join(CORPUS, path)));
    const repository = await openRepository(objects, testZstd);
    expect(repository.format).toBe(expected.specVersion);
    expect(Object.fromEntries(repository.tags)).toEqual(expected.tags);
    expect([...repository.branches.keys()].sort()).toEqual(Object.keys(expected.branches ?? {}).sort());
    for (const [name, branch] of Object.entries(expected.branches ?? {})) {
      expect(repository.branches.get(name)).toBe(branch.snapshot);
      const { entries } = await readHistory(historyEntries(objects, repository, testZstd), branch.snapshot);
      expect(entries.map(({ id, message }) => [id, message])).toEqual(branch.ancestry);
      await checkBranch(objects, repository.configuration, branch);
    }
  });

  it.each(readable)("%s gives its main branch where listing is impossible", async (path, expected) => {
    const { branches, refsComplete, format } = await openRepository(
      unlisted(objectsOf(folderFiles(join(CORPUS, path)))),
      testZstd,
    );
    expect(branches.get("main")).toBe(expected.branches?.["main"]?.snapshot);
    expect(refsComplete).toBe(format === 2);
  });

  it.each(refused)("%s is refused with what wrote it", async (path) => {
    const objects = objectsOf(folderFiles(join(CORPUS, path)));
    const headless = path.includes("2024-12");
    const writer = headless ? undefined : (expect.stringContaining("0.1") as unknown);
    const failure = { code: "icechunk-too-old", finding: { facts: { writer, headless } } };
    await expect(openRepository(objects, testZstd)).rejects.toMatchObject(failure);
    await expect(openRepository(unlisted(objects), testZstd)).rejects.toMatchObject(failure);
  });
});

async function checkBranch(
  objects: IcechunkObjects,
  configuration: Configuration,
  expected: ExpectedBranch,
): Promise<void> {
  const { nodes } = await fetchSnapshot(objects, testZstd, expected.snapshot);
  const keys = new Map<string, unknown>();
  const locations: string[] = [];
  for (const node of nodes) {
    const path = node.path === "/" ? "" : `${node.path.slice(1)}/`;
    keys.set(`${path}zarr.json`, node.kind);
    for (const placed of await placedReferences(objects, node)) {
      const key = `${path}${["c", ...placed.at].join("/")}`;
      keys.set(key, await describeBytes(objects, placed, expected.keys[key]));
      const { reference } = placed;
      if (reference.kind !== "virtual") continue;
      locations.push(reference.location);
      expect(resolveLocation(reference.location, configuration).container, reference.location).toBeDefined();
    }
  }
  // The library lists the root's group only where something is below it.
  if (expected.nkeys === 0) keys.delete("zarr.json");
  expect(Object.fromEntries(keys)).toEqual(expected.keys);
  expect(keys.size).toBe(expected.nkeys);
  expect(locations).toHaveLength(expected.nvirtual);
  // Some of them were recorded, not all.
  expect(locations).toEqual(expect.arrayContaining([...expected.virtual]));
}

async function placedReferences(objects: IcechunkObjects, node: SnapshotNode) {
  return node.kind === "group" ? [] : (await referencesOf(objects, node)).placed;
}

/** Length and hash as recorded; of a virtual chunk that the library could not fetch, what it said. */
async function describeBytes(objects: IcechunkObjects, { reference }: PlacedReference, recordedKey: unknown) {
  if (reference.kind === "virtual") {
    const target = localTarget(reference.location);
    if (target === undefined || (recordedKey as { error?: string } | undefined)?.error !== undefined)
      return recordedKey;
    return hashed(readFileSync(target).subarray(Number(reference.offset)), Number(reference.length));
  }
  if (reference.kind === "inline") return hashed(reference.bytes, reference.bytes.length);
  if (reference.kind === "bad") return reference;
  const bytes = await objects.get(chunkPath(reference.chunk));
  return hashed(bytes!.subarray(Number(reference.offset)), Number(reference.length));
}

function localTarget(location: string): string | undefined {
  for (const [prefix, folder] of MOVED) {
    const path = folder + location.slice(prefix.length);
    if (location.startsWith(prefix) && existsSync(path)) return path;
  }
  return undefined;
}

function hashed(bytes: Uint8Array, length: number) {
  const own = bytes.subarray(0, length);
  return { len: own.length, sha256: sha256(own).slice(0, 16) };
}
