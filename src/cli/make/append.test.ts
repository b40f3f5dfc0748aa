/** `write --onto`: a commit on a local repository, or why there can be none, before anything is written. */
import promises from "node:fs/promises";
import { cpSync, existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"; // prettier-ignore
import { syncBuiltinESMExports } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { icechunkZstd } from "#engine/repository/objects.ts";
import { appendTo, type WritableRepository } from "#engine/write/icechunk/append-branch.ts";
import { readStoredRepo } from "#formats/icechunk/repository.ts";
import { writeRepoInfo } from "#formats/icechunk/write/index.ts";
import { openSet } from "../open-refs.ts";
import { type AppendedSet, writeSet } from "../testing/append-sets.ts";
import { CONTEXT } from "../testing/open-corpus.ts";
import { runCommand } from "../testing/run-command.ts";
import { replaceRepo } from "./commit-locally.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-append-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FIRST = join(folder, "first");
let number = 0;
const place = () => join(folder, String((number += 1)));

/** A copy of a repository with three steps. */
function repository(): string {
  const path = place();
  cpSync(FIRST, path, { recursive: true });
  return path;
}

beforeAll(async () => {
  const set = writeSet(place(), { first: 0, steps: 3 });
  expect(await runCommand(["write", set, "--as", "icechunk", "--out", FIRST])).toMatchObject({ status: 0 });
});

async function append(onto: string, set: AppendedSet, ...options: readonly string[]) {
  return runCommand(["write", writeSet(place(), set), "--onto", onto, "--json", ...options]);
}

const refsOf = async (path: string, ...options: readonly string[]) => {
  const { stdout } = await runCommand(["refs", path, ...options]);
  return (JSON.parse(stdout) as { refs: Record<string, unknown> }).refs;
};
const filesOf = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted();

describe("steps along a dimension", () => {
  it("continue arrays that have it; what is there stays as it is", async () => {
    const onto = repository();
    const before = filesOf(onto);
    const done = await append(onto, { first: 3, steps: 2 }, "--along", "time", "--message", "two more");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    const { snapshot, references, files } = JSON.parse(done.stdout) as Record<string, unknown>;
    // Manifests of time and v, a snapshot and its log; besides, `repo` and its backup.
    expect([references, files]).toEqual([4, 4]);
    expect(filesOf(onto).filter((name) => !before.includes(name))).toHaveLength(
      5 + Number(!before.includes("overwritten")),
    );
    const refs = await refsOf(onto);
    expect(refs["v/c/4/0"]).toEqual(["https://data.example.org/day-3.bin", 6, 6]);
    expect(refs["v/c/2/0"]).toEqual(["https://data.example.org/day-0.bin", 12, 6]);
    expect(JSON.parse(refs["v/zarr.json"] as string)).toMatchObject({ shape: [5, 3] });
    expect(JSON.parse(refs["lat/zarr.json"] as string)).toMatchObject({ shape: [3] });
    const { stdout } = await runCommand(["history", onto, "--json"]);
    const { ancestry, updates } = JSON.parse(stdout) as {
      ancestry: { entries: { id: string; message: string }[] };
      updates: unknown[];
    };
    expect(ancestry.entries[0]).toMatchObject({ id: snapshot, message: "two more" });
    expect(updates.slice(0, 2)).toMatchObject([{ kind: "commit" }, { kind: "commit" }]);
    const values = await runCommand(["read", onto, "--array", "time"]);
    expect(values.stdout).toContain("4");
  });

  it("are as if they had been written at once", async () => {
    const [onto, whole] = [repository(), place()];
    for (const [first, steps] of [
      [3, 4],
      [7, 1],
      [8, 2],
    ] as const)
      expect((await append(onto, { first, steps }, "--along", "time")).status).toBe(0);
    const digest = async (path: string) => (await runCommand(["read", path, "--array", "time"])).stdout;
    await runCommand(["write", writeSet(place(), { first: 0, steps: 10 }), "--as", "icechunk", "--out", whole]);
    expect(await digest(onto)).toBe(await digest(whole));
    expect(Object.keys(await refsOf(onto)).toSorted()).toEqual(Object.keys(await refsOf(whole)).toSorted());
  });
});

it("new arrays are added; those that are there and the same stay", async () => {
  const onto = repository();
  const { status, stdout } = await append(onto, { first: 0, steps: 3, copies: 2, only: ["time", "lat", "v0", "v1"] });
  expect([status, (JSON.parse(stdout) as { references: number }).references]).toEqual([0, 6]);
  expect(Object.keys(await refsOf(onto))).toContain("v1/c/2/0");
});

it("attributes of a group that is there are named, since it keeps its own", async () => {
  const onto = repository();
  const set = writeSet(place(), { first: 3, steps: 1 });
  const { refs } = { refs: JSON.parse(readFileSync(set, "utf8")) as object };
  writeFileSync(set, JSON.stringify({ ...refs, ".zattrs": '{"history":"made","title":"t"}' }));
  const { status, stderr } = await runCommand(["write", set, "--onto", onto, "--along", "time"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("2 attributes of the group are not written")]);
});

it("an array of the same references is the same, though its chunks cannot be read", async () => {
  const onto = repository();
  const done = await append(onto, { first: 0, steps: 3, copies: 1, only: ["v", "v0"] });
  expect([done.stderr, done.status]).toEqual(["", 0]);
  const other = await append(onto, { first: 1, steps: 3, copies: 2, only: ["v", "v1"] });
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("could not be read")]);
});

it("a commit is younger than its parent, and its operation than the one before, whatever the clock says", async () => {
  const onto = repository();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2001, 1, 1) });
  try {
    expect(await append(onto, { first: 3, steps: 1 }, "--along", "time")).toMatchObject({ status: 0 });
  } finally {
    vi.useRealTimers();
  }
  const { stdout } = await runCommand(["history", onto, "--json"]);
  const { ancestry, updates } = JSON.parse(stdout) as {
    ancestry: { entries: { time: string }[] };
    updates: { at: string }[];
  };
  const [child = "", parent = ""] = ancestry.entries.map(({ time }) => time);
  expect(child > parent).toBe(true);
  expect((updates[0]?.at ?? "") > (updates[1]?.at ?? "")).toBe(true);
});

it("a branch of its own is named", async () => {
  const done = await append(repository(), { first: 3, steps: 1 }, "--along", "time", "--branch", "dev");
  expect(done.status).toBe(2);
  expect(done.stderr).toContain("dev");
});

describe("nothing is written where", () => {
  it.each<[string, AppendedSet, readonly string[], string]>([
    ["a coordinate does not go on", { first: 2, steps: 2 }, ["--along", "time"], "does not go on"],
    [
      "values are packed otherwise",
      { first: 3, steps: 1, attributes: { scale_factor: 2 } },
      ["--along", "time"],
      "scale_factor",
    ],
    ["chunks are of another length", { first: 3, steps: 2, each: 2 }, ["--along", "time"], "chunk shape"],
    ["other dimensions are longer", { first: 3, steps: 1, latitudes: [1, 2] }, ["--along", "time"], "along lat"],
    ["other coordinates differ", { first: 3, steps: 1, latitudes: [10, 20, 31] }, ["--along", "time"], "other values"],
    [
      "an array would stay behind",
      { first: 3, steps: 1, only: ["time", "lat"] },
      ["--along", "time"],
      "has the dimension",
    ],
    ["a new array has the dimension", { first: 3, steps: 1, copies: 1 }, ["--along", "time"], "v0 is new"],
    ["nothing has the dimension", { first: 0, steps: 3, copies: 1 }, ["--along", "tiem"], "has the dimension tiem"],
    ["no dimension is named", { first: 3, steps: 1 }, [], "another length"],
    ["all of it is there", { first: 0, steps: 3, only: ["lat", "time"] }, [], "has all of"],
  ])("%s", async (_, set, options, words) => {
    const onto = repository();
    const before = filesOf(onto);
    const { status, stderr, stdout } = await append(onto, set, ...options);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("append-refused");
    expect(stderr).toContain(words);
    expect(filesOf(onto)).toEqual(before);
  });

  it("the last chunk is not full", async () => {
    const [set, onto] = [writeSet(place(), { first: 0, steps: 3, each: 2 }), place()];
    await runCommand(["write", set, "--as", "icechunk", "--out", onto]);
    const { status, stderr } = await append(onto, { first: 3, steps: 2, each: 2 }, "--along", "time");
    expect([status, stderr]).toEqual([2, expect.stringContaining("no multiple of its chunks of 2")]);
  });

  it.each([
    ["a repository of format 1", ["refs/branch.main/ref.json", '{"snapshot":"1CECHNKREP0F1RSTCMT0"}'], "format 1"],
    ["a folder of something else", ["a.txt", ""], "no local Icechunk repository"],
  ])("it is %s", async (_, [name = "", text = ""], words) => {
    const onto = place();
    const path = join(onto, name);
    cpSync(FIRST, join(onto, "snapshots"), { recursive: true });
    cpSync(join(FIRST, "repo"), path);
    writeFileSync(path, text);
    const { status, stderr } = await append(onto, { first: 3, steps: 1 });
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

it("a status that changes meanwhile is said after one attempt", async () => {
  const onto = repository();
  const refs = writeSet(place(), { first: 3, steps: 1 });
  const zstd = icechunkZstd(CONTEXT.signal);
  const info = await readStoredRepo(readFileSync(join(onto, "repo")), zstd);
  const closed = await writeRepoInfo({ ...info, status: { ...info.status, availability: "read-only" } });
  let attempts = 0;
  const get = (path: string) => Promise.resolve(readFileSync(join(onto, path)));
  const replacing: WritableRepository = {
    get: async (path) => (path === "repo" && attempts > 0 ? closed : get(path)),
    open: (branch) => openSet(onto, { ref: `branch:${branch}` }, CONTEXT),
    put: () => Promise.resolve(),
    replace: async ({ make }) => {
      attempts += 1;
      expect(await make(closed)).toBeUndefined();
    },
  };
  const done = await appendTo(replacing, () => openSet(refs, {}, CONTEXT), { along: "time" }, CONTEXT);
  expect(done).toMatchObject({ problems: [{ code: "append-refused", facts: { problem: "read-only" } }] });
  expect(attempts).toBe(1);
});

describe("`repo` is replaced", () => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  const plain = (words: string) => {
    const root = place();
    cpSync(FIRST, root, { recursive: true });
    writeFileSync(join(root, "repo"), words);
    return root;
  };
  const other = (root: string, words: string) => {
    writeFileSync(join(root, "repo#9"), words);
    renameSync(join(root, "repo#9"), join(root, "repo"));
  };
  const has = (words: string) => (bytes: Uint8Array) => Promise.resolve(text(bytes).includes(words));
  const adding = (words: string) => (bytes: Uint8Array) =>
    Promise.resolve({ bytes: Buffer.from(text(bytes) + words), backup: `overwritten/${text(bytes)}` });

  it("once, and the old one is kept under its backup's name", async () => {
    const root = plain("a");
    await replaceRepo(root, { make: adding("b"), has: has("b") }, CONTEXT);
    expect(readFileSync(join(root, "repo"), "utf8")).toBe("ab");
    expect(readFileSync(join(root, "overwritten/a"), "utf8")).toBe("a");
    expect(readdirSync(root).filter((name) => name.startsWith("repo"))).toEqual(["repo"]);
  });

  it("anew from what another writer made of it meanwhile", async () => {
    const root = plain("a");
    let times = 0;
    const make = (bytes: Uint8Array) => {
      if ((times += 1) === 1) other(root, "a, theirs");
      return adding(", ours")(bytes);
    };
    await replaceRepo(root, { make, has: has("ours") }, CONTEXT);
    expect(readFileSync(join(root, "repo"), "utf8")).toBe("a, theirs, ours");
  });

  it("again where a writer that read it before replaces ours", async () => {
    const root = plain("a");
    const late = setTimeout(() => other(root, "a, theirs"), 100);
    await replaceRepo(root, { make: adding(", ours"), has: has("ours") }, CONTEXT);
    clearTimeout(late);
    expect(readFileSync(join(root, "repo"), "utf8")).toBe("a, theirs, ours");
  });

  it("not at all where there is nothing to do", async () => {
    const root = plain("a");
    await replaceRepo(root, { make: () => Promise.resolve(undefined), has: has("b") }, CONTEXT);
    expect([readFileSync(join(root, "repo"), "utf8"), existsSync(join(root, "repo#lock"))]).toEqual(["a", false]);
  });

  it("though a program that has ended left its lock", async () => {
    const root = plain("a");
    writeFileSync(join(root, "repo#lock"), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
    await replaceRepo(root, { make: adding("b"), has: has("b") }, CONTEXT);
    expect(readFileSync(join(root, "repo"), "utf8")).toBe("ab");
  });

  it.each([
    ["whose number is that of this program", {}],
    ["whose number another program has by now", { pid: process.ppid, age: 100 }],
  ])(
    "though a program left its lock, %s",
    async (_, { pid = process.pid, age = 0 }: { pid?: number; age?: number }) => {
      const root = plain("a");
      const lock = join(root, "repo#lock");
      writeFileSync(lock, JSON.stringify({ pid, host: hostname() }));
      const seconds = Date.now() / 1000 - age;
      utimesSync(lock, seconds, seconds);
      await replaceRepo(root, { make: adding("b"), has: has("b") }, CONTEXT);
      expect(readFileSync(join(root, "repo"), "utf8")).toBe("ab");
    },
  );

  it("again where a writer that had linked it before replaces ours, however late", async () => {
    const root = plain("a");
    linkSync(join(root, "repo"), join(root, "theirs"));
    const late = setTimeout(() => other(root, "a, theirs"), 1000);
    await replaceRepo(root, { make: adding(", ours"), has: has("ours") }, CONTEXT);
    clearTimeout(late);
    expect(readFileSync(join(root, "repo"), "utf8")).toBe("a, theirs, ours");
  });

  it("with a copy of the old one where the file system has no links", async () => {
    const root = plain("a");
    const { link } = promises;
    promises.link = () => Promise.reject(Object.assign(new Error("no links"), { code: "EPERM" }));
    syncBuiltinESMExports();
    try {
      await replaceRepo(root, { make: adding("b"), has: has("b") }, CONTEXT);
    } finally {
      promises.link = link;
      syncBuiltinESMExports();
    }
    expect([readFileSync(join(root, "repo"), "utf8"), readFileSync(join(root, "overwritten/a"), "utf8")]).toEqual([
      "ab",
      "a",
    ]);
    expect(readdirSync(root).filter((name) => name.startsWith("repo"))).toEqual(["repo"]);
  });

  it("by many at once, none lost", async () => {
    const root = plain("first");
    const names = Array.from({ length: 6 }, (_, at) => `<${at}>`);
    await Promise.all(names.map((name) => replaceRepo(root, { make: adding(name), has: has(name) }, CONTEXT)));
    const found = readFileSync(join(root, "repo"), "utf8");
    for (const name of names) expect(found).toContain(name);
  });
});
