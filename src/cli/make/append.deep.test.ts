/**
 * Appending beside Icechunk's own library (the addon, where REFSCOPE_ICECHUNK names the folder that has it): in turn, at the
 * same time from two programs, and stopped at any moment.
 */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtTerminal } from "../../../tools/build-terminal.mjs";
import { writeSet } from "../testing/append-sets.ts";
import { runCommand, startCommand } from "../testing/run-command.ts";

const FOLDER = process.env["REFSCOPE_ICECHUNK"] ?? "";
const KILLS = Number(process.env["REFSCOPE_KILLS"] ?? 200);
const SCRIPT = resolve(import.meta.dirname, "../testing/official-appends.mjs");

const folder = mkdtempSync(join(tmpdir(), "refscope-append-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FIRST = join(folder, "first");
let number = 0;
const place = () => join(folder, String((number += 1)));

function repository(): string {
  const path = place();
  cpSync(FIRST, path, { recursive: true });
  return path;
}

/** The library in a program of its own; the answer is its last line. */
async function official<T>(...args: readonly string[]): Promise<T> {
  const shim = join(FOLDER, "libisoc23.so");
  const env = { ...process.env, ...(existsSync(shim) ? { LD_PRELOAD: shim } : {}) };
  const child = spawn(process.execPath, [SCRIPT, FOLDER, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((done) => child.on("close", done));
  return JSON.parse(text.trim().split("\n").at(-1) ?? "null") as T;
}

interface State {
  readonly ids: readonly string[];
  readonly chunks: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

describe.skipIf(FOLDER === "")("beside Icechunk's own library, with REFSCOPE_ICECHUNK", () => {
  let program = "";
  beforeAll(async () => {
    program = await builtTerminal();
    const set = writeSet(place(), { first: 0, steps: 2, copies: 6 });
    expect(await runCommand(["write", set, "--as", "icechunk", "--out", FIRST])).toMatchObject({ status: 0 });
  });

  it("ten rounds in turn give what both wrote", { timeout: 120_000 }, async () => {
    const onto = repository();
    for (let round = 0; round < 10; round += 1) {
      const first = 2 + 2 * round;
      const set = writeSet(place(), { first, steps: 1, copies: 6 });
      expect(await runCommand(["write", set, "--onto", onto, "--along", "time"])).toMatchObject({ status: 0 });
      await official("step", onto, String(first + 1));
      const { chunks, error } = await official<State>("state", onto);
      expect(error).toBeUndefined();
      const ours = JSON.parse((await runCommand(["refs", onto])).stdout) as { refs: Record<string, unknown> };
      const keys = Object.keys(ours.refs).filter((key) => key.includes("/c/"));
      expect(keys.toSorted()).toEqual(Object.keys(chunks).toSorted());
      expect(keys).toHaveLength(8 * (first + 2) + 1);
      for (const key of keys)
        if (Array.isArray(ours.refs[key])) expect([key, ours.refs[key]]).toEqual([key, chunks[key]]);
      const times = await runCommand(["read", onto, "--array", "time", "--json"]);
      expect(times.stdout).toContain(String(first + 1));
    }
  });

  /** Moments after the first file appeared, in milliseconds. */
  it(`stopped at ${KILLS} moments, it has the old commit or the new one`, { timeout: 3_600_000 }, async () => {
    const set = writeSet(place(), { first: 2, steps: 1, copies: 6 });
    const { ids: before } = await official<State>("state", FIRST);
    const outcomes = { old: 0, new: 0, left: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const onto = repository();
      const known = readdirSync(onto, { recursive: true }).length;
      const child = spawn(process.execPath, [program, "write", set, "--onto", onto, "--along", "time"], {
        stdio: "ignore",
      });
      const closed = new Promise((done) => child.on("close", done));
      while (child.exitCode === null && readdirSync(onto, { recursive: true }).length === known) await pause(0.2);
      // A commit takes from 50 to 600, by what else the computer does; then its place is watched.
      const wait = 900 * ((kill * 0.618) % 1);
      for (const until = performance.now() + wait; performance.now() < until;);
      child.kill("SIGKILL");
      await closed;
      const { ids, error } = await official<State>("state", onto);
      expect(error).toBeUndefined();
      expect(ids.slice(-before.length)).toEqual(before);
      expect([0, 1]).toContain(ids.length - before.length);
      outcomes[ids.length > before.length ? "new" : "old"] += 1;
      if (readdirSync(onto, { recursive: true }).length > known) outcomes.left += 1;
      // What was left keeps nobody from going on.
      if (kill % 5 > 0) continue;
      const again = await startCommand(["write", set, "--onto", onto, "--along", "time"]);
      expect(again.status).toBe(ids.length > before.length ? 2 : 0);
    }
    console.log(`stopped: ${JSON.stringify(outcomes)}`);
    expect(outcomes.left).toBeGreaterThan(KILLS / 4);
  });

  it.each([
    ["two of ours", ["ours", "ours"]],
    ["ours and the library", ["ours", "official"]],
  ])("%s at the same time lose no commit", { timeout: 240_000 }, async (_, writers) => {
    const onto = repository();
    const end = Date.now() + 40_000;
    const made = await Promise.all(
      writers.map(async (writer, at) => {
        if (writer === "official") return official<readonly string[]>("commits", onto, String(end));
        const ids: string[] = [];
        for (let count = 0; Date.now() < end; count += 1) {
          const set = writeSet(place(), { first: 0, steps: 2, only: ["lat"], as: `own-${at}-${count}` });
          const { status, stdout, stderr } = await startCommand(["write", set, "--onto", onto, "--json"]);
          expect([status, stderr]).toEqual([0, ""]);
          ids.push((JSON.parse(stdout) as { snapshot: string }).snapshot);
        }
        return ids;
      }),
    );
    const { ids } = await official<State>("state", onto);
    console.log(`${writers.join(" and ")}: ${made.map((all) => all.length).join(" and ")} commits`);
    for (const all of made) {
      expect(all.length).toBeGreaterThan(3);
      expect(all.filter((id) => !ids.includes(id))).toEqual([]);
    }
  });
});
