/** The small corpus can be given away: each entry has its origin and its licence, and it is what the whole one has. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { corpus, filesBelow, smallCorpus, WHOLE_CORPUS_ENTRIES } from "./corpus.ts";

const { folder, entries, expected } = smallCorpus;
const rows = readFileSync(join(folder, "README.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| [a-z]+-/.test(line));
const paths = entries.flatMap((entry) => filesBelow(folder, entry));

it("has a row of the table for each entry, and no other", () => {
  expect(entries.length).toBeGreaterThan(12);
  expect(rows.map((row) => /^\| ([^ ]+) \|/.exec(row)?.[1])).toEqual(entries);
});

it("has a licence for each entry, and none for nothing", () => {
  const texts = rows.map((row) => /\[text\]\(licences\/([a-z-]+\.txt)\)/.exec(row)?.[1]);
  expect(new Set(texts)).toEqual(new Set(readdirSync(join(folder, "licences"))));
  for (const text of readdirSync(join(folder, "licences"))) {
    expect(readFileSync(join(folder, "licences", text), "utf8")).toMatch(/Permission is hereby granted|Apache License/);
  }
});

it("has no records of entries that are not there", () => {
  const names = readdirSync(expected).map((name) => name.replace(/\.json$/, ""));
  expect(entries).toEqual(expect.arrayContaining(names));
});

it("is small, and has no program in it", () => {
  const bytes = [...paths, ...filesBelow(folder, "expected")].reduce((sum, path) => sum + sizeOf(path), 0);
  expect(bytes).toBeLessThan(1_500_000);
  expect(paths.filter((path) => /\.(?:py|[jt]sx?|rs|sh)(?:\.txt)?$/.test(path))).toEqual([]);
});

const sizeOf = (path: string): number => statSync(join(folder, path)).size;

// A clone alone has nothing to compare with.
if (corpus.isWhole) {
  it("is the same, byte by byte, in the whole corpus", () => {
    expect(corpus.entries).toHaveLength(WHOLE_CORPUS_ENTRIES);
    const changed = paths.filter((path) => !isSame(join(folder, path), join(corpus.folder, path)));
    const records = readdirSync(expected).filter((name) => !isSame(join(expected, name), join(corpus.expected, name)));
    expect([...changed, ...records]).toEqual([]);
  });
}

const isSame = (one: string, other: string): boolean =>
  existsSync(other) && readFileSync(one).equals(readFileSync(other));
