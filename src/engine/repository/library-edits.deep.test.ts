/**
 * Asks Icechunk's own library (the addon, where REFSCOPE_ICECHUNK names the folder that has it) about each edited
 * repository again: it does what is recorded.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, LIBRARY_EDITS, type Step, validFiles } from "./testing/library-edits.ts";

const FOLDER = process.env["REFSCOPE_ICECHUNK"] ?? "";
const SCRIPT = resolve(import.meta.dirname, "testing/library-steps.mjs");

type Seen = readonly (readonly [step: string, seen: unknown])[];

async function asked(files: Files): Promise<Seen> {
  const folder = await mkdtemp(join(tmpdir(), "refscope-edited-"));
  try {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const shim = join(FOLDER, "libisoc23.so");
    const env = { ...process.env, ...(existsSync(shim) ? { LD_PRELOAD: shim } : {}) };
    const child = spawn(process.execPath, [SCRIPT, FOLDER, folder], {
      env,
      timeout: 30_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let text = "";
    child.stdout.on("data", (data: Buffer) => (text += data.toString()));
    await new Promise((done) => child.on("close", done));
    return text
      .split("\n")
      .filter((line) => line.startsWith("["))
      .map((line) => JSON.parse(line) as [string, unknown]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Steps at which it did otherwise than with the valid repository. */
function stepsOf(seen: Seen, valid: Seen): readonly Step[] {
  const steps = seen.flatMap(([step, found], at): Step[] => {
    if (JSON.stringify(found) === JSON.stringify(valid[at]?.[1])) return [];
    const isError = typeof found === "object" && found !== null && "error" in found;
    if (step === "read") return [isError ? "read" : "lost"];
    if (step === "list") return [isError ? "list" : "listed"];
    return [step as Step];
  });
  return [...new Set(steps)].toSorted();
}

describe.skipIf(FOLDER === "")("Icechunk's own library, with REFSCOPE_ICECHUNK", () => {
  it("does with each edit what is recorded", { timeout: 600_000 }, async () => {
    const valid = await asked(validFiles());
    const wrong: unknown[] = [];
    for (const { name, edit, steps } of LIBRARY_EDITS) {
      const files = validFiles();
      edit(files);
      const found = stepsOf(await asked(files), valid);
      if (String(found) !== String(steps.toSorted())) wrong.push([name, found, steps]);
    }
    expect(wrong).toEqual([]);
  });
});
