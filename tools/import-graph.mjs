/** Which file of `src/` and `packages/` imports which, imports of types included, and the circles among them. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ROOT } from "./ensure.mjs";

const SOURCES = ["src", "packages"].map((name) => join(ROOT, name));
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^"';]*?from\s*["']([.#][^"']+)["']|import\s*["']([.#][^"']+)["']/g;

/** Path of the file that an import leads to: `#` is `src/` ("imports" in package.json). */
export function resolveImport(from, path) {
  return path.startsWith("#") ? join(ROOT, "src", path.slice(1)) : resolve(dirname(from), path);
}

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
      .map(([, from, bare]) => resolveImport(file, from ?? bare))
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

/** The engine's rooms and loose files from below: none imports a value from one that comes later. */
const FLOORS =
  "engine-set kept pace table looks chunk render many describe rules repository open write digest compare preflight edit repair check sources sessions engine".split(
    " ",
  );
const ENGINE = join("src", "engine");

const roomOf = (path) => path.split(/[/\\]src[/\\]engine[/\\]/)[1]?.split(/[/\\]|\.ts$/)[0];
/** A room that isn't listed is above all others. */
const floorOf = (room) => (FLOORS.includes(room) ? FLOORS.indexOf(room) : FLOORS.length);

/** True if an import from one room of the engine leads to a higher one. */
export function goesUp(from, to) {
  const [room, other] = [roomOf(from), roomOf(to)];
  return room !== undefined && other !== undefined && room !== other && floorOf(other) >= floorOf(room);
}

/** Imports from one room of the engine into another: static ones, and by `import()`. */
function engineArrows() {
  const arrow =
    /(?:^|[\s;])(?:import|export)\s([^"';]*?)from\s*["']([.#][^"']+)["']|\bimport\(\s*["']([.#][^"']+)["']/g;
  return sourceFiles({ folders: [join(ROOT, ENGINE)] }).flatMap((from) =>
    [...readFileSync(from, "utf8").matchAll(arrow)]
      .map(([, what = "", path, later]) => ({
        from,
        to: resolveImport(from, path ?? later),
        isType: /^type\b/.test(what),
      }))
      .filter(({ to }) => roomOf(to) !== undefined && roomOf(to) !== roomOf(from)),
  );
}

/** Values that a room of the engine imports from a higher one. */
export function engineArrowsUp() {
  return engineArrows()
    .filter(({ from, to, isType }) => !isType && goesUp(from, to))
    .map(({ from, to }) => `${relative(ROOT, from)} → ${relative(ROOT, to)}`);
}

/**
 * Rooms of the engine that know each other both ways, imports of types included. Loose files aside: `engine-set.ts` and
 * `sessions.ts` are the types of what rooms below and above them hold.
 */
export function enginePairs() {
  const isInRoom = (path) => relative(join(ROOT, ENGINE), path).includes(sep);
  const arrows = engineArrows().filter(({ from, to }) => isInRoom(from) && isInRoom(to));
  const known = new Set(arrows.map(({ from, to }) => `${roomOf(from)} ⇄ ${roomOf(to)}`));
  return [...known].filter((pair) => {
    const [room, other] = pair.split(" ⇄ ");
    return room < other && known.has(`${other} ⇄ ${room}`);
  });
}
