/** Random selections of made arrays, against plain slicing of the whole decoded array. */
import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { parseSelection, selectedShape, type Selection, selectionText } from "#core/plane/selection.ts";
import { droppedFiles } from "#io/local-files.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { openFiles } from "../open/open-any.ts";
import { readPart } from "./array-part.ts";
import { readSelection } from "./read-selection.ts";
import { makeArray, type MadeArray, type Making } from "./testing/made-arrays.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

async function opened({ files }: Pick<MadeArray, "files">): Promise<EngineSet> {
  const dropped = Object.entries(files).map(([path, content]) => ({
    path: `s.zarr/${path}`,
    blob: new Blob([content]),
  }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const answer = await openFiles(droppedFiles(dropped), opening);
  if (answer.kind !== "set") throw new Error(answer.title);
  return answer.set;
}

/**
 * The store's objects as references into one file, some of them inline: these arrive first, whichever chunks they are.
 */
function referenced({ files, ...made }: MadeArray, isInline: (at: number) => boolean): MadeArray {
  const [refs, pieces]: [Record<string, unknown>, Buffer[]] = [{}, []];
  let offset = 0;
  for (const [at, [key, content]] of Object.entries(files).entries()) {
    if (typeof content === "string") refs[key] = content;
    else if (isInline(at)) refs[key] = `base64:${Buffer.from(content).toString("base64")}`;
    else {
      refs[key] = ["data.bin", offset, content.length];
      pieces.push(Buffer.from(content));
      offset += content.length;
    }
  }
  return { ...made, files: { "refs.json": JSON.stringify(refs), "data.bin": new Uint8Array(Buffer.concat(pieces)) } };
}

/** Elements of a selection, by nested loops over the whole. */
function plainly({ shape, whole, itemSize }: MadeArray, selection: Selection): Uint8Array {
  const found: number[] = [];
  const walk = (dimension: number, element: number): void => {
    const along = selection[dimension];
    if (along === undefined) found.push(...whole.subarray(element * itemSize, (element + 1) * itemSize));
    else
      for (let at = 0; at < along.count; at += 1)
        walk(dimension + 1, element * (shape[dimension] ?? 1) + along.start + at * along.step);
  };
  walk(0, 0);
  return Uint8Array.from(found);
}

const making = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })), { minLength: 0, maxLength: 3 })
  .chain((extents) =>
    fc.record({
      shape: fc.constant(extents.map(([length]) => length)),
      chunks: fc.constant(extents.map(([, chunk]) => chunk)),
      layout: fc.constantFrom<Making["layout"]>(
        "C",
        "F",
        "big",
        "zlib",
        ...(extents.length > 0 ? ["sharded" as const] : []),
      ),
      itemSize: fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const),
      missing: fc.uniqueArray(fc.nat(30), { maxLength: 6 }),
      inline: fc.option(fc.uniqueArray(fc.nat(30), { maxLength: 12 }), { nil: undefined }),
    }),
  )
  .map(({ missing, inline, ...rest }) => {
    const made = makeArray({ ...rest, isMissing: (ordinal) => missing.includes(ordinal) });
    const array = inline === undefined ? made : referenced(made, (at) => inline.includes(at));
    return { array, chunks: rest.chunks };
  });

const bound = fc.option(fc.integer({ min: -12, max: 12 }), { nil: undefined });
const step = fc.option(
  fc.integer({ min: -4, max: 4 }).filter((by) => by !== 0),
  { nil: undefined },
);
const slice = fc
  .tuple(bound, bound, step)
  .map(([from, to, by]) => `${from ?? ""}:${to ?? ""}${by === undefined ? "" : `:${by}`}`);
const part = fc.oneof(
  { weight: 3, arbitrary: slice },
  { weight: 1, arbitrary: fc.integer({ min: -9, max: 8 }).map(String) },
  // From there, as long as a chunk: beyond an edge it is of two chunks.
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 8 }).map((at) => `chunk ${at}`) },
);

/** Every integer inside its dimension. */
function fitted(parts: readonly string[], shape: readonly number[], chunks: readonly number[]): string {
  const fit = (one: string, length: number, chunk: number) => {
    if (one.startsWith("chunk")) return `${one.slice(6)}:${Number(one.slice(6)) + chunk}`;
    const at = Number(one);
    return Number.isNaN(at) ? one : String(at < 0 ? Math.max(at, -length) : Math.min(at, length - 1));
  };
  return shape.map((length, dimension) => fit(parts[dimension] ?? ":", length, chunks[dimension] ?? 1)).join(",");
}

describe("a selection", () => {
  it("is what plain slicing of the whole array gives: 2,000 random ones", { timeout: 300_000 }, async () => {
    let compared = 0;
    const law = fc.asyncProperty(
      making,
      fc.array(fc.array(part, { minLength: 3, maxLength: 3 }), { minLength: 20, maxLength: 20 }),
      async ({ array, chunks }, selections) => {
        const set = await opened(array);
        const node = arrayNode(set, "");
        for (const parts of selections) {
          const selection = parseSelection(fitted(parts, array.shape, chunks), array.shape);
          const read = await readSelection({ set, node, selection }, CONTEXT);
          expect(read.failed.size).toBe(0);
          expect(Buffer.from(read.bytes).equals(plainly(array, selection))).toBe(true);
          // Python's notation of it is the same selection.
          const again = parseSelection(selectionText(selection, array.shape), array.shape);
          expect(selectedShape(again)).toEqual(selectedShape(selection));
          expect(Buffer.from(plainly(array, again)).equals(plainly(array, selection))).toBe(true);
          compared += 1;
        }
      },
    );
    await fc.assert(law, { numRuns: runs(100) });
    expect(compared).toBe(20 * runs(100));
  });

  it("is not another chunk of as many elements that happens to arrive first", async () => {
    const made = makeArray({ shape: [12], chunks: [6], layout: "C", itemSize: 1, isMissing: () => false });
    const array = referenced(made, (at) => at === 1);
    const set = await opened(array);
    const selection = parseSelection("2:8", [12]);
    const read = await readSelection({ set, node: arrayNode(set, ""), selection }, CONTEXT);
    expect([...read.bytes]).toEqual([...made.whole.subarray(2, 8)]);
  });

  it("counts what is missing, and names what failed", async () => {
    const made = makeArray({ shape: [6], chunks: [2], layout: "zlib", itemSize: 2, isMissing: (at) => at === 1 });
    const set = await opened({ files: { ...made.files, 2: Uint8Array.of(1, 2, 3) } });
    const selection = parseSelection("", [6]);
    const read = await readSelection({ set, node: arrayNode(set, ""), selection }, CONTEXT);
    expect(read).toMatchObject({ chunks: 3, missing: 1 });
    expect([...read.failed.keys()]).toEqual(["2"]);
  });

  it("is refused where it is too large to be put together, before anything is read", async () => {
    const made = makeArray({ shape: [4], chunks: [2], layout: "C", itemSize: 1, isMissing: () => false });
    const document = JSON.parse(String(made.files[".zarray"])) as object;
    const huge = JSON.stringify({ ...document, shape: [2 ** 40], chunks: [1] });
    const set = await opened({ files: { ".zarray": huge } });
    const node = arrayNode(set, "");
    const reading = (text: string) => readSelection({ set, node, selection: parseSelection(text, [2 ** 40]) }, CONTEXT);
    await expect(reading("")).rejects.toMatchObject({ code: "selection-too-large" });
    await expect(reading("0:20000000")).rejects.toMatchObject({ code: "selection-too-large" });
  });

  it("of text is JSON, and no file of NumPy's", async () => {
    const members = {
      zarr_format: 2,
      shape: [2],
      chunks: [1],
      dtype: "|O",
      order: "C",
      compressor: null,
      fill_value: "-",
    };
    const document = JSON.stringify({ ...members, filters: [{ id: "vlen-utf8" }] });
    const set = await opened({ files: { ".zarray": document, 1: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0xa9) } });
    const selection = parseSelection("::-1", [2]);
    const part = await readPart({ set, node: arrayNode(set, ""), selection, cf: false }, CONTEXT);
    expect([part.json(0), part.json(1)]).toEqual([String.raw`"\u00e9"`, '"-"']);
    expect(() => part.npy()).toThrow(expect.objectContaining({ code: "npy-objects" }));
  });

  it.each([
    ["1,2,3", [4, 4]],
    ["4", [4]],
    ["-5", [4]],
    ["::0", [4]],
    ["a", [4]],
    ["...,...", [4]],
    ["1.5", [4]],
  ])("“%s” of shape %j is refused", (text, shape) => {
    expect(() => parseSelection(text, shape)).toThrow(expect.objectContaining({ code: "selection-invalid" }));
  });

  it("stands for the dimensions that are not named", () => {
    expect(selectedShape(parseSelection("[0, ..., 1:3]", [5, 6, 7]))).toEqual([6, 2]);
    expect(selectedShape(parseSelection("...", []))).toEqual([]);
    expect(selectedShape(parseSelection("2,", [5, 6]))).toEqual([6]);
  });
});
