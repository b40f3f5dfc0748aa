/** Tests how commands write: never over their input, over existing files only with --force, whole or not at all. */
import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "./testing/run-command.ts";
import { writeOut, writeOutFolder } from "./write-out.ts";

const SAMPLES = resolve("public/samples");

let folder = "";
const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), "utf8");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-write-"));
  for (const name of ["ocean-a.nc", "ocean-b.nc", "ocean-broken.json", "ocean-a.v0.json"])
    copyFileSync(join(SAMPLES, name), at(name));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Every command that writes, to `out`. */
const WRITING: Readonly<Record<string, (out: string) => readonly string[]>> = {
  "combine --out": (out) => ["combine", at("ocean-a.nc"), "--out", out],
  "write JSON": (out) => ["write", at("ocean-a.v0.json"), "--as", "kerchunk-json", "--out", out],
  capsule: (out) => ["capsule", at("ocean-a.v0.json"), "--array", "checked", "--chunk", "0.0", "--out", out],
  "check --report": (out) => ["check", at("ocean-a.v0.json"), "--report", `json=${out}`],
  "check --write-expect": (out) => ["check", at("ocean-a.v0.json"), "--write-expect", out],
  "check --write-accept": (out) => ["check", at("ocean-a.v0.json"), "--write-accept", out],
  "check --fix --out": (out) => ["check", at("ocean-broken.json"), "--fix", "--out", out],
  "read --npy": (out) => ["read", at("ocean-a.v0.json"), "--array", "checked", "--npy", out],
};

describe.each(Object.entries(WRITING))("%s", { timeout: 300_000 }, (_, command) => {
  it("writes a new file, and replaces one that is there only by --force", async () => {
    const out = at("out");
    expect((await runCommand(command(out))).status).not.toBe(2);
    const written = readFileSync(out);
    writeFileSync(out, "mine");
    expect(await runCommand(command(out))).toMatchObject({
      status: 2,
      stdout: "",
      stderr: `${out} is there already: name another file, or replace it with --force.\n`,
    });
    expect(read("out")).toBe("mine");
    await runCommand([...command(out), "--force"]);
    expect(statSync(out).size).toBeGreaterThan(written.length / 2);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("never replaces what it reads, by whatever name, nor a file that references name", async () => {
    linkSync(at("ocean-a.nc"), at("hard"));
    const document = command("").find((word) => word.startsWith(folder)) ?? "";
    symlinkSync(document, at("document"));
    for (const out of [at("hard"), at("document")]) {
      const before = readFileSync(out);
      const { status, stderr } = await runCommand([...command(out), "--force"]);
      expect([status, stderr]).toEqual([2, `${out} is read by this command: name another file for the output.\n`]);
      expect(readFileSync(out).equals(before)).toBe(true);
    }
  });
});

it("refuses two outputs of one name, what lies in a folder that is read, and folders that are not empty", async () => {
  symlinkSync("new.json", at("link"));
  const two = ["check", at("ocean-a.v0.json"), "--report", `json=${at("new.json")}`, "--report", `sarif=${at("link")}`];
  expect((await runCommand(two)).stderr).toContain("is named for two outputs");
  mkdirSync(at("data"));
  copyFileSync(at("ocean-a.nc"), at("data/a.nc"));
  for (const name of ["a.nc", "note.txt"]) {
    writeFileSync(at("data/note.txt"), "");
    const inside = ["combine", at("data"), "--out", at(`data/${name}`), "--force"];
    expect((await runCommand(inside)).stderr).toMatch(/lies in .*data, which this command reads|read by this command/);
  }
  const parquet = ["write", at("ocean-a.v0.json"), "--as", "kerchunk-parquet", "--out", at("data"), "--force"];
  expect((await runCommand(parquet)).stderr).toContain("is not empty: name a new folder");
});

it("--in-place keeps the link and the mode", async () => {
  chmodSync(at("ocean-broken.json"), 0o640);
  symlinkSync("ocean-broken.json", at("link.json"));
  const before = read("ocean-broken.json");
  await runCommand(["check", at("link.json"), "--fix", "--in-place"]);
  expect(lstatSync(at("link.json")).isSymbolicLink()).toBe(true);
  expect(read("ocean-broken.json")).not.toBe(before);
  expect(statSync(at("ocean-broken.json")).mode & 0o777).toBe(0o640);
});

it("writes to where links lead, also where nothing is there, and to devices as they are", async () => {
  mkdirSync(at("elsewhere"));
  symlinkSync("elsewhere/new", at("one"));
  symlinkSync("one", at("two"));
  expect(await writeOut(at("two"), ["a", "bc"])).toBe(3);
  expect(read("elsewhere/new")).toBe("abc");
  expect(lstatSync(at("two")).isSymbolicLink()).toBe(true);
  await writeOut("/dev/null", "abc");
});

it("leaves the old file, and nothing besides, where writing fails half way", async () => {
  async function* failing() {
    yield new Uint8Array(1 << 20);
    await Promise.resolve();
    throw Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
  }
  writeFileSync(at("old"), "old");
  const before = readdirSync(folder);
  await expect(writeOut(at("old"), failing(), { force: true })).rejects.toMatchObject({ path: at("old") });
  expect(read("old")).toBe("old");
  async function* files() {
    yield { path: "a/b", bytes: new Uint8Array(10) };
    yield* [];
    await Promise.resolve();
    throw new Error("stopped");
  }
  await expect(writeOutFolder(at("new"), files())).rejects.toThrow("stopped");
  expect(readdirSync(folder)).toEqual(before);
});

it("check ends with a sentence where its expectations cannot be written", async () => {
  const out = join(at("ocean-a.v0.json"), "expect.json");
  expect(await runCommand(["check", at("ocean-a.v0.json"), "--write-expect", out])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(`Cannot write ${out}: `),
  });
});

it("does not replace what came to be there meanwhile", async () => {
  async function* slow() {
    yield "a";
    await Promise.resolve();
    writeFileSync(at("new"), "theirs");
  }
  await expect(writeOut(at("new"), slow())).rejects.toThrow("is there already");
  expect(read("new")).toBe("theirs");
});
