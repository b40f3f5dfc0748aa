/** Messages that eccodes 2.28 wrote, read as it reads them: edition 1, reduced grids, logarithms; and run lengths. */
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { joinBytes } from "#core/bytes.ts";
import { view } from "./numbers.ts";
import { asEccodes, type Wanted } from "./read-message.ts";
import { walk } from "./walk.ts";

interface Recorded {
  readonly count: number;
  readonly at: readonly number[];
  readonly are: readonly number[];
}

interface Example {
  readonly name: string;
  readonly message: string;
  readonly values: Recorded;
  readonly latitudes: Recorded;
  readonly longitudes: Recorded;
}

const EXAMPLES = JSON.parse(readFileSync(new URL("fixtures/eccodes.json", import.meta.url), "utf8")) as Example[];
const options = { codec: "grib", reader: "eccodes", maximum: 400_000, limit: 3_200_000 } as const;

const bytesOf = ({ message }: Example): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(message, "base64"));

function exampleOf(name: string): Example {
  const example = EXAMPLES.find((one) => one.name === name);
  if (example === undefined) throw new Error(`no message ${name}`);
  return example;
}

async function failureOf(bytes: Uint8Array<ArrayBuffer>, wanted: Wanted): Promise<string> {
  try {
    await asEccodes(bytes, wanted, options);
  } catch (error) {
    if (error instanceof RefscopeError) return error.message;
    throw error;
  }
  return "";
}

describe.each(EXAMPLES)("$name", (example) => {
  it.each([
    ["values", example.values],
    ["latitude", example.latitudes],
    ["longitude", example.longitudes],
  ] as const)("has eccodes' %s", async (wanted, { count, at, are }) => {
    const found = await asEccodes(bytesOf(example), wanted, options);
    expect(found.length).toBe(count);
    // Gaussian latitudes are computed here, and tables there; exp differs in its last bit.
    const isRounded = example.name.includes("gaussian") || example.name === "logarithms";
    for (const [i, place] of at.entries()) {
      if (isRounded) expect(found[place]).toBeCloseTo(are[i] ?? Number.NaN, 12);
      else expect(found[place]).toBe(are[i]);
    }
  });
});

describe("grids that eccodes reads otherwise than their messages say are refused", () => {
  it("of edition 1", async () => {
    const changed = (name: string, change: (section2: Uint8Array) => void) => {
      const bytes = bytesOf(exampleOf(name));
      const section = walk(bytes).sections.find(({ number }) => number === 2);
      if (section === undefined) throw new Error("no grid");
      change(section.bytes);
      return failureOf(bytes, "latitude");
    };
    const name = "edition-1-rotated";
    expect(await changed(name, (grid) => grid.fill(14, 5, 6))).toContain("of type 14");
    expect(await changed(name, (grid) => grid.fill(16, 27, 28))).toContain("scanning mode 16");
    expect(await changed("edition-1-reduced", (grid) => grid.fill(128, 27, 28))).toContain("scanning mode 128");
    expect(await changed("edition-1-reduced-gaussian", (grid) => grid.fill(16, 26, 27))).toContain("part of the earth");
  });

  it("a part of the earth whose rows have the lengths of whole parallels", async () => {
    const bytes = bytesOf(exampleOf("reduced-gaussian"));
    const section = walk(bytes).sections.find(({ number }) => number === 3);
    if (section === undefined) throw new Error("no grid");
    view(section.bytes).setUint32(6, 2000);
    view(section.bytes).setUint32(50, 10_000_000);
    expect(await failureOf(bytes, "longitude")).toContain("rows of their own lengths on a part of the earth");
  });

  it("lengths of rows that are not there, or make other points", async () => {
    const bytes = bytesOf(exampleOf("reduced-gaussian"));
    const section = walk(bytes).sections.find(({ number }) => number === 3);
    if (section === undefined) throw new Error("no grid");
    view(section.bytes).setUint16(72, 21);
    expect(await failureOf(bytes, "longitude")).toContain("6115 points, as the grid's rows say");
    view(section.bytes).setUint32(34, 65);
    expect(await failureOf(bytes, "longitude")).toContain("the lengths of 65 rows");
  });
});

/** A message of edition 2 whose sections 5, 7 and perhaps 6 are these. */
function messageWith(...own: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const sections = new Map(
    walk(bytesOf(exampleOf("logarithms"))).sections.map(({ number, bytes }) => [number, Uint8Array.from(bytes)]),
  );
  for (const section of own) sections.set(section[4] ?? 0, section);
  const body = [...sections].flatMap(([number, bytes]) => (number >= 1 && number <= 7 ? [bytes] : []));
  const head = new Uint8Array(16);
  head.set(new TextEncoder().encode("GRIB"));
  head[7] = 2;
  view(head).setUint32(12, 20 + body.reduce((sum, bytes) => sum + bytes.length, 0));
  return joinBytes([head, ...body, new TextEncoder().encode("7777")]);
}

describe("fields without a value", () => {
  const isAllMissing = async (bytes: Uint8Array<ArrayBuffer>, points: number) => {
    const values = await asEccodes(bytes, "values", options);
    expect(values).toHaveLength(points);
    expect(values.every(Number.isNaN)).toBe(true);
  };

  it.each([40, 41, 42, 0, 2, 61])("of template 5.%i, with nothing in section 7", async (template) => {
    const section5 = new Uint8Array(49);
    const data = view(section5);
    data.setUint32(0, 49);
    section5[4] = 5;
    data.setUint16(9, template);
    section5[19] = 12;
    const points = view(walk(bytesOf(exampleOf("logarithms"))).sections.find(({ number }) => number === 3)!.bytes);
    const count = points.getUint32(6);
    const section6 = new Uint8Array(6 + Math.ceil(count / 8));
    view(section6).setUint32(0, section6.length);
    section6[4] = 6;
    await isAllMissing(messageWith(section5, Uint8Array.of(0, 0, 0, 5, 7), section6), count);
  });

  it("of edition 1, as a constant field or with nothing stored", async () => {
    for (const bits of [0, 12]) {
      const { sections } = walk(bytesOf(exampleOf("edition-1-thirds")));
      const [head, product, grid] = [0, 1, 2].map((number) =>
        Uint8Array.from(sections.find((one) => one.number === number)!.bytes),
      ) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
      product[7] = 0b1100_0000;
      // 70 points: 9 bytes, the last two bits unused.
      const mask = Uint8Array.of(0, 0, 15, 2, 0, 0, ...new Uint8Array(9));
      const data = Uint8Array.of(0, 0, 12, 8, 0, 0, 0, 0, 0, 0, bits, 0);
      const bytes = joinBytes([head, product, grid, mask, data, new TextEncoder().encode("7777")]);
      bytes[6] = bytes.length;
      await isAllMissing(bytes, 70);
    }
  });
});

describe("run lengths", () => {
  const LEVELS = [0, 25, 100, 300, 1000];

  function section5Of(count: number, bits: number, decimal: number): Uint8Array<ArrayBuffer> {
    const section = new Uint8Array(17 + LEVELS.length * 2);
    const data = view(section);
    data.setUint32(0, section.length);
    section[4] = 5;
    data.setUint32(5, count);
    data.setUint16(9, 200);
    section[11] = bits;
    data.setUint16(12, LEVELS.length);
    data.setUint16(14, LEVELS.length);
    section[16] = decimal;
    for (const [level, value] of LEVELS.entries()) data.setUint16(17 + level * 2, value);
    return section;
  }

  /** FM 92, template 7.200: digits to the base of what is left above the levels, the lowest first. */
  function section7Of(
    runs: readonly (readonly [level: number, length: number])[],
    bits: 4 | 8,
  ): Uint8Array<ArrayBuffer> {
    const base = 2 ** bits - 1 - LEVELS.length;
    const numbers = runs.flatMap(([level, length]) => {
      const digits: number[] = [];
      for (let rest = length - 1; rest > 0; rest = Math.floor(rest / base)) {
        digits.push(LEVELS.length + 1 + (rest % base));
      }
      return [level, ...digits];
    });
    const section = new Uint8Array(5 + Math.ceil((numbers.length * bits) / 8));
    view(section).setUint32(0, section.length);
    section[4] = 7;
    for (const [at, number] of numbers.entries()) {
      if (bits === 8) section[5 + at] = number;
      else section[5 + (at >> 1)] = (section[5 + (at >> 1)] ?? 0) | (at % 2 === 0 ? number << 4 : number);
    }
    return section;
  }

  const run = fc.tuple(fc.integer({ min: 0, max: LEVELS.length }), fc.integer({ min: 1, max: 3000 }));

  it("come back as they were written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 20 }), fc.constantFrom(4, 8), async (runs, bits) => {
        const expected = runs.flatMap(([level, length]) =>
          Array<number>(length).fill(level === 0 ? Number.NaN : (LEVELS[level - 1] as number) * 0.1),
        );
        const message = messageWith(section5Of(expected.length, bits, 1), section7Of(runs, bits));
        expect([...(await asEccodes(message, "values", options))]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it("a factor may have a sign, and nothing at all is missing", async () => {
    const message = messageWith(section5Of(3, 8, 128 + 2), section7Of([[2, 3]], 8));
    expect([...(await asEccodes(message, "values", options))]).toEqual([2500, 2500, 2500]);
    const empty = messageWith(section5Of(2, 8, 0), section7Of([], 8));
    expect([...(await asEccodes(empty, "values", options))]).toEqual([Number.NaN, Number.NaN]);
  });

  it("that do not add up are named", async () => {
    const section7 = section7Of([[2, 300]], 8);
    expect(await failureOf(messageWith(section5Of(200, 8, 0), section7), "values")).toContain("a run of 300");
    expect(await failureOf(messageWith(section5Of(301, 8, 0), section7), "values")).toContain("runs of 300 in all");
    expect(await failureOf(messageWith(section5Of(3, 2, 0), section7), "values")).toContain("2 bits for each number");
    const first = section7Of([[2, 1]], 8).fill(200, 5);
    expect(await failureOf(messageWith(section5Of(1, 8, 0), first), "values")).toContain("to begin with");
  });
});
