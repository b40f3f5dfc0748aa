/** Commands that seldom have findings do not load the catalogue to say nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveImport } from "../../../tools/import-graph.mjs";

const CLI = join(import.meta.dirname, "..");
const CATALOGUE = join(CLI, "../core/findings/catalogue/index.ts");

/** Files that are loaded with one: what it imports as values, not behind `import()`. */
function loadedWith(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known;
  known.add(path);
  const text = readFileSync(path, "utf8");
  for (const [, names = "", from = ""] of text.matchAll(/^(?:import|export) ([^;]*?)from "([.#][^"]+\.ts)";$/gm)) {
    const isTypes = names.startsWith("type ") || /^\{(?:\s*type \w+,?)+\s*\}\s*$/.test(names);
    if (!isTypes) loadedWith(resolveImport(path, from), known);
  }
  return known;
}

it.each(["start", "read-command", "make/refs-command", "make/write-command", "serve/serve-command"])("%s", (name) => {
  const loaded = loadedWith(join(CLI, `${name}.ts`));
  expect(loaded.size).toBeGreaterThan(3);
  expect(loaded).not.toContain(CATALOGUE);
});

it("of check is loaded, which says what it found", () => {
  expect(loadedWith(join(CLI, "check-command.ts"))).toContain(CATALOGUE);
});
