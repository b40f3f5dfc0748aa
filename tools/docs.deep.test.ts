/** Every block of code of the documentation is run, and shows what it prints. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { COMMANDS, type Command } from "../src/cli/commands.ts";
import { written } from "../src/cli/options.ts";
import { builtTerminal } from "./build-terminal.mjs";
import { blocksOf } from "./docs.ts";

const ROOT = dirname(import.meta.dirname);
const DOCS = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const TEXTS = [...DOCS.map((name) => `docs/${name}`), "README.md", "SECURITY.md", "packages/jinja/README.md"];
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const isPython = (() => {
  try {
    return execFileSync("python3", ["-c", "print(1)"], { encoding: "utf8" }) === "1\n";
  } catch {
    return false;
  }
})();

let folder: string;
let program: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "refscope-docs-"));
  program = await builtTerminal();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why a block cannot be run here. */
const REASONS = ["network", "server", "install", "page"];

interface Block {
  readonly lang: string;
  readonly info: string;
  readonly text: string;
  /** Of the block behind it, where that shows what this one prints. */
  readonly shown: string | undefined;
}

const blocks = (file: string): readonly Block[] =>
  blocksOf(textOf(file)).map((block, at, all) => {
    const next = all[at + 1];
    return { ...block, shown: next?.lang === "text" ? next.text : undefined };
  });

describe("blocks of code", () => {
  it.each(TEXTS.filter((file) => blocks(file).length > 0))("of %s", { timeout: 240_000 }, async (file) => {
    const at = join(folder, file.replaceAll("/", "-"));
    cpSync(join(ROOT, "public/samples"), at, { recursive: true });
    for (const block of blocks(file)) {
      const reason = /\bnorun=(\S+)/.exec(block.info)?.[1];
      if (reason !== undefined) await looked(block, reason);
      else await tried(block, file === "README.md" ? ROOT : at);
    }
  });
});

/** Of what cannot be run: whether it can be read, and whether the options of our commands are theirs. */
async function looked({ lang, text }: Block, reason: string): Promise<void> {
  expect(REASONS, text).toContain(reason);
  if (lang === "js") {
    const made = join(folder, "block.mjs");
    writeFileSync(made, text);
    await promisify(execFile)(process.execPath, ["--check", made]);
  }
  for (const line of text.split("\n")) {
    const name = /\brefscope (\w+)/.exec(line)?.[1];
    if (name === undefined) continue;
    const command = new Map<string, Command>(Object.entries(COMMANDS)).get(name);
    for (const [option] of line.matchAll(/--[a-z][a-z-]+/g))
      expect(command?.options.map(written), line).toContain(option);
    expect(command, line).toBeDefined();
  }
}

async function tried(block: Block, at: string): Promise<void> {
  const { lang, text } = block;
  switch (lang) {
    case "sh":
    case "console":
      return typed(block, at);
    case "js":
    case "ts":
      return module(block, at);
    case "python":
      if (isPython) execFileSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], { input: text });
      return;
    case "yaml":
      expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
      return;
    case "json":
      JSON.parse(text);
      return;
    default:
      // What is shown, and what is pasted into pages of others.
      expect(["text", "html", "md"], text).toContain(lang);
  }
}

/** Line by line, with what is shown below each: lines of the output in their order, `…` for those left out. */
async function typed({ lang, info, text, shown }: Block, at: string): Promise<void> {
  const cwd = resolve(/\bin=(\S+)/.exec(info)?.[1]?.replace(/^/, `${ROOT}/`) ?? at);
  const codes = (/\bexit=([\d,]+)/.exec(info)?.[1] ?? "0").split(",").map(Number);
  const steps =
    lang === "sh"
      ? text.split("\n").map((line) => [line])
      : text
          .split(/^\$ /m)
          .slice(1)
          .map((one) => one.split("\n"));
  for (const [index, [command = "", ...lines]] of steps.entries()) {
    const { code, output } = await typedLine(command, cwd);
    expect(code, `${command}\n${output}`).toBe(codes.length === 1 ? codes[0] : codes[index]);
    expectLines(output, lang === "sh" ? (shown ?? "").split("\n") : lines, command);
  }
}

function expectLines(output: string, lines: readonly string[], of: string): void {
  const rest = output.split("\n").map((line) => line.trimEnd());
  for (const line of lines.filter((one) => one.trim() !== "" && one.trim() !== "…")) {
    const found = rest.indexOf(line);
    expect(found, `${of}\n${line}\n--- is not in, or not there:\n${rest.join("\n")}`).toBeGreaterThanOrEqual(0);
    rest.splice(0, found + 1);
  }
}

function typedLine(command: string, cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  const script = `refscope() { "${process.execPath}" "${program}" "$@"; }
npm() { shift 4; refscope "$@"; }
${command}`;
  const env = { ...process.env, COLUMNS: "100", NO_COLOR: "1" };
  return ran("bash", ["-c", script], cwd, env);
}

function ran(file: string, args: readonly string[], cwd: string, env = process.env) {
  return new Promise<{ readonly code: number; readonly output: string }>((done) =>
    execFile(file, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    ),
  );
}

/** The package as its sources are, in Node. */
async function module({ text, shown, lang }: Block, at: string): Promise<void> {
  const entry = pathToFileURL(join(ROOT, "src/package/node.ts")).href;
  // Where the packages of the project are found.
  const made = join(ROOT, "node_modules/.cache", `docs-${process.pid}.${lang === "ts" ? "mts" : "mjs"}`);
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, text.replaceAll(/from "refscope(?:\/node)?"/g, `from "${entry}"`));
  const { code, output } = await ran(
    process.execPath,
    ["--import", pathToFileURL(join(ROOT, "node_modules/tsx/dist/esm/index.mjs")).href, made],
    at,
  );
  rmSync(made);
  expect(code, output).toBe(0);
  if (shown !== undefined) expect(output.trim()).toBe(shown.trim());
}
