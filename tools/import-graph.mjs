/** Which file of `src/` and `packages/` imports which, imports of types included, and the circles among them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "./ensure.mjs";

const SOURCES = ["src", "packages"].map((name) => join(ROOT, name));
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^"';]*?from\s*["'](\.[^"']+)["']|import\s*["'](\.[^"']+)["']/g;

/** Absolute paths of the TypeScript files below `folders`; `tests`: those of tests too. */
export function sourceFiles({ folders = SOURCES, tests = false } = {}) {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(?:as|generated|d)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => tests || !isTest(path))
    .sort();
}

/** Tests, and what only tests import. */
export function isTest(path) {
  return /\.test\.tsx?$|[/\\](?:testing|fixtures)[/\\]|[/\\]testing\.ts$/.test(path);
}

/** File → files it imports by a static import or export; dynamic imports may close a circle, and are left out. */
export function importGraph(files = sourceFiles()) {
  const known = new Set(files);
  const importsOf = (file) =>
    [...readFileSync(file, "utf8").matchAll(IMPORT)]
      .map(([, from, bare]) => resolve(dirname(file), from ?? bare))
      .filter((path) => known.has(path));
  return new Map(files.map((file) => [file, [...new Set(importsOf(file))]]));
}

/** Strongly connected parts of more than one file (Tarjan), as paths from the project's root. */
export function circles(graph = importGraph()) {
  const state = { next: 0, index: new Map(), low: new Map(), stack: [], found: [] };
  for (const file of graph.keys()) if (!state.index.has(file)) visit(file, graph, state);
  return state.found.map((files) => files.map((file) => relative(ROOT, file)).sort());
}

function visit(file, graph, state) {
  state.index.set(file, state.next);
  state.low.set(file, state.next);
  state.next += 1;
  state.stack.push(file);
  for (const to of graph.get(file) ?? []) {
    if (!state.index.has(to)) {
      visit(to, graph, state);
      state.low.set(file, Math.min(state.low.get(file), state.low.get(to)));
    } else if (state.stack.includes(to)) {
      state.low.set(file, Math.min(state.low.get(file), state.index.get(to)));
    }
  }
  if (state.low.get(file) !== state.index.get(file)) return;
  const part = state.stack.splice(state.stack.indexOf(file));
  if (part.length > 1) state.found.push(part);
}
