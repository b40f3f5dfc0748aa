import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "../../src/cli/commands.ts";
import { written } from "../../src/cli/options.ts";
import { commandOf, type Issue, main, setsOf, withVerdict } from "./run.mjs";

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
    const command = commandOf({ ...all, REFSCOPE_PACKAGE: "" }, "a.json", "/f");
    expect(command.slice(0, 3)).toEqual(["--yes", "refscope@x", "check"]);
    const takes = COMMANDS.check.options.map(written);
    for (const option of command.slice(1).filter((one) => /^--./.test(one))) expect(takes).toContain(option);
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
});
