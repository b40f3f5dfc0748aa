import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS, type Command } from "../src/cli/commands.ts";
import { written } from "../src/cli/options.ts";

const ROOT = join(import.meta.dirname, "..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const project = JSON.parse(text("package.json")) as { readonly version: string; readonly scripts: object };

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly on: object;
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const WORKFLOWS = readdirSync(join(ROOT, ".github/workflows"));
const workflow = (name: string) => parse(text(`.github/workflows/${name}`)) as Workflow;
const COMPOSITE = (parse(text("action.yml")) as { readonly runs: { readonly steps: readonly Step[] } }).runs.steps;

/** As zizmor has them. */
describe("rules of workflows", () => {
  it.each(WORKFLOWS)("%s", (name) => {
    const { on, permissions, jobs } = workflow(name);
    expect(permissions).toEqual({});
    // These run a stranger's change with secrets.
    for (const event of ["pull_request_target", "workflow_run", "issue_comment"]) expect(on).not.toHaveProperty(event);
    for (const [id, job] of Object.entries(jobs)) {
      expect([id, job.permissions]).toEqual([id, expect.any(Object)]);
      const writes = Object.entries(job.permissions ?? {}).flatMap(([what, how]) => (how === "read" ? [] : [what]));
      const allowed: Readonly<Record<string, readonly string[]>> = {
        "nightly.yml report": ["issues"],
        "pages.yml deploy": ["pages", "id-token"],
        "release.yml github": ["contents"],
        "release.yml npm": ["id-token"],
        "release.yml pypi": ["id-token"],
      };
      expect(writes).toEqual(allowed[`${name} ${id}`] ?? []);
      // Who may write runs no code of packages.
      if (writes.length > 0)
        expect(job.steps.map(({ run = "" }) => run).join("\n")).not.toMatch(/^\s*npm (?:ci|install|test|run)/m);
    }
  });

  it.each([...WORKFLOWS, "action.yml"])("steps of %s", (name) => {
    const steps = name === "action.yml" ? COMPOSITE : Object.values(workflow(name).jobs).flatMap((job) => job.steps);
    const written = text(name === "action.yml" ? name : `.github/workflows/${name}`);
    for (const { uses, run = "", with: given } of steps) {
      // A tag can be moved; beside the commit stands which one it was.
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/);
      if (uses !== undefined) expect(written).toMatch(new RegExp(`uses: ${uses} # v[\\d.]+\\n`));
      if (uses?.startsWith("actions/checkout@") === true) expect(given).toMatchObject({ "persist-credentials": false });
      if (uses?.startsWith("actions/setup-node@") === true)
        expect(given).toMatchObject({ "package-manager-cache": false });
      // What an expression stands for becomes part of the script: variables do not.
      expect(run).not.toContain("${{");
      if (/npm (?:ci|install)/.test(run)) expect(run).toContain("--ignore-scripts");
    }
    for (const [expression] of written.matchAll(/\$\{\{[^}]*\}\}/g)) {
      expect(expression).not.toMatch(/github\.(?:event\.|head_ref)|secrets\./);
    }
  });

  it("runs the tests on pull requests, and the sweeps with another seed every night", () => {
    expect(workflow("test.yml").on).toHaveProperty("pull_request");
    const { on, jobs } = workflow("nightly.yml");
    expect(on).toHaveProperty("schedule");
    expect(jobs["report"]?.steps[0]?.run).toContain("gh issue create");
    const seed = jobs["sweeps"]?.steps.find(({ run = "" }) => run.includes("seed="))?.run ?? "";
    const seeds = ["1", "21474836460", "2147483647"].map((id) => {
      const env = { ...process.env, GITHUB_RUN_ID: id, GITHUB_OUTPUT: "/dev/null" };
      return execFileSync("bash", ["-c", seed], { env, encoding: "utf8" });
    });
    expect(seeds).toEqual(["seed=2\n", "seed=1\n", "seed=2\n"]);
  });
});

describe("what lies beside the project for others", () => {
  it("is YAML, and its steps run what there is", () => {
    for (const name of WORKFLOWS) {
      const steps = Object.values(workflow(name).jobs).flatMap((job) => job.steps);
      const scripts = steps.flatMap(({ run = "" }) =>
        [...run.matchAll(/npm run -s ([\w:]+)/g)].map(([, script]) => script),
      );
      for (const script of scripts) expect(project.scripts).toHaveProperty([script ?? ""]);
    }
    expect(parse(text(".pre-commit-hooks.yaml"))).toMatchObject([{ id: "refscope", language: "system" }]);
    expect(parse(text("integrations/conda/recipe.yaml"))).toMatchObject({ context: { version: project.version } });
  });

  it("takes a release's notes from the changelog", () => {
    const { jobs } = workflow("release.yml");
    const script = jobs["build"]?.steps.find(({ run }) => run?.includes("awk"))?.run ?? "";
    const notes = (name: string) =>
      execFileSync("bash", ["-c", `${script.split("\n")[0]}\nnotes ${name}`], { cwd: ROOT, encoding: "utf8" });
    expect(notes("Unreleased")).toMatch(/^\n### Added\n/);
    expect(notes("99.0.0")).toBe("");
  });

  it("names commands and options that there are", () => {
    const pages = [
      "SKILL.md",
      "docs/action.md",
      "docs/embedding.md",
      ".pre-commit-hooks.yaml",
      "integrations/conda/recipe.yaml",
    ];
    const called = pages.flatMap((path) => [...text(path).matchAll(/(?:refscope|`) ?(\w+) ([^\n`]*)/g)]);
    const known = called.filter(([, name = ""]) => Object.hasOwn(COMMANDS, name));
    expect(known.length).toBeGreaterThan(7);
    for (const [all, name, rest = ""] of known) {
      const takes = (COMMANDS as Readonly<Record<string, Command>>)[name ?? ""]?.options.map(written) ?? [];
      for (const [option] of rest.matchAll(/--[a-z][\w-]*/g)) expect(takes, all).toContain(option);
    }
  });

  it("offers STAC Browser's assets of Zarr, references and files, with their address", () => {
    const source = text("integrations/stac-browser/Refscope.js")
      .replaceAll(/^import.*$/gm, "")
      .replace("export default", "return");
    const URI = (href: string) => ({
      path: () => new URL(href).pathname,
      addQuery: (_: string, at: string) => `${href}?${at}`,
    });
    const translated = { global: { t: (key: string, { service }: { service: string }) => `${key} ${service}` } };
    class Plugin {
      readonly asset: { readonly href: string };
      readonly component: object;
      constructor(asset: { readonly href: string }) {
        this.asset = asset;
        this.component = { isBrowserProtocol: true, href: asset.href };
      }
    }
    // oxlint-disable-next-line typescript/no-implied-eval -- the module's own text, with stand-ins for its imports
    const Action = new Function("AssetActionPlugin", "URI", "i18n", source)(Plugin, URI, translated) as new (
      asset: object,
    ) => {
      readonly show: boolean;
      readonly uri: string;
      readonly text: string;
    };
    const show = (asset: object) => new Action(asset).show;
    expect(show({ href: "https://h/a.zarr", type: "application/vnd+zarr" })).toBe(true);
    expect(show({ href: "https://h/x", type: "application/vnd.zarr; version=3" })).toBe(true);
    expect(show({ href: "https://h/a.nc" })).toBe(true);
    expect(show({ href: "https://h/a.json", type: "application/json", roles: ["references"] })).toBe(true);
    expect(show({ href: "https://h/a.json", type: "application/json", roles: ["metadata"] })).toBe(false);
    expect(show({ href: "https://h/a.tif", type: "image/tiff" })).toBe(false);
    const { uri, text: label } = new Action({ href: "https://h/a.zarr" });
    expect([uri, label]).toEqual(["https://YOUR-REFSCOPE/?https://h/a.zarr", "actions.openIn Refscope"]);
  });
});
