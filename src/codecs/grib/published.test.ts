/** Messages as public stores point at them through gribberish: their values, bit for bit where the truth is exact. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodePublished, isWholeHere, smallCases, wholeCases } from "../testing/published-grib.ts";
import type { PublishedCase, PublishedCases } from "../testing/published-grib.ts";

async function check(example: PublishedCase, { messageOf }: PublishedCases): Promise<void> {
  const { bytes, error, stages } = await decodePublished(example, messageOf(example));
  if (example.error !== undefined) {
    expect(error?.code).toBe("grib-grid-unsupported");
    return;
  }
  expect(error).toBeUndefined();
  if (bytes === undefined || example.expected === undefined) throw new Error("no values");
  const remarks = stages.flatMap((stage) => stage.remarks ?? []).map(({ code }) => code);
  const { gribberish_1_7_0: recorded } = example;
  // Cases that were "not run" are known from the source alone.
  if (recorded !== "not run") expect(remarks).toEqual(typeof recorded === "object" ? ["gribberish-differs"] : []);
  const values = new Float64Array(bytes.slice().buffer);
  if (example.samples !== undefined) {
    const [, columns = 0] = example.array.chunk_shape;
    for (const [row, column, value] of example.samples) {
      expect(Math.abs((values[row * columns + column] ?? NaN) - value)).toBeLessThan(example.tolerance ?? 0);
    }
    return;
  }
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = NaN;
  expect(createHash("sha256").update(new Uint8Array(values.buffer)).digest("hex")).toBe(example.expected.sha256);
}

const ours = smallCases();
const whole = wholeCases();

describe("published messages, through gribberish", () => {
  it.each(ours.cases.map((example) => ({ name: example.id, example })))("$name", ({ example }) => check(example, ours));
});

describe.skipIf(!isWholeHere)(`the whole collection beside the project: ${whole.cases.length} messages`, () => {
  it.each(whole.cases.map((example) => ({ name: example.id, example })))("$name", ({ example }) =>
    check(example, whole),
  );
});
