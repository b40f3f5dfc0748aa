import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../src/cli/commands.ts";
import { written } from "../../src/cli/options.ts";
import { commandOf, type Issue, main, packageOf, setsOf, withVerdict } from "./run.mjs";

const ROOT = join(import.meta.dirname, "../..");
const yaml = (path: string) => parse(readFileSync(join(ROOT, path), "utf8")) as Record<string, never>;

describe("the action", () => {
  it("uses every input that it names, and passes options that check takes", () => {
    const { inputs, runs } = yaml("action.yml") as unknown as {
      readonly inputs: object;
      readonly runs: { readonly steps: readonly { readonly env: Readonly<Record<string, string>> }[] };
    };
    const given = Object.entries(runs.steps[0]?.env ?? {});
    const used = given.map(([, value]) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
    const script = readFileSync(join(ROOT, "integrations/action/run.mjs"), "utf8");
    for (const [name] of given.filter(([one]) => one !== "GITHUB_TOKEN")) {
      const input = name.replace("REFSCOPE_", "").toLowerCase().replaceAll("_", "-");
      expect(script).toContain(`"${input}"`);
    }
    const all = Object.fromEntries(given.map(([name]) => [name, name === "REFSCOPE_NETWORK" ? "true" : "x"]));
    expect(packageOf({ ...all, REFSCOPE_PACKAGE: "" })).toBe("refscope@x");
    // Its own where none is asked for.
    expect(packageOf({})).toBe(`refscope@${(yaml("package.json") as unknown as { readonly version: string }).version}`);
    expect(packageOf(all)).toBe(join(process.cwd(), "x"));
    const command = commandOf(all, "a.json", "/f");
    expect(command[0]).toBe("check");
    const takes = COMMANDS.check.options.map(written);
    for (const option of command.filter((one) => /^--./.test(one))) expect(takes).toContain(option);
    expect(command.slice(-2)).toEqual(["--", "a.json"]);
  });

  it("finds files by globs; what matches nothing stays, to fail by its name", () => {
    const env = { REFSCOPE_FILES: "public/samples/ocean*.json\n./**/ocean.ice*\nno/*.json", REFSCOPE_URLS: "s3://b/a" };
    const sets = setsOf(env, ROOT);
    expect(sets).toContain("public/samples/ocean-broken.json");
    expect(sets).toContain("public/samples/ocean.icechunk");
    expect(sets.slice(-2)).toEqual(["no/*.json", "s3://b/a"]);
  });

  it("keeps 400 verdicts of a set, without what gives access", () => {
    const report = { verdict: { opens: { answer: "yes" } }, findings: [{ severity: "error", target: "a.nc" }] };
    let verdicts: ReturnType<typeof withVerdict> = [];
    for (let day = 0; day < 402; day += 1)
      verdicts = withVerdict(verdicts, { set: "https://u:p@h/a?sig=x", report, date: `${day}` });
    verdicts = withVerdict(verdicts, { set: "b", report: { ...report, findings: [] }, date: "x" });
    expect(verdicts).toHaveLength(401);
    const first = { set: "https://h/a", date: "2", verdict: { opens: "yes" }, problems: 1, firstTarget: "a.nc" };
    expect([verdicts[0], verdicts.at(-1)?.problems]).toEqual([first, 0]);
  });

  it("annotates, sums up, writes SARIF and verdicts, and opens, updates and closes one issue", async () => {
    const folder = mkdtempSync(join(tmpdir(), "action-"));
    const sample = "public/samples/ocean-broken.json";
    const said: string[] = [];
    const asked: (readonly [string, string, Issue | undefined])[] = [];
    const issues: object[] = [];
    const ask = async (method: string, path: string, body?: Issue) => {
      asked.push([method, path, body]);
      if (method === "POST") issues.push({ number: 7, ...body });
      return Promise.resolve(issues);
    };
    // Run once; later runs give the same.
    let made: { readonly folder: string; readonly stdout: string } | undefined;
    const program = (args: readonly string[]) => {
      const into = args.find((one) => one.startsWith("json="))?.slice("json=".length, -"/json".length) ?? "";
      if (args.at(-1) !== sample) return { status: 2, stdout: "" };
      if (made === undefined) {
        const own = [join(ROOT, "tools/refscope.mjs"), ...args.slice(args.indexOf("check"))];
        made = { folder: into, stdout: spawnSync(process.execPath, own, { cwd: ROOT, encoding: "utf8" }).stdout };
      } else cpSync(made.folder, into, { recursive: true });
      return { status: 1, stdout: made.stdout };
    };
    const env = (set: string, more = {}) => ({
      REFSCOPE_FILES: set,
      REFSCOPE_ISSUES: "schedule",
      REFSCOPE_SARIF: join(folder, "a.sarif"),
      REFSCOPE_VERDICTS: join(folder, "verdicts.json"),
      GITHUB_EVENT_NAME: "schedule",
      GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
      ...more,
    });
    const around = { run: program, ask, now: new Date(0), say: (line: string) => void said.push(line) };
    for (let time = 0; time < 2; time += 1) expect(await main(env(sample), around)).toBe(1);
    // As fine as any: its errors do not count.
    const fine = { ...around, run: (args: readonly string[]) => ({ ...program(args), status: 0 }) };
    expect(await main(env(sample), fine)).toBe(0);
    expect(said.join("\n")).toMatch(/^::error file=public\/samples\/ocean-broken\.json,line=11,/);
    expect(asked.map(([method, path]) => `${method} ${path.replace(/\?.*/, "")}`)).toEqual([
      "GET issues",
      "POST issues",
      "GET issues",
      "PATCH issues/7",
      "GET issues",
      "PATCH issues/7",
    ]);
    expect(asked[1]?.[2]).toMatchObject({
      title: `Refscope: ${sample}`,
      body: expect.stringMatching(/^## Opens, but/) as string,
    });
    expect(asked.at(-1)?.[2]).toMatchObject({ state: "closed" });
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown;
    expect(read("verdicts.json")).toMatchObject([
      { set: sample, firstTarget: "ocean-a.nc", verdict: { values: "no" } },
      {},
      {},
    ]);
    expect(read("a.sarif")).toMatchObject({ version: "2.1.0", runs: [{ tool: {} }] });
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toMatch(/^## Opens, but/);
    expect(await main(env("nowhere.json", { REFSCOPE_VERDICTS: "" }), around)).toBe(2);
    expect(await main({}, around)).toBe(2);
  });

  describe("in a checkout that is a stranger's", () => {
    const folder = mkdtempSync(join(tmpdir(), "checkout-"));
    const file = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text, { mode: 0o755 });
    };
    const PLANTED = `#!/bin/sh\ntouch '${folder}/planted'\n`;
    const PROGRAM = `#!/usr/bin/env node
const { writeFileSync } = require("node:fs");
const { argv, env } = process;
writeFileSync("seen.json", JSON.stringify({ env, cwd: process.cwd(), set: argv.at(-1) }));
if (argv.at(-1) === "silent.json") process.exit(0);
const report = { verdict: {}, findings: [], version: "2.1.0", runs: [] };
for (const [, form, path] of argv.join("\\n").matchAll(/^(json|sarif|markdown)=(.*)$/gm))
  writeFileSync(path, form === "markdown" ? "## Fine" : JSON.stringify(report));
`;
    // Its own refscope, npm's configuration, and npm itself.
    file("node_modules/.bin/refscope", PLANTED);
    file("node_modules/.bin/npm", PLANTED);
    file("node_modules/refscope/package.json", '{"name":"refscope","version":"9.9.9","bin":"run.js"}');
    file("node_modules/refscope/run.js", `require("node:fs").writeFileSync('${folder}/planted', "")`);
    file(
      ".npmrc",
      `registry=http://127.0.0.1:1/\nscript-shell=${folder}/node_modules/.bin/npm\nignore-scripts=false\n`,
    );
    file(
      "package.json",
      `{"name":"refscope","bin":"node_modules/refscope/run.js","scripts":{"preinstall":"touch planted"}}`,
    );
    file("npm", PLANTED);
    file("node", PLANTED);
    const own = mkdtempSync(join(tmpdir(), "package-"));
    writeFileSync(join(own, "run.cjs"), PROGRAM);
    const scripts = { preinstall: `touch '${folder}/planted'`, postinstall: `touch '${folder}/planted'` };
    const about = { name: "refscope", version: "1.2.3", bin: { refscope: "run.cjs" }, scripts };
    writeFileSync(join(own, "package.json"), JSON.stringify(about));
    const { stdout: packed } = spawnSync("npm", ["pack", "--silent", "--ignore-scripts"], {
      cwd: own,
      encoding: "utf8",
    });

    /** The script of action.yml, as a runner starts it. */
    const ran = (env: Readonly<Record<string, string>>) => {
      const { runs } = yaml("action.yml") as unknown as {
        readonly runs: { readonly steps: readonly [{ readonly run: string }] };
      };
      const { PATH = "", HOME = "" } = process.env;
      const all = { PATH, HOME, GITHUB_ACTION_PATH: ROOT, GITHUB_TOKEN: "gh-secret", ...env };
      const { status, stdout, stderr } = spawnSync(
        "bash",
        ["--noprofile", "--norc", "-eo", "pipefail", "-c", runs.steps[0].run],
        {
          cwd: folder,
          env: all,
          encoding: "utf8",
        },
      );
      return { status, said: stdout + stderr };
    };
    const input = { REFSCOPE_PACKAGE: join(own, packed.trim()), REFSCOPE_FILES: "a.json" };
    const TOKENS = {
      ACTIONS_RUNTIME_TOKEN: "secret",
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret",
      GH_TOKEN: "secret",
      NODE_AUTH_TOKEN: "secret",
      npm_config_registry: "http://127.0.0.1:1/",
      NPM_CONFIG_USERCONFIG: join(folder, ".npmrc"),
      NODE_PATH: join(folder, "node_modules"),
    };

    it("runs nothing of it, and gives no token to what it runs", () => {
      expect(ran({ ...input, ...TOKENS }).status).toBe(0);
      const { env, cwd, set } = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8")) as {
        readonly env: Readonly<Record<string, string>>;
        readonly cwd: string;
        readonly set: string;
      };
      expect([cwd, set]).toEqual([realpathSync(folder), "a.json"]);
      expect(JSON.stringify(env)).not.toMatch(/secret|npmrc/i);
      expect(Object.keys(env).filter((name) => /token|npm_|node_path|refscope_|github_/i.test(name))).toEqual([]);
      expect(existsSync(join(folder, "planted"))).toBe(false);
    });

    it("asks the public registry, in an empty folder, whatever the checkout and the environment say", () => {
      const bin = mkdtempSync(join(tmpdir(), "bin-"));
      const script = `#!/bin/sh\npwd >'${bin}/cwd'\nls -A >'${bin}/files'\nprintf '%s\\n' "$@" >'${bin}/args'\nenv >'${bin}/env'\nexit 1\n`;
      writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
      const env = { ...TOKENS, REFSCOPE_FILES: "a.json", PATH: `${bin}:${process.env["PATH"] ?? ""}` };
      const { status, said } = ran(env);
      expect(status).toBe(2);
      expect(said).toMatch(/::error::refscope@[\d.]+ could not be installed/);
      const text = (name: string) => readFileSync(join(bin, name), "utf8");
      expect(text("cwd")).not.toContain(folder);
      expect(text("files")).toBe("package.json\n");
      expect(text("args")).toMatch(
        /^install\n[\s\S]*\n--registry=https:\/\/registry\.npmjs\.org\/\n[\s\S]*\n--ignore-scripts\n/,
      );
      expect(text("args")).toMatch(/--userconfig=(?!.*checkout-).*\n--globalconfig=/);
      expect(text("args")).toMatch(/\n--\nrefscope@[\d.]+\n$/);
      expect(text("env")).not.toMatch(/secret|registry|NODE_PATH/i);
    });

    it("says 2 where nothing was checked, whatever the program says", () => {
      const output = join(own, "output");
      const { status, said } = ran({ ...input, REFSCOPE_FILES: "silent.json", GITHUB_OUTPUT: output });
      expect([status, readFileSync(output, "utf8")]).toEqual([2, "code=2\n"]);
      expect(said).toContain("::error::refscope did not run on silent.json");
    });

    it.each(["[null]", '{"a":1}', "{", '["a"]', '[{"set":1}]'])(
      "a sentence and 2 for verdicts that are none: %s",
      (text) => {
        file("verdicts.json", text);
        const { status, said } = ran({ ...input, REFSCOPE_VERDICTS: "verdicts.json" });
        expect(status).toBe(2);
        expect(said).toMatch(/^::error::verdicts\.json is no list of verdicts[^\n]*\n$/);
        expect(readFileSync(join(folder, "verdicts.json"), "utf8")).toBe(text);
      },
    );
  });
});
