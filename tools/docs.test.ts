/** The documentation: every page is in its list, and every link leads somewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CATALOGUE } from "../src/core/findings/catalogue/index.ts";
import { VIEW_NAMES } from "../src/store/views.ts";
import { buildDocs, linksOf, PAGES, slug } from "./docs.ts";

const ROOT = dirname(import.meta.dirname);
const DOCS = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const TEXTS = [...DOCS.map((name) => `docs/${name}`), "README.md", "CONTRIBUTING.md", "SECURITY.md"];
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
let folder: string;
let files: readonly string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "refscope-docs-"));
  files = buildDocs(join(folder, "docs"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("pages", () => {
  it("are all in the list, and there is one for each code", () => {
    const listed = ["README", ...Object.values(PAGES).flat()];
    expect(DOCS.map((name) => name.replace(/\.md$/, "")).toSorted()).toEqual(listed.toSorted());
    expect(files.filter((file) => file.startsWith("codes/"))).toHaveLength(Object.keys(CATALOGUE).length);
  });

  it("have no link that leads nowhere", () => {
    const ids = new Map(files.map((file) => [file, idsOf(readFileSync(join(folder, "docs", file), "utf8"))]));
    const dead = files.flatMap((file) => {
      const html = readFileSync(join(folder, "docs", file), "utf8");
      const links = Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link = ""]) =>
        link.replaceAll("&amp;", "&"),
      );
      return links.filter((link) => !leads(file, link, ids)).map((link) => `${file}: ${link}`);
    });
    expect(dead).toEqual([]);
    const twice = [...ids].filter(([, all]) => new Set(all).size < all.length).map(([file]) => file);
    expect(twice).toEqual([]);
  });

  it("have no link that leads nowhere in the repository, where pages of codes are built", () => {
    const dead = TEXTS.flatMap((file) =>
      linksOf(textOf(file))
        .filter((link) => !/^https?:/.test(link) && !/(?:^|\/)codes\/[a-z\d-]+\.html$/.test(link))
        .filter((link) => !isInRepository(file, link))
        .map((link) => `${file}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it("name what is generated", () => {
    const html = (file: string) => readFileSync(join(folder, "docs", file), "utf8");
    for (const id of ["check", "capsule", "compare"]) expect(html("terminal.html")).toContain(`<h3 id="${id}">`);
    for (const one of ["Dataset", "ReadOptions", "StoredRange"])
      expect(html("package.html")).toContain(`id="${one.toLowerCase()}"`);
    // Of one interface and one type the last line.
    for (const last of ["readonly signal?: AbortSignal;\n}", "readonly suffixLength: number };"])
      expect(html("package.html")).toContain(`${last}</code>`);
    for (const one of ["url", "view", "point", "with"]) expect(html("address.html")).toContain(`<code>${one}</code>`);
    for (const view of VIEW_NAMES) expect(html("address.html")).toContain(`<code>${view}</code>`);
    expect(html("codecs.html")).toMatch(/<code>zstd<\/code>[^]*<code>zfpy<\/code>/);
    expect(html("json.html")).toContain("<code>verdict.opens</code>");
  });
});

it("issue forms ask for a capsule, and the citation has what its format demands", () => {
  for (const form of ["wrong-answer", "does-not-open"]) {
    const { name, body } = parse(textOf(`.github/ISSUE_TEMPLATE/${form}.yml`)) as {
      name: string;
      body: { id?: string }[];
    };
    expect(name).not.toBe("");
    expect(body.map(({ id }) => id)).toContain("capsule");
  }
  expect(parse(textOf("CITATION.cff"))).toMatchObject({ "cff-version": "1.2.0", type: "software", license: "MIT" });
});

const idsOf = (html: string): readonly string[] => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);

function leads(file: string, link: string, ids: ReadonlyMap<string, readonly string[]>): boolean {
  if (/^https?:/.test(link)) return URL.canParse(link);
  const [path = "", anchor] = link.split("#");
  if (path === "") return anchor !== undefined && ids.get(file)?.includes(anchor) === true;
  const to = join("docs", dirname(file), path).replaceAll("\\", "/");
  // The page, and what lies beside it: its anchors are addresses of datasets.
  if (to === "./" || to === "index.html") return anchor === undefined || anchor.startsWith("url=samples/");
  if (!to.startsWith("docs/")) return existsSync(join(ROOT, "public", to));
  const page = to.slice("docs/".length);
  if (anchor !== undefined) return ids.get(page)?.includes(anchor) === true;
  return existsSync(join(folder, "docs", page));
}

function isInRepository(file: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const to = path === "" ? file : join(dirname(file), path);
  if (!existsSync(join(ROOT, to))) return false;
  if (anchor === undefined || !to.endsWith(".md")) return true;
  const heads = Array.from(textOf(to).matchAll(/^#+ (.+)$/gm), ([, head = ""]) => slug(head.replaceAll("`", "")));
  return heads.includes(anchor);
}
