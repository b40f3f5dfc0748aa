import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS, type Command } from "../src/cli/commands.ts";
import { written } from "../src/cli/options.ts";

const ROOT = join(import.meta.dirname, "..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const project = JSON.parse(text("package.json")) as { readonly version: string; readonly scripts: object };

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly run?: string; readonly uses?: string }[] }>
  >;
}

describe("what lies beside the project for others", () => {
  it("is YAML, and its steps run what there is", () => {
    for (const path of ["release", "pages"]) {
      const { jobs } = parse(text(`.github/workflows/${path}.yml`)) as Workflow;
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\w./-]+$/);
      const scripts = steps.flatMap(({ run = "" }) =>
        [...run.matchAll(/npm run -s ([\w:]+)/g)].map(([, name]) => name),
      );
      for (const name of scripts) if (name !== "wheel") expect(project.scripts).toHaveProperty([name ?? ""]);
    }
    expect(parse(text(".pre-commit-hooks.yaml"))).toMatchObject([{ id: "refscope", language: "system" }]);
    expect(parse(text("integrations/conda/recipe.yaml"))).toMatchObject({ context: { version: project.version } });
  });

  it("takes a release's notes from the changelog", () => {
    const { jobs } = parse(text(".github/workflows/release.yml")) as Workflow;
    const script = jobs.build?.steps.find(({ run }) => run?.includes("awk"))?.run ?? "";
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
