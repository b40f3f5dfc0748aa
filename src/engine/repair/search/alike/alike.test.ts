import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { alikeWords, evidenceLines, repairTitle, type RepairSubject } from "#core/repair.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { createEngine } from "#engine/engine.ts";
import { applyTextEdits } from "#engine/edit/text-edits.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";

type Range = readonly [string, number, number];
type Refs = Readonly<Record<string, Range | string>>;

/** Two files, in each a compressed and a plain array's chunks one behind the other. */
const FILES = ["data/one.nc", "data/two.nc"];
const ROW = 20;
const files: Record<string, Uint8Array<ArrayBuffer>> = {};
const right: Record<string, Range> = {};

beforeAll(() => {
  for (const [file, name] of FILES.entries()) {
    const chunk = (at: number) =>
      new Uint8Array(Int16Array.from({ length: 64 }, (_, i) => 300 + (file * ROW + at) * 7 + (i % 9)).buffer);
    const parts = Array.from({ length: ROW }, (_, at) => chunk(at));
    const stored = [...parts.map((part) => deflateSync(part)), ...parts];
    let offset = 40;
    for (const [at, part] of stored.entries()) {
      right[`${at < ROW ? "a" : "r"}/${file}.${at % ROW}`] = [name, offset, part.length];
      offset += part.length;
    }
    files[name] = new Uint8Array(Buffer.concat([Buffer.alloc(40), ...stored]));
    // A name alone says nothing, where two folders have it.
    files[name.replace("data", "old")] = new Uint8Array(40);
  }
});

const zarray = (compressor: object | null) =>
  JSON.stringify(zarrayWith({ shape: [2, 64 * ROW], chunks: [1, 64], dtype: "<i2", compressor }));

const documentWith = (changes: Refs) =>
  JSON.stringify({ "a/.zarray": zarray({ id: "zlib", level: 1 }), "r/.zarray": zarray(null), ...right, ...changes });

const keysOf = (array: string, files: readonly number[] = [0, 1]) =>
  files.flatMap((file) => Array.from({ length: ROW }, (_, at) => `${array}/${file}.${at}`));

const changedAs = (keys: readonly string[], change: (range: Range, at: number) => Range): Refs =>
  Object.fromEntries(keys.map((key, at) => [key, change(right[key]!, at)]));

const subject = (key: string): RepairSubject => {
  const [array = "", name = ""] = key.split("/");
  return { kind: "chunk", array, coordinates: name.split(".").map(Number) };
};

async function repairOf(changes: Refs, subjects: readonly RepairSubject[], chunks: number, isUnasked = false) {
  const engine = createEngine();
  const text = documentWith(changes);
  const set = await openLocal(engine, { "refs.json": text, ...files });
  const searches = await engine.call("repair.ofCause", { set, subjects, chunks, isUnasked }, CONTEXT);
  const [offer] = searches.flatMap(({ offers }) => offers);
  let after = text;
  for (const edit of offer?.edits ?? []) {
    after = applyTextEdits(after, await engine.call("edit.textEdits", { text: after, edit }, CONTEXT));
  }
  return { offer, after, searches };
}

const shifted =
  (by: number, longer = 0) =>
  ([target, offset, length]: Range): Range => [target, offset + by, length + longer];

/** The damage, the number of chunks named, the offer and its number of references. */
const CASES: readonly (readonly [string, () => Refs, number | "all", string])[] = [
  ["all chunks of an array", () => changedAs(keysOf("a"), shifted(7)), 12, "Read 7 bytes earlier in 40 references"],
  ["those of one file", () => changedAs(keysOf("a", [1]), shifted(3)), 12, "Read 3 bytes earlier in 20 references"],
  [
    "some, all of them told",
    () => changedAs(keysOf("a").slice(3, 19), shifted(5)),
    "all",
    "Read 5 bytes earlier in 16 references",
  ],
  ["cut short", () => changedAs(keysOf("a"), shifted(0, -4)), 12, "Read 4 bytes more in 40 references"],
  ["of another length", () => changedAs(keysOf("r"), shifted(0, -6)), "all", "Read 128 bytes in 40 references"],
  [
    "a misspelt file",
    () => changedAs(keysOf("a", [1]), ([, ...range]) => ["data/tow.nc", ...range]),
    1,
    "Point to two.nc in 20 references",
  ],
  [
    "a misspelt folder",
    () => changedAs(keysOf("a"), ([target, ...range]) => [target.replace("data/", "dtaa/"), ...range]),
    12,
    "Replace dtaa/ with data/ in 40 references",
  ],
];

describe("the same wrong with many chunks", () => {
  it.each(CASES)("%s: one repair, and nothing else changes", async (_what, broken, told, words) => {
    const changes = broken();
    const keys = Object.keys(changes);
    const subjects = (told === "all" ? keys : keys.slice(0, told)).map(subject);
    const { offer, after } = await repairOf(changes, subjects, keys.length);
    expect(offer && repairTitle(offer)).toBe(words);
    expect(offer?.edits).toHaveLength(1);
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith({})));
    expect(alikeWords(offer!)).toBe(`It changes ${keys.length} references. Each was read this way and decodes.`);
    expect(evidenceLines(offer!)).toContain(
      `${keys.length} tested: none can be read as written, all decode with the fix`,
    );
  });

  it("is repaired in the first alone where each has a fault of its own", async () => {
    const changes = changedAs(keysOf("a"), ([target, offset, length], at) => [target, offset, length - 3 - (at % 5)]);
    const { offer, after } = await repairOf(changes, Object.keys(changes).map(subject), 40);
    expect(offer?.alike).toBeUndefined();
    const different = Object.entries(JSON.parse(after) as Refs).filter(
      ([key, range]) => JSON.stringify(range) !== JSON.stringify((JSON.parse(documentWith(changes)) as Refs)[key]),
    );
    expect(different.length).toBeLessThanOrEqual(1);
  });

  it("unasked is the same however many chunks were read before", async () => {
    const changes = changedAs(keysOf("a"), shifted(7));
    for (const known of [4, 13, 40]) {
      const { offer } = await repairOf(changes, Object.keys(changes).slice(0, known).map(subject), known, true);
      expect(offer && repairTitle(offer)).toBe(`Read 7 bytes earlier in ${known} references`);
    }
  });

  it("keeps those that are read as they are", async () => {
    const wrong = keysOf("a").filter((_, at) => at % 3 !== 1);
    const { after } = await repairOf(changedAs(wrong, shifted(7)), wrong.slice(0, 12).map(subject), wrong.length);
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith({})));
  });

  it("removes keys behind the grid as one", async () => {
    const behind = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`a/4.${at}`, right["a/0.0"]!]));
    const { offer, after, searches } = await repairOf(behind, [{ kind: "key", key: "a/4.0" }], 30);
    expect(offer && repairTitle(offer)).toBe("Remove 30 references");
    expect(offer && alikeWords(offer)).toMatch(/Nothing had to be read/);
    expect(searches[0]?.spent).toEqual({ bytes: 0, requests: 0 });
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith({})));
  });
});
