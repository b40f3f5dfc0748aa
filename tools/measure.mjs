/**
 * `npm run -s measure`: the figures by which the house is kept in order, beside what `docs/decisions/budget.md` allows.
 * `--list NAME` shows the places behind one, `--check` (a step of `npm test`) exits with 1 if a figure is above its
 * budget, `--record` lowers budgets to the figures of now.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./ensure.mjs";
import { circles, engineArrowsUp, enginePairs, isTest, sourceFiles } from "./import-graph.mjs";
import * as css from "./css.mjs";
import { limitsOf, overBudget, withLowerLimits } from "./budget.mjs";
import * as text from "./measure-text.mjs";
import { faultOf, messagesSinceTheRule } from "./subjects.mjs";

const CATALOGUE = join("src", "core", "findings");

const all = sourceFiles({ tests: true });
const texts = new Map(all.map((path) => [relative(ROOT, path), readFileSync(path, "utf8")]));
const product = [...texts].filter(([path]) => !isTest(path));
const inSource = product.filter(([path]) => path.startsWith("src"));
const outside = product.filter(([path]) => !path.startsWith(CATALOGUE));

/** The codes of the catalogue, read off its files. */
function codes() {
  const files = product.filter(([path]) => path.startsWith(join(CATALOGUE, "catalogue")));
  return new Set(
    files.flatMap(([, text]) =>
      [...text.matchAll(/^ {2}"?([a-z0-9-]+)"?: [a-zA-Z]+(?:\("[^"]*"\))?(?:\.[a-zA-Z]+)*[<(]/gm)].map(
        ([, code]) => code,
      ),
    ),
  );
}

const CODES = codes();

const MEASURES = {
  "places that write severity or prose themselves": () =>
    text.places(outside, /severity: "(?:error|warning|info)"|new RefscopeError\(\{|\bdoing: [`"]/g),
  "lists of codes outside the catalogue": () =>
    outside.flatMap(([path, text]) =>
      [...text.matchAll(/(?:new (?:Set|Map)(?:<[^>]*>)?\(|(?:const|=) [^=\n]*= )\[([^;]*?)\]/g)]
        .filter(([, inside]) => [...inside.matchAll(/"([a-z0-9-]+)"/g)].filter(([, word]) => isCode(word)).length > 1)
        .map((match) => `${path}:${text.slice(0, match.index).split("\n").length}`),
    ),
  "patterns over our own codes or messages": () =>
    text.places(
      outside,
      /(?:\bcode|\.message|\bmessage|\.advice)\.(?:startsWith|endsWith|includes|match|replace|test)\(|\.(?:exec|test)\((?:[a-z]+\.)?(?:code|message)\)/g,
    ),
  "codes in no test": () => {
    const tests = [...texts, ...stories()].filter(([path]) => isTest(path) || path.startsWith("e2e"));
    const words = new Set(
      tests.flatMap(([, text]) => [...text.matchAll(/[a-z0-9]+(?:-[a-z0-9]+)*/g)].map(([word]) => word)),
    );
    return [...CODES].filter((code) => !words.has(code));
  },
  "circles of imports, types counted": () => circles().map((files) => files.join(" ↔ ")),
  "values that rooms of the engine take from above": engineArrowsUp,
  "rooms of the engine that know each other both ways": enginePairs,
  "pairs of six or more equal lines": () => repeated(product),
  "folders with more than 30 source files": () =>
    [...foldersOf(product)]
      .filter(([, files]) => files.length > 30)
      .map(([folder, files]) => `${folder}: ${files.length}`),
  "functions for count, list, cut, per cent and secrets outside templates and codecs": () =>
    text.places(
      product.filter(([path]) => !/^(?:packages|src[/\\]codecs)[/\\]/.test(path)),
      /^(?:export )?(?:function|const) (?:count|counted|cut|shortened|percent|withoutSecrets)\b(?:: [^=]+)?(?: = (?:async )?\(|\(|<)/gm,
    ),
  "lines over 600 characters in README, src/README.md, CONTRIBUTING": () =>
    DOCUMENTS.flatMap((path) =>
      documentLines(path).flatMap((line, at) => (line.length > 600 ? [`${path}:${at + 1}`] : [])),
    ),
  "commit subjects that break the rule": () =>
    (messagesSinceTheRule() ?? []).filter((message) => faultOf(message) !== undefined),
  "comments that begin without their subject": () => text.fragments(product),
  "short names that stand for many things": () => text.vagueNames(product),
  "headings with nothing under them": () => text.emptyHeadings(product),
  "tables written by hand": () => text.handWrittenTables(product),
  "sentences that the engine composes": () => text.sentences(product, join("src", "engine")),
  "sentences that pre-flight composes": () => text.sentences(product, join("src", "engine", "preflight")),
  "imports that climb two folders or more": () => text.climbingImports(product),
  "orphan style sheets": css.orphans,
  "unused classes": css.unused,
};

/** Amounts, of which there are no places to list. */
const AMOUNTS = {
  "codes in the catalogue": () => CODES.size,
  "lines of README": () => documentLines("README.md").length,
  "source files in src, tests aside": () => inSource.length,
  "lines of code in src, tests aside": () => linesOfCode(inSource),
  "lines of code with packages, tests aside": () => linesOfCode(product),
  "lines of CSS": css.lines,
  "style sheets": () => css.sheets.length,
};

function foldersOf(files) {
  const folders = new Map();
  for (const file of files) folders.set(dirname(file[0]), [...(folders.get(dirname(file[0])) ?? []), file]);
  return folders;
}

const DOCUMENTS = ["README.md", join("src", "README.md"), "CONTRIBUTING.md"];

function documentLines(path) {
  return readFileSync(join(ROOT, path), "utf8").trimEnd().split("\n");
}

/** Words that are codes beyond doubt: of two parts, and in the catalogue. */
function isCode(word) {
  return CODES.has(word) && word.includes("-");
}

function stories() {
  const folder = join(ROOT, "e2e");
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".ts"));
  return names.map((name) => [join("e2e", name), readFileSync(join(folder, name), "utf8")]);
}

const RUN = 6;

/** Pairs of files (or of places in one) that share a run of six lines, imports, blank lines, comments and lone punctuation aside. */
function repeated(files) {
  const seen = new Map();
  const pairs = new Set();
  for (const [path, text] of files) {
    const lines = significant(text);
    for (let at = 0; at + RUN <= lines.length; at += 1) {
      const run = lines.slice(at, at + RUN);
      const key = run.map(({ line }) => line).join("\n");
      const first = seen.get(key);
      if (first === undefined) seen.set(key, { path, at });
      else if (first.path !== path || at - first.at >= RUN) pairs.add(`${first.path} ~ ${path}`);
    }
  }
  return [...pairs];
}

function significant(text) {
  return text
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/^import [^;]*;$/gm, "")
    .split("\n")
    .map((line) => ({ line: line.trim() }))
    .filter(({ line }) => /\w/.test(line) && !line.startsWith("//") && !line.startsWith("export * from"));
}

function linesOfCode(files) {
  return files.reduce(
    (sum, [, text]) =>
      sum +
      text
        .replace(/\/\*[^]*?\*\//g, "")
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length,
    0,
  );
}

const BUDGET = join(ROOT, "docs", "decisions", "budget.md");

function list(name = "") {
  for (const [title, measure] of Object.entries(MEASURES).filter(([title]) => title.includes(name)))
    console.log([title, ...measure()].join("\n        "));
}

function print(option) {
  const figures = new Map([
    ...Object.entries(MEASURES).map(([title, measure]) => [title, measure().length]),
    ...Object.entries(AMOUNTS).map(([title, measure]) => [title, measure()]),
  ]);
  const budget = readFileSync(BUDGET, "utf8");
  const limits = limitsOf(budget);
  for (const [title, figure] of figures)
    console.log(`${String(figure).padStart(7)} ${String(limits.get(title)?.limit ?? "").padStart(7)}  ${title}`);
  if (option === "--record") writeFileSync(BUDGET, withLowerLimits(budget, figures));
  if (option !== "--check") return;
  const over = overBudget(limits, figures);
  for (const line of over) console.error(line);
  process.exitCode = over.length === 0 ? 0 : 1;
}

const [option, name] = process.argv.slice(2);
if (option === "--list") list(name);
else print(option);
