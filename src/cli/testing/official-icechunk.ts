/** For tests: the official library of Icechunk in a program of its own, where REFSCOPE_ICECHUNK names a folder that has it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const folder = process.env["REFSCOPE_ICECHUNK"];
export const hasOfficial = folder !== undefined && existsSync(join(folder, "node_modules/@earthmover/icechunk"));
export const officialTitle = hasOfficial
  ? "official library"
  : "official library (skipped: REFSCOPE_ICECHUNK is not set)";

export interface Official {
  readonly failed?: string;
  readonly keys: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly chunks: Readonly<Record<string, OfficialChunk>>;
  readonly locations: readonly string[];
  readonly id: string;
  readonly message: string;
  readonly newGroups: readonly string[];
  readonly newArrays: readonly string[];
  /** Chunks that the last commit wrote, by array. */
  readonly counts: Readonly<Record<string, number>>;
  readonly next?: string;
}

export interface OfficialChunk {
  readonly url?: string;
  readonly offset?: number;
  readonly length?: number;
  readonly etag?: string;
  readonly seconds?: number;
  readonly sha256?: string;
  readonly error?: string;
}

export function officialLibrary() {
  const shim = join(folder ?? "", "libisoc23.so");
  const env = { ...process.env, ...(existsSync(shim) && { LD_PRELOAD: shim }) };
  const script = join(import.meta.dirname, "official-icechunk.mjs");
  const child = spawn(process.execPath, [script, resolve(folder ?? "")], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question: { readonly dir: string; readonly prefixes: readonly string[]; readonly commit?: boolean }) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error("the official library has ended");
      return JSON.parse(value) as Official;
    },
    end: () => child.stdin.end(),
  };
}
