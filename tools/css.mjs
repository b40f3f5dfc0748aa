/**
 * Figures over the style sheets of `src`: a sheet belongs to the component of its name, and each class has a user.
 * Shared words (`widgets/layout.css`) are global: rules compose them "from global", components name them as they are.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./ensure.mjs";
import { resolveImport, sourceFiles } from "./import-graph.mjs";

const WORDS = join("src", "widgets", "layout.css");

export const sheets = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".css"))
  .map((path) => join("src", path))
  .toSorted();
const texts = new Map(sheets.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
const rules = new Map([...texts].map(([path, text]) => [path, text.replaceAll(/\/\*[^]*?\*\//g, "")]));
const modules = sheets.filter((path) => path.endsWith(".module.css"));
const users = sourceFiles({ tests: false }).map((path) => ({
  path: relative(ROOT, path),
  text: readFileSync(path, "utf8"),
}));

/** Imports of style modules: who, which, and under what name. */
const imports = users.flatMap(({ path, text }) =>
  [...text.matchAll(/^import (\w+) from "([.#][^"]*\.module\.css)";/gm)].map(([, name, at]) => ({
    text,
    path,
    name,
    sheet: relative(ROOT, resolveImport(join(ROOT, path), at)),
  })),
);

/** Lines that are not blank. */
export const lines = () => [...texts.values()].reduce((sum, text) => sum + text.match(/^.*\S/gm).length, 0);

/** Sheets that the component of their name does not import. */
export const orphans = () => {
  const own = new Set(imports.map(({ path, sheet }) => (path === sheet.replace(".module.css", ".tsx") ? sheet : "")));
  return modules.filter((path) => !own.has(path));
};

/** Classes that nothing names, as `path: class`, and words that are used and not there. */
export const unused = () => {
  const words = new Set(classesOf(rules.get(WORDS) ?? ""));
  const composed = modules.flatMap((path) =>
    [...rules.get(path).matchAll(/composes: ([\w\s-]+) from (?:"([^"]*)"|global)/g)].flatMap(([, names, at]) =>
      names.split(/\s+/).map((name) => ({ sheet: at === undefined ? WORDS : join(path, "..", at), name })),
    ),
  );
  const isUsed = (sheet, name) =>
    composed.some((one) => one.sheet === sheet && one.name === name) ||
    imports.some((one) => one.sheet === sheet && new RegExp(`\\b${one.name}(?:\\.${name}\\b|\\[)`).test(one.text));
  const named = users.flatMap(({ text }) =>
    [...text.matchAll(/\bclassName=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap(([, names, mixed]) =>
      (names ?? mixed.replaceAll(/\$\{[^}]*\}/g, "")).split(/\s+/).filter((name) => name !== ""),
    ),
  );
  return [
    ...modules.flatMap((path) =>
      classesOf(rules.get(path)).flatMap((name) => (isUsed(path, name) ? [] : [`${path}: ${name}`])),
    ),
    ...[...words].filter((word) => !named.includes(word) && !isUsed(WORDS, word)).map((word) => `${WORDS}: ${word}`),
    ...[...named, ...composed.flatMap(({ sheet, name }) => (sheet === WORDS ? [name] : []))]
      .filter((word) => !words.has(word))
      .map((word) => `no such word: ${word}`),
  ];
};

const classesOf = (text) => [
  ...new Set(
    [...text.matchAll(/([^{};]+)\{/g)]
      .filter(([, selector]) => !selector.trim().startsWith("@"))
      .flatMap(([, selector]) =>
        [...selector.replaceAll(/:global\([^)]*\)/g, "").matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name),
      ),
  ),
];
