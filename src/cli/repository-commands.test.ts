/** `history` and `compare` as they are given, on a repository of the fixtures. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Anatomy, type Expiry, storedBytes } from "../core/anatomy.ts";
import type { Ancestry, ChangedChunk, RepositoryHistory, SnapshotChanges } from "../core/repository.ts";
import recorded from "../formats/icechunk/fixtures/expected.json" with { type: "json" };
import { fixtureFiles } from "../formats/icechunk/testing/objects.ts";
import { printable } from "./print/lines.ts";
import { runCommand, startCommand } from "./testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-repository-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [path, bytes] of fixtureFiles("v2")) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

const run = (...args: readonly string[]) => runCommand(args);

const { branches, tags, ancestry, diffs } = recorded.v2;

it("texts of a repository do not steer the terminal", () => {
  expect(printable("a\u001b[2Jb\u009bc\nd\u202ee\u2028f")).toBe("a�[2Jb�c�d�e�f");
  expect(printable("größe 🌊 \t")).toBe("größe 🌊 �");
});

describe("digest with targets below a root", () => {
  it("says which of them were changed after their references were written", async () => {
    const targets = mkdtempSync(join(tmpdir(), "refscope-targets-"));
    writeFileSync(join(targets, "data.bin"), new Uint8Array(880));
    utimesSync(join(targets, "data.bin"), 0, Date.UTC(2024, 4, 6, 7, 8, 9, 900) / 1000);
    const { stdout } = await run("digest", folder, "--root", targets, "--offline", "--threads", "0");
    rmSync(targets, { recursive: true });
    const changed = stdout
      .replaceAll(/\n {4}/g, " ")
      .split("\n")
      .filter((line) => line.includes("icechunk-target-changed"));
    expect(changed).toEqual([expect.stringMatching(/icechunk-target-changed air\/virt 1\.1: .*2001-01-01T00:00:00/)]);
    expect(stdout).not.toMatch(/not-compared air\/virt\/c\/(?:0\/0|1\/1)/);
  });
});

describe("history", () => {
  it("prints branches, tags and the chain of a ref as JSON", async () => {
    const { status, stdout } = await startCommand(["history", folder, "--json", "--ref", "tag:v1.0", "--limit", "2"]);
    expect(status).toBe(0);
    const printed = JSON.parse(stdout) as RepositoryHistory & { readonly ancestry: Ancestry };
    expect(printed.shown).toEqual({ kind: "tag", name: "v1.0", snapshot: tags["v1.0"] });
    expect(printed.branches.map(({ name }) => name).sort((a, b) => a.localeCompare(b))).toEqual(Object.keys(branches));
    expect(printed.ancestry).toMatchObject({ from: tags["v1.0"], end: "limit" });
    expect(printed.ancestry.entries.map(({ id }) => id)).toEqual(ancestry["tag:v1.0"].slice(0, 2).map(({ id }) => id));
  });

  it("prints them in lines, and refuses what it cannot do", async () => {
    const { status, stdout } = await run("history", folder);
    expect(status).toBe(0);
    for (const { id, message } of ancestry["branch:main"])
      expect(stdout).toMatch(new RegExp(`${id}.*${message.replace("+", "\\+")}`));
    expect(stdout).toContain("deleted tag doomed");
    expect(await run("history", folder, "--limit", "0")).toMatchObject({ status: 2 });
    expect((await run("history", "public/samples/ocean.v1.json")).stderr).toContain("repository has a history");
  });
});

describe("compare", () => {
  type Printed = Omit<SnapshotChanges, "arrays"> & {
    readonly arrays: readonly { readonly path: string; readonly chunks: readonly ChangedChunk[] }[];
  };

  it("prints what differs as JSON, with the coordinates", async () => {
    const { from, to, updatedChunks } = diffs[1]!;
    const { status, stdout } = await run("compare", folder, from, "main", "--json");
    expect(status).toBe(0);
    const printed = JSON.parse(stdout) as Printed;
    expect(printed).toMatchObject({ from, to, method: "logs" });
    const chunks = printed.arrays.map(({ path, chunks }) => [`/${path}`, chunks.map(({ coordinates }) => coordinates)]);
    expect(Object.fromEntries(chunks)).toEqual(updatedChunks);
  });

  it("prints it in lines, by manifests where that is asked for", async () => {
    const { status, stdout } = await run("compare", folder, "v1.0", "branch:main", "--by", "manifests");
    expect(status).toBe(0);
    expect(stdout).toContain("updated  group air: metadata\nchunks   time: 1 changed: [0]\n");
    expect((await run("compare", folder, "main", "main")).stdout).toContain("nothing differs");
    expect(await run("compare", folder, "main", "main", "--by", "logs")).toMatchObject({ status: 2 });
    expect((await run("compare", folder, "main")).status).toBe(2);
    expect((await run("compare", folder, "main", "nowhere")).stderr).toContain("branch:dev, branch:main and tag:v1.0");
  });
});

describe("anatomy", () => {
  const sizes = new Map([...fixtureFiles("v2")].map(([path, bytes]) => [path, bytes.length] as const));
  const sum = (paths: readonly string[]) => paths.reduce((all, path) => all + (sizes.get(path) ?? NaN), 0);

  it("accounts for every file of the repository: reached, orphan, or older", async () => {
    const { status, stdout } = await run("anatomy", folder, "--json", "--expire-before", "2000-01-01");
    expect(status).toBe(0);
    const printed = JSON.parse(stdout) as Omit<Anatomy, "orphans"> & { orphans: readonly string[]; expire: Expiry };
    expect(Object.keys(printed.bytes)).toEqual(["native", "virtual", "inline", "manifests", "metadata"]);
    const all = storedBytes(printed.bytes) + sum(printed.orphans) + printed.overwritten.bytes;
    expect(all).toBe(sum([...sizes.keys()]));
    expect(printed.expire).toMatchObject({ freed: printed.orphans, bytes: sum(printed.orphans), expired: 0 });
    expect(printed.arrays.map(({ path }) => path)).toContain("air/virt");
    expect(printed.snapshots.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(branches)));
  });

  it("prints tables and the effect of expiring, and refuses what is no date", async () => {
    const { status, stdout } = await run("anatomy", folder, "--expire-before", "2099-01-01", "--limit", "1");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}Native chunks +[\d,]+ B/m);
    expect(stdout).toMatch(/Expiring \d+ of \d+ snapshots before 2099-01-01 .* would free \d+ files/);
    expect(stdout).toMatch(/… and \d+ more rows/);
    const refused = await run("anatomy", folder, "--expire-before", "2099-31-01");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("expects a date such as 2026-01-31")]);
  });
});
