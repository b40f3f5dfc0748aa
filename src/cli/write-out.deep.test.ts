/**
 * Kills and full disks at any moment of every command that writes: the old file or the new one, whole, bears the name.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtTerminal } from "../../tools/build-terminal.mjs";
import { zarrayWith } from "../core/testing/zarr-documents.ts";

const SAMPLES = resolve("public/samples");
const OLD = "the old file";
/** Kills of each command; REFSCOPE_KILLS asks for more. */
const KILLS = Number(process.env["REFSCOPE_KILLS"] ?? 4);
const FULL_DISKS = Math.ceil(KILLS / 2);

const inputs = mkdtempSync(join(tmpdir(), "refscope-inputs-"));
const given = (name: string) => join(inputs, name);
for (const name of ["ocean-a.nc", "ocean-broken.json", "ocean-a.v0.json"])
  copyFileSync(join(SAMPLES, name), given(name));
const references = Array.from({ length: 20_000 }, (_, at) => [`a/${at}`, [`s3://bucket/${at}.nc`, at, 1]]);
writeFileSync(
  given("many.json"),
  JSON.stringify({
    version: 1,
    refs: {
      "a/.zarray": zarrayWith({ shape: [20_000], dtype: "|u1" }),
      "empty/.zarray": zarrayWith({ shape: [1000, 1000], chunks: [1000, 1000], dtype: "<f8" }),
      ...Object.fromEntries(references),
    },
  }),
);
afterAll(() => rmSync(inputs, { recursive: true }));

/** A name, its content, and the options that a command adds for it. */
interface Writing {
  readonly command: (out: string) => readonly string[];
  readonly isFolder?: true;
}

const WRITING: Readonly<Record<string, Writing>> = {
  "combine --out": { command: (out) => ["combine", given("ocean-a.nc"), "--out", out] },
  "write JSON": { command: (out) => ["write", given("many.json"), "--as", "kerchunk-json", "--out", out] },
  "write Parquet": {
    command: (out) => ["write", given("many.json"), "--as", "kerchunk-parquet", "--out", out],
    isFolder: true,
  },
  capsule: {
    command: (out) => ["capsule", given("ocean-a.v0.json"), "--array", "checked", "--chunk", "0.0", "--out", out],
  },
  "check --report": { command: (out) => ["check", given("many.json"), "--report", `json=${out}`] },
  "check --write-expect": { command: (out) => ["check", given("ocean-a.v0.json"), "--write-expect", out] },
  "check --write-accept": { command: (out) => ["check", given("ocean-broken.json"), "--write-accept", out] },
  "check --fix --out": { command: (out) => ["check", given("ocean-broken.json"), "--fix", "--out", out] },
  "check --fix --in-place": { command: (out) => ["check", out, "--fix", "--in-place"] },
  "read --npy": { command: (out) => ["read", given("many.json"), "--array", "empty", "--npy", out] },
};

let program = "";
beforeAll(async () => {
  program = await builtTerminal();
}, 300_000);

interface Ended {
  readonly status: number | null;
  readonly seconds: number;
  readonly stderr: string;
}

/** `interrupt` is called when the program has begun, and is given its end. */
function run(
  args: readonly string[],
  interrupt?: (kill: (signal: NodeJS.Signals) => void) => () => void,
): Promise<Ended> {
  return new Promise((done) => {
    const begin = performance.now();
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (piece) => (stderr += String(piece)));
    const stop = interrupt?.((signal) => child.kill(signal));
    child.on("close", (status) => {
      stop?.();
      done({ status, seconds: (performance.now() - begin) / 1000, stderr });
    });
  });
}

/** A capsule says when it was made, and how long each step took. */
const withoutTime = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"milliseconds": [\d.e-]+/g, "TIME");

/** Names and bytes of a file, of the files in an archive or folder; nothing where nothing is there. */
function content(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isFile()) {
    const bytes = readFileSync(path);
    if (bytes.toString("latin1", 0, 2) !== "PK") return bytes.toString("latin1");
    const files = Object.entries(unzipSync(bytes)).map(([name, file]) => [name, Buffer.from(file).toString("latin1")]);
    return withoutTime(files.join("\n"));
  }
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted();
  return files
    .map((name) => [name, statSync(join(path, name)).isFile() ? readFileSync(join(path, name), "latin1") : ""])
    .join("\n");
}

const isTemporary = (name: string) => name.startsWith(".refscope-");
const temporaries = (folder: string) => readdirSync(folder).filter(isTemporary);

/** At any moment of the command, or of its writing alone, which is short. */
const killed =
  (signal: NodeJS.Signals, folder: string, seconds: number, whileWriting: boolean) =>
  (kill: (signal: NodeJS.Signals) => void) => {
    if (!whileWriting) {
      const timer = setTimeout(() => kill(signal), Math.random() * seconds * 1000);
      return () => clearTimeout(timer);
    }
    const delay = Math.random() * 20;
    let seen = Number.POSITIVE_INFINITY;
    const timer = setInterval(() => {
      if (seen === Number.POSITIVE_INFINITY && temporaries(folder).length > 0) seen = performance.now();
      if (performance.now() - seen >= delay) kill(signal);
    }, 1);
    return () => clearInterval(timer);
  };

const isRoot = process.getuid?.() === 0;
function mounted(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(WRITING))("%s", { timeout: 900_000 }, (name, { command, isFolder = false }) => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-kill-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const isInPlace = name.endsWith("in-place");
  const old = isInPlace ? readFileSync(given("ocean-broken.json"), "latin1") : OLD;
  const args = (out: string) => [...command(out), ...(isInPlace || isFolder ? [] : ["--force"])];
  const prepare = (out: string) => {
    rmSync(out, { recursive: true, force: true });
    if (!isFolder) writeFileSync(out, old, "latin1");
  };
  const before = isFolder ? undefined : old;

  let whole: string | undefined;
  let seconds = 0;
  beforeAll(async () => {
    const out = join(folder, "whole");
    prepare(out);
    ({ seconds } = await run(args(out)));
    whole = content(out);
    expect(whole).not.toBe(before);
    expect(whole).toBeDefined();
    mkdirSync(join(folder, "at"));
  }, 300_000);

  it("leaves the old file or the new one, whole, where it is killed", async () => {
    const counts = { old: 0, new: 0 };
    for (let at = 0; at < KILLS; at += 1) {
      const signal = at % 2 === 0 ? "SIGKILL" : "SIGTERM";
      const place = join(folder, "at");
      const out = join(place, "out");
      prepare(out);
      await run(args(out), killed(signal, place, seconds, at % 4 >= 2));
      const after = content(out);
      expect([before, whole], `${name} by ${signal}`).toContain(after);
      counts[after === before ? "old" : "new"] += 1;
      if (signal === "SIGTERM") expect(temporaries(place)).toEqual([]);
      for (const left of temporaries(place)) rmSync(join(place, left), { recursive: true });
    }
    console.log(`${name}: ${counts.old} old, ${counts.new} new of ${KILLS} kills`);
  });

  it.skipIf(!isRoot)("leaves the old file or the new one, whole, where the disk is full", async ({ skip }) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    if (!mounted(disk)) skip("no tmpfs can be mounted here");
    const counts = { old: 0, new: 0 };
    try {
      for (let at = 0; at < FULL_DISKS; at += 1) {
        const out = join(disk, "out");
        rmSync(join(disk, "filler"), { force: true });
        prepare(out);
        const free = execFileSync("df", ["--output=avail", "-B1", disk], { encoding: "utf8" }).split("\n")[1];
        // Beyond the size of small outputs one time in two, so that some fit.
        const left = Math.random() * Math.min(Number(free), 2 * (whole?.length ?? 0));
        writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, Math.floor(Number(free) - left))));
        const { stderr } = await run(args(out));
        const after = content(out);
        expect([before, whole]).toContain(after);
        counts[after === before ? "old" : "new"] += 1;
        if (after === before) expect(stderr).toContain("the disk is full");
        expect(temporaries(disk)).toEqual([]);
      }
      console.log(`${name}: ${counts.old} old, ${counts.new} new of ${FULL_DISKS} full disks`);
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});
