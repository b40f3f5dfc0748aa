/** The documents name files that exist: every path in back-ticks in CONTRIBUTING.md, docs/ and the rooms' READMEs. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

const NOT_WRITTEN_BY_US = new Set([".git", "node_modules", "dist"]);

/** Files, and folders with a slash at their end. */
function pathsIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_WRITTEN_BY_US.has(name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? [`${path}/`, ...pathsIn(path)] : [path];
    });
}

/** Files and folders of a dataset, what servers make, and the name that no file is to have. */
const NOT_OURS = new Set(["/", "refs/", "session.json", "snapshots/", "utils.ts", "zarr.json"]);

const TOP = ["", "src"].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : [])),
);

/**
 * A file of code, data or text, a folder, or what begins with one of the top folders; `<name>` and `*` are any name.
 */
const isPath = (token: string): boolean =>
  /^[\w.<>*/-]+$/.test(token) &&
  (/\/$|[^.]\.(?:tsx?|mjs|json|md|css|html)$/.test(token) || TOP.some((folder) => token.startsWith(`${folder}/`)));

/** The text around a path says in which folder it lies: its end is enough. */
function exists(named: string, all: string): boolean {
  const pattern = named
    .split(/<[^>]+>|\*/)
    .map((part) => part.replaceAll(".", String.raw`\.`))
    .join("[^/\n]+");
  return new RegExp(`/${pattern}/?$`, "m").test(all);
}

const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const rooms = pathsIn("src").filter((path) => path.endsWith("README.md") && !/\/(?:fixtures|testing)\//.test(path));

it.each(["CONTRIBUTING.md", ...rooms, ...docs.map((name) => `docs/${name}`)])("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8").replaceAll(/^```.*?^```/gms, "");
  const named = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, token = ""]) => token).filter(isPath);
  const all = pathsIn(".").join("\n");
  expect(named.filter((path) => !NOT_OURS.has(path) && !exists(path, all))).toEqual([]);
});
