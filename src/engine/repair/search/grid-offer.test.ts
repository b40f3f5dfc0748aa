import { describe, expect, it } from "vitest";
import { repairTitle, type RepairSubject } from "#core/repair.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { applyTextEdits } from "#engine/edit/text-edits.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";

const FILE = new Uint8Array(Int16Array.from({ length: 4000 }, (_, at) => at).buffer);

type Lengths = readonly number[];

/** Names of chunks of a grid. */
function namesOf([first = 1, ...rest]: Lengths): readonly string[] {
  const tails = rest.length === 0 ? [""] : namesOf(rest).map((tail) => `.${tail}`);
  return Array.from({ length: first }, (_, at) => tails.map((tail) => `${at}${tail}`)).flat();
}

interface Described {
  readonly shape: Lengths;
  readonly chunks: Lengths;
  /** Lengths of the references, and bytes of each. */
  readonly grid: Lengths;
  readonly bytes: number;
}

const LIKE: Described = { shape: [12, 8], chunks: [4, 4], grid: [3, 2], bytes: 32 };

function refsOf(path: string, { shape, chunks, grid, bytes }: Described): Readonly<Record<string, unknown>> {
  return {
    [`${path}/.zarray`]: JSON.stringify(zarrayWith({ shape: [...shape], chunks: [...chunks], dtype: "<i2" })),
    [`${path}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "x"] }),
    ...Object.fromEntries(namesOf(grid).map((name, at) => [`${path}/${name}`, ["f.nc", at * bytes, bytes]])),
  };
}

const documentWith = (wrong: Described, others = 2): string =>
  JSON.stringify({
    ...Object.assign({}, ...Array.from({ length: others }, (_, at) => refsOf(`other${at}`, LIKE))),
    ...refsOf("a", wrong),
  });

async function codesOf(engine: Engine, text: string): Promise<readonly string[]> {
  const set = await openLocal(engine, { "refs.json": text, "f.nc": FILE });
  const { findings } = await engine.call("check.state", { set }, CONTEXT);
  return findings.map(({ code }) => code);
}

async function repaired(text: string, subject: RepairSubject) {
  const engine = createEngine();
  const set = await openLocal(engine, { "refs.json": text, "f.nc": FILE });
  const [search] = await engine.call("repair.ofCause", { set, subjects: [subject] }, CONTEXT);
  const [offer] = search?.offers ?? [];
  let after = text;
  for (const edit of offer?.edits ?? [])
    after = applyTextEdits(after, await engine.call("edit.textEdits", { text: after, edit }, CONTEXT));
  return { offer, after, engine };
}

const GRID: RepairSubject = { kind: "metadata", array: "a" };

describe("a shape that the references contradict", () => {
  it.each<readonly [string, Described]>([
    ["too large", { ...LIKE, shape: [20, 8] }],
    ["too small", { ...LIKE, shape: [8, 8] }],
    ["with a length too few along the last dimension", { ...LIKE, shape: [12, 4] }],
  ])("%s is written as in the other arrays", async (_what, wrong) => {
    const text = documentWith(wrong);
    const { offer, after } = await repaired(text, GRID);
    expect(offer).toMatchObject({ certainty: "likely", change: { kind: "metadata", member: "shape", to: [12, 8] } });
    expect(offer && repairTitle(offer)).toBe("Set shape to 12 × 8");
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith(LIKE)));
  });

  it("within the last chunk is asked about", async () => {
    const { offer, after } = await repaired(documentWith({ ...LIKE, shape: [11, 8] }), GRID);
    expect(offer).toMatchObject({ certainty: "needs-you", change: { member: "shape", to: [12, 8] } });
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith(LIKE)));
  });

  it("is not guessed where other arrays do not fit the references, or there are none", async () => {
    const gaps = { ...LIKE, shape: [24, 8], grid: [5, 2] };
    expect((await repaired(documentWith(gaps), GRID)).offer).toBeUndefined();
    expect((await repaired(documentWith({ ...LIKE, shape: [20, 8] }, 0), GRID)).offer).toBeUndefined();
    expect((await repaired(documentWith(LIKE), GRID)).offer).toBeUndefined();
  });
});

describe("a chunk shape that the lengths contradict", () => {
  const wrong: Described = { ...LIKE, chunks: [6, 4] };

  it("is the one with which they decode", async () => {
    const { offer, after, engine } = await repaired(documentWith(wrong), { ...GRID, chunks: [4, 4] });
    expect(offer).toMatchObject({ certainty: "likely", before: '"chunks": [6, 4]', after: '"chunks": [4, 4]' });
    expect(JSON.parse(after)).toEqual(JSON.parse(documentWith(LIKE)));
    expect(await codesOf(engine, documentWith(wrong))).toContain("chunk-lengths-fit-other");
    expect(await codesOf(engine, after)).toEqual(await codesOf(engine, documentWith(LIKE)));
  });

  it("is not written where chunks do not decode so", async () => {
    expect((await repaired(documentWith({ ...wrong, bytes: 40 }), { ...GRID, chunks: [4, 4] })).offer).toBeUndefined();
  });
});
