/** Repairs of small sets, made here: offered, as they were, and nothing for what is right. */
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { evidenceLines, REFUSED_WORDS, repairLine, repairTitle, type RepairSubject } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { applyTextEdits } from "#engine/edit/text-edits.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";

type Range = readonly [string, number, number];
type Refs = Readonly<Record<string, string | readonly unknown[]>>;

/** Two files with three chunks of 64 numbers each, compressed, with a few bytes between the header and the first. */
const chunkOf = (at: number) =>
  new Uint8Array(Int16Array.from({ length: 64 }, (_, i) => 300 + at * 7 + (i % 9)).buffer);
const HEADER = 40;
const files: Record<string, Uint8Array<ArrayBuffer>> = {};
const right: Record<string, Range> = {};
const raw: Record<string, Range> = {};

beforeAll(() => {
  for (const [file, name] of ["one.nc", "two.nc"].entries()) {
    const packed = [0, 1, 2].map((at) => deflateSync(chunkOf(file * 3 + at)));
    const plain = [0, 1, 2].map((at) => chunkOf(10 + file * 3 + at));
    const bytes = new Uint8Array(
      [HEADER, ...[...packed, ...plain].map(({ length }) => length)].reduce((a, b) => a + b),
    );
    let offset = HEADER;
    for (const [at, part] of [...packed, ...plain].entries()) {
      bytes.set(part, offset);
      const [list, array] = at < 3 ? [right, "a"] : [raw, "r"];
      list[`${array}/${file}.${at % 3}`] = [name, offset, part.length];
      offset += part.length;
    }
    files[name] = bytes;
  }
});

const zarray = (compressor: object | null) =>
  JSON.stringify(zarrayWith({ shape: [2, 192], chunks: [1, 64], dtype: "<i2", compressor }));
const ZLIB = { id: "zlib", level: 1 };

function documentWith(changes: Refs, without: readonly string[] = []): string {
  const refs = { "a/.zarray": zarray(ZLIB), "r/.zarray": zarray(null), ...right, ...raw, ...changes };
  return JSON.stringify(Object.fromEntries(Object.entries(refs).filter(([key]) => !without.includes(key))));
}

async function repairsIn(text: string, subject: RepairSubject) {
  const engine = createEngine();
  const set = await openLocal(engine, { "refs.json": text, ...files });
  const [search] = await engine.call("repair.ofCause", { set, subjects: [subject] }, CONTEXT);
  return { engine, set, search, offers: search?.offers ?? [] };
}

const chunk = (array: string, ...coordinates: number[]): RepairSubject => ({ kind: "chunk", array, coordinates });

async function edited(engine: Engine, text: string, { edits }: RepairOffer): Promise<Refs> {
  let now = text;
  for (const edit of edits) {
    now = applyTextEdits(now, await engine.call("edit.textEdits", { text: now, edit }, CONTEXT));
  }
  return JSON.parse(now) as Refs;
}

const moved = ([target, offset, length]: Range, by: number, longer = 0): Range => [
  target,
  offset + by,
  length + longer,
];

/** The damage, the repair's words, and a check that the document is then as it was. */
const CASES: readonly (readonly [string, () => Refs, RepairSubject, RegExp])[] = [
  ["a shifted offset", () => ({ "a/0.1": moved(right["a/0.1"]!, 7) }), chunk("a", 0, 1), /^Read 7 bytes earlier$/],
  ["a length cut short", () => ({ "a/0.1": moved(right["a/0.1"]!, 0, -9) }), chunk("a", 0, 1), /^Read \d+ bytes$/],
  [
    "no length",
    () => ({ "a/1.2": moved(right["a/1.2"]!, 0, -right["a/1.2"]![2]) }),
    chunk("a", 1, 2),
    /^Read \d+ bytes$/,
  ],
  ["a range past the end", () => ({ "a/0.1": moved(right["a/0.1"]!, 90_000) }), chunk("a", 0, 1), /earlier$/],
  [
    "a misspelt target",
    () => ({ "a/1.1": ["tow.nc", ...right["a/1.1"]!.slice(1)] }),
    chunk("a", 1, 1),
    /^Point to two.nc$/,
  ],
  ["a whole file", () => ({ "a/1.1": ["two.nc"] }), chunk("a", 1, 1), /^Read \d+ bytes at [\d,]+$/],
  ["another chunk's range", () => ({ "a/0.1": right["a/1.2"]! }), chunk("a", 0, 1), /^Point to one.nc$/],
  ["another array's range", () => ({ "a/0.1": raw["r/0.1"]! }), chunk("a", 0, 1), /^Read \d+ bytes at [\d,]+$/],
  ["a shifted plain chunk", () => ({ "r/0.1": moved(raw["r/0.1"]!, 8) }), chunk("r", 0, 1), /^Read 8 bytes earlier$/],
  ["a plain chunk too long", () => ({ "r/0.1": moved(raw["r/0.1"]!, 0, 5) }), chunk("r", 0, 1), /^Read 128 bytes$/],
];

describe("a range that is wrong", () => {
  it.each(CASES)("%s is found where nothing else claims it", async (_what, changes, subject, words) => {
    const text = documentWith(changes());
    const { engine, offers } = await repairsIn(text, subject);
    expect(offers.map(repairTitle)).toEqual([expect.stringMatching(words)]);
    expect(await edited(engine, text, offers[0]!)).toEqual(JSON.parse(documentWith({})));
    expect(evidenceLines(offers[0]!)).toContain("It decodes to exactly 128 bytes");
  });

  it("is left to its neighbour where that is the wrong one", async () => {
    const text = documentWith({ "a/0.1": moved(right["a/0.1"]!, 7), "r/1.0": right["a/0.0"]! });
    for (const subject of [chunk("a", 0, 0), chunk("a", 0, 2), chunk("a", 1, 1)]) {
      expect((await repairsIn(text, subject)).offers).toEqual([]);
    }
  });

  it("is not guessed where a plain chunk fits twice", async () => {
    const text = documentWith({ "r/0.1": ["one.nc"] }, ["r/0.2"]);
    expect((await repairsIn(text, chunk("r", 0, 1))).offers.map(({ certainty }) => certainty)).not.toContain("safe");
  });

  it("costs nothing beyond the budget", async () => {
    const { search } = await repairsIn(documentWith({ "a/0.1": moved(right["a/0.1"]!, 7) }), chunk("a", 0, 1));
    expect(search?.spent.requests).toBeLessThanOrEqual(40);
    expect(search?.spent.bytes).toBeLessThanOrEqual(4 * 2 ** 20);
  });
});

it("inline text without the zeros at its end is padded, in all chunks of the array", async () => {
  const text = (values: readonly string[]) =>
    documentWith({
      "n/.zarray": JSON.stringify(zarrayWith({ shape: [2, 8], chunks: [1, 8], dtype: "|S1", compressor: null })),
      ...Object.fromEntries(values.map((value, at) => [`n/${at}.0`, value])),
    });
  const { engine, offers } = await repairsIn(text(["1980", "198012"]), chunk("n", 0, 0));
  expect(offers.map(repairTitle)).toEqual(["Pad with zero bytes in 2 references"]);
  expect(offers[0]?.certainty).toBe("safe");
  const padded = await edited(engine, text(["1980", "198012"]), offers[0]!);
  expect(padded).toMatchObject({ "n/0.0": `base64:${btoa("1980\0\0\0\0")}`, "n/1.0": `base64:${btoa("198012\0\0")}` });
  expect((await repairsIn(text(["1980", "198\u0000"]), chunk("n", 0, 0))).offers).toEqual([]);
});

describe("what is right", () => {
  it("has no repair", async () => {
    const text = documentWith({});
    for (const array of ["a", "r"]) {
      for (const at of [0, 1, 2]) expect((await repairsIn(text, chunk(array, 1, at))).offers).toEqual([]);
    }
  });
});

describe("keys that fit no chunk", () => {
  it("are removed where the same bytes are read as another", async () => {
    const text = documentWith({ "a/5.0": right["a/1.0"]! });
    const { engine, offers } = await repairsIn(text, { kind: "key", key: "a/5.0" });
    expect(offers).toMatchObject([{ certainty: "safe", change: { kind: "remove" } }]);
    expect(evidenceLines(offers[0]!)).toEqual([
      "The grid has 2 × 3 chunks: no reader requests this key",
      "a/1.0 reads the same bytes",
    ]);
    expect(await edited(engine, text, offers[0]!)).toEqual(JSON.parse(documentWith({})));
  });

  it("are removed with a question where they fill a layer behind the grid", async () => {
    const layer = { "r/2.0": ["one.nc", 0, 4], "r/2.1": ["one.nc", 4, 4], "r/2.2": ["one.nc", 8, 4] };
    const { offers } = await repairsIn(documentWith(layer), { kind: "key", key: "r/2.1" });
    expect(offers.map(repairTitle)).toEqual(["Remove the reference?"]);
  });

  it("are renamed where only one chunk can be meant", async () => {
    const text = documentWith({ "a/1.2.0": right["a/1.2"]! }, ["a/1.2"]);
    const { engine, offers } = await repairsIn(text, { kind: "key", key: "a/1.2.0" });
    expect(offers.map(repairLine)).toEqual(["Rename to a/1.2 for a/1.2.0"]);
    expect(await edited(engine, text, offers[0]!)).toEqual(JSON.parse(documentWith({})));
  });

  it("are written as the metadata say", async () => {
    const keys = Object.keys(right);
    const text = documentWith(Object.fromEntries(keys.map((key) => [key.replace(".", "/"), right[key]!])), keys);
    const { engine, offers } = await repairsIn(text, { kind: "key", key: "a/0/1" });
    expect(offers.map(repairLine)).toEqual(["Write 6 keys with “.” in a"]);
    expect(await edited(engine, text, offers[0]!)).toEqual(JSON.parse(documentWith({})));
    expect((await repairsIn(text, chunk("a", 1, 1))).offers).toHaveLength(1);
  });

  it("stay where no metadata say what they are", async () => {
    const text = documentWith({ "b/0.0": right["a/1.0"]! });
    expect((await repairsIn(text, { kind: "key", key: "b/0.0" })).offers).toEqual([]);
  });
});

it("what gen made is told, not edited", async () => {
  const gen = [
    {
      key: "a/{{ i }}.1",
      url: "one.nc",
      offset: String(right["a/0.1"]![1] + 7),
      length: String(right["a/0.1"]![2]),
      dimensions: { i: [0] },
    },
  ];
  const refs = JSON.parse(documentWith({}, ["a/0.1"])) as object;
  const { offers } = await repairsIn(JSON.stringify({ version: 1, templates: {}, gen, refs }), chunk("a", 0, 1));
  expect(offers).toMatchObject([{ refused: "generated", edits: [], change: { kind: "move", shift: -7, lengthen: 0 } }]);
  expect(REFUSED_WORDS.generated).toMatch(/gen/);
});

it("a fix that was found stays with its set, whatever else was searched for and read since", async () => {
  const subjects = [chunk("a", 0, 1)];
  const text = documentWith({ "a/0.1": moved(right["a/0.1"]!, 7) });
  const { engine, set, offers } = await repairsIn(text, subjects[0]!);
  expect(offers).toHaveLength(1);
  const ask = (chunks: number, isUnasked: boolean) =>
    engine.call("repair.ofCause", { set, subjects, chunks, isUnasked }, CONTEXT);
  const [first] = await ask(1, true);
  expect(first?.offers).toEqual(offers);
  // The cause is known of more chunks now; still nothing is read for it.
  expect(await ask(2, true)).toEqual([first]);
  await engine.call("set.retry", { set }, CONTEXT);
  // Chunks that are read from other places may need another fix.
  const [again] = await ask(1, true);
  expect(again).not.toBe(first);
  expect(again?.offers).toEqual(offers);
});
