/** Files that are no datasets, of any size and kind, to every command that takes some: a sentence and exit code 2. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "./testing/run-command.ts";

const MEGABYTE = 1 << 20;
const noise = (size: number, head = "") => Buffer.concat([Buffer.from(head, "latin1"), randomBytes(size)]);

/** Larger ones than are read for their heads: reading stops in the middle. */
const FILES: Readonly<Record<string, Buffer>> = {
  "empty.json": Buffer.alloc(0),
  one: Buffer.from("x"),
  "noise.nc": noise(3 * MEGABYTE),
  "text.txt": Buffer.alloc(3 * MEGABYTE, "some words "),
  "braces.json": Buffer.alloc(5 * MEGABYTE, "{"),
  "brackets.json": Buffer.alloc(5 * MEGABYTE, "["),
  "a.pdf": noise(3 * MEGABYTE, "%PDF-1.4\n"),
  "a.png": noise(3 * MEGABYTE, "\u0089PNG\r\n\u001a\n"),
  "a.zip": noise(3 * MEGABYTE, "PK\u0003\u0004"),
  "a.h5": noise(3 * MEGABYTE, "\u0089HDF\r\n\u001a\n"),
  "a.nc": noise(3 * MEGABYTE, "CDF\u0001"),
  "a.grib2": noise(3 * MEGABYTE, "GRIB"),
  "noise.json.gz": gzipSync(randomBytes(3 * MEGABYTE), { level: 0 }),
  "cut.json.gz": gzipSync(randomBytes(3 * MEGABYTE), { level: 0 }).subarray(0, 2 * MEGABYTE),
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-foreign-"));
  mkdirSync(join(folder, "folder"));
  for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, "folder/a.txt"), "a");
  writeFileSync(join(folder, "folder/b.bin"), randomBytes(MEGABYTE));
});
afterAll(() => rmSync(folder, { recursive: true }));

const COMMANDS: readonly (readonly string[])[] = [
  ["info"],
  ["check"],
  ["digest"],
  ["refs"],
  ["preflight"],
  ["combine"],
  ["read", "--array", "a"],
  ["capsule", "--array", "a", "--chunk", "0"],
  ["write", "--as", "kerchunk-json", "--out", "none.json"],
  ["serve"],
  ["render"],
  ["history"],
];

it("a pipe, which waits for a writer at every look", { timeout: 300_000 }, async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const [command = "", ...options] of COMMANDS) {
    // Reads a pipe once, as far as somebody writes.
    if (command === "render") continue;
    const { status, stdout, stderr } = await runCommand([command, pipe, ...options]);
    expect([command, status, stdout + stderr]).toEqual([command, 2, expect.stringContaining("pipe")]);
  }
});

it.each([...Object.keys(FILES), "folder", "nothing-there"])("%s", { timeout: 300_000 }, async (name) => {
  for (const [command = "", ...options] of COMMANDS) {
    const { status, stdout, stderr } = await runCommand([command, join(folder, name), ...options]);
    expect([command, status]).toEqual([command, 2]);
    expect(stdout + stderr).not.toMatch(/\n\s+at |may be a bug/);
    expect(stdout + stderr).toMatch(/\.\n?$/m);
  }
});
