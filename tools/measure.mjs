/** `npm run -s measure`: the figures by which the house is kept in order. `--list NAME` shows the places behind one. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./ensure.mjs";
import { circles, isTest, sourceFiles } from "./import-graph.mjs";

const CATALOGUE = join("src", "core", "findings");

const all = sourceFiles({ tests: true });
const texts = new Map(all.map((path) => [relative(ROOT, path), readFileSync(path, "utf8")]));
const product = [...texts].filter(([path]) => !isTest(path));
const outside = product.filter(([path]) => !path.startsWith(CATALOGUE));

/** The codes of the catalogue, read off its files. */
function codes() {
  const files = product.filter(([path]) => path.startsWith(join(CATALOGUE, "catalogue")));
  return new Set(
    files.flatMap(([, text]) => [...text.matchAll(/^ {2}"?([a-z0-9-]+)"?: [a-zA-Z.]+[<(]/gm)].map(([, code]) => code)),
  );
}

/** Every match of a pattern, as `path:line`. */
function places(files, pattern) {
  return files.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map((match) => `${path}:${text.slice(0, match.index).split("\n").length}`),
  );
}

const CODES = codes();

const MEASURES = {
  "places that write severity or prose themselves": () =>
    places(outside, /severity: "(?:error|warning|info)"|new RefscopeError\(\{|\bdoing: [`"]/g),
  "lists of codes outside the catalogue": () =>
    outside.flatMap(([path, text]) =>
      [...text.matchAll(/(?:new (?:Set|Map)(?:<[^>]*>)?\(|(?:const|=) [^=\n]*= )\[([^;]*?)\]/g)]
        .filter(([, inside]) => [...inside.matchAll(/"([a-z0-9-]+)"/g)].filter(([, word]) => isCode(word)).length > 1)
        .map((match) => `${path}:${text.slice(0, match.index).split("\n").length}`),
    ),
  "patterns over our own codes or messages": () =>
    places(
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
  "pairs of six or more equal lines": () => repeated(product),
  "folders with more than 30 source files": () =>
    [...foldersOf(product)]
      .filter(([, files]) => files.length > 30)
      .map(([folder, files]) => `${folder}: ${files.length}`),
  "functions for count, list, cut, per cent and secrets outside templates and codecs": () =>
    places(
      product.filter(([path]) => !/^src[/\\](?:templates|codecs)[/\\]/.test(path)),
      /^(?:export )?(?:function|const) (?:count|counted|cut|shortened|percent|withoutSecrets)\b(?:: [^=]+)?(?: = (?:async )?\(|\(|<)/gm,
    ),
  "lines over 600 characters in README, src/README.md, CONTRIBUTING": () =>
    DOCUMENTS.flatMap((path) =>
      documentLines(path).flatMap((line, at) => (line.length > 600 ? [`${path}:${at + 1}`] : [])),
    ),
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

const [option, name] = process.argv.slice(2);
for (const [title, measure] of Object.entries(MEASURES)) {
  if (option === "--list" && !title.includes(name ?? "")) continue;
  const found = measure();
  console.log(`${String(found.length).padStart(6)}  ${title}`);
  if (option === "--list") for (const place of found) console.log(`        ${place}`);
}
if (option !== "--list") {
  console.log(`${String(CODES.size).padStart(6)}  codes in the catalogue`);
  console.log(`${String(documentLines("README.md").length).padStart(6)}  lines of README`);
  console.log(`${String(product.length).padStart(6)}  source files in src, tests aside`);
  console.log(`${String(linesOfCode(product)).padStart(6)}  lines of code in src, tests aside`);
  console.log(`${String(linesOfCode([...texts])).padStart(6)}  lines of code in src, tests included`);
}
