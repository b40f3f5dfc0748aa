/**
 * Chains of registered extensions, virtual-tiff's codecs, log_bins and gribscan.rawgrib with configurations and bytes of any
 * kind: values of the chunk's size, or an error by its name. FC_SEED says which.
 */
import { runs } from "../core/testing/runs.ts";
import { oneChunk, type OneChunk } from "./testing/one-chunk.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../core/findings/finding.ts";
import { decodeValues } from "../core/values/values.ts";
import { runPipeline } from "./pipeline.ts";

const { signal } = new AbortController();
const numRuns = runs(400);

const TYPES =
  "uint8 int16 float32 float64 uint64 bool complex64 string bfloat16 float8_e4m3 float8_e8m0fnu float6_e3m2fn float4_e2m1fn int4 uint2".split(
    " ",
  );
const odd = fc.oneof(fc.integer(), fc.double(), fc.string({ maxLength: 4 }), fc.constantFrom(null, true, "NaN", []));
const length = fc.oneof(
  fc.integer({ min: -1, max: 12 }),
  fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 3 }),
  odd,
);
const endian = fc.record({ endian: fc.oneof(fc.constantFrom("little", "big"), odd) }, { requiredKeys: [] });

const first = fc.oneof(
  fc.record({ name: fc.constant("reshape"), configuration: fc.record({ shape: fc.array(length, { maxLength: 4 }) }) }),
  fc.record({ name: fc.constant("HorizontalDeltaCodec"), configuration: endian }),
  fc.record({
    name: fc.constant("numcodecs.log_bins"),
    configuration: fc.record({ low: fc.oneof(fc.double(), odd), high: fc.oneof(fc.double(), odd) }),
  }),
  fc.record({
    name: fc.constant("scale_offset"),
    configuration: fc.record({ scale: fc.oneof(fc.integer(), odd), offset: odd }, { requiredKeys: [] }),
  }),
  fc.record({
    name: fc.constant("cast_value"),
    configuration: fc.record(
      {
        data_type: fc.oneof(fc.constantFrom(...TYPES), odd),
        out_of_range: fc.constantFrom("clamp", "wrap", "error", "any"),
      },
      { requiredKeys: ["data_type"] },
    ),
  }),
  fc.record({ name: fc.constant("transpose"), configuration: fc.constantFrom({ order: [1, 0] }, { order: [0, 1] }) }),
);
const second = fc.oneof(
  fc.record({ name: fc.constant("bytes"), configuration: endian }),
  fc.record({ name: fc.constant("ChunkyCodec"), configuration: endian }),
  fc.record({
    name: fc.constant("packbits"),
    configuration: fc.record(
      { padding_encoding: fc.constantFrom("none", "first_byte", "last_byte"), first_bit: odd },
      { requiredKeys: [] },
    ),
  }),
);
const last = fc.constantFrom([], [{ name: "numcodecs.gribscan.rawgrib" }]);

const chain = fc.record({
  type: fc.constantFrom(...TYPES),
  fill: fc.oneof(fc.constantFrom<unknown>(0, "NaN", "", false, [0, 0]), odd),
  shape: fc.constantFrom([4, 3], [12, 1], [1, 2]),
  codecs: fc.tuple(fc.array(first, { maxLength: 3 }), second, last).map(([some, one, more]) => [...some, one, ...more]),
  whole: fc.boolean(),
  stored: fc.uint8Array({ maxLength: 120 }),
});

/** None where the document is refused by name. */
function metadataOf(given: OneChunk) {
  try {
    return oneChunk(given);
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

describe("damaged chunks and configurations of any kind", () => {
  it("are values of the chunk's size, or an error by its name", async () => {
    let decoded = 0;
    await fc.assert(
      fc.asyncProperty(chain, async ({ stored, whole, ...given }) => {
        const metadata = metadataOf(given);
        if (metadata === undefined) return;
        const elements = metadata.chunks.reduce((product, one) => product * one, 1);
        // Half of them as long as plain bytes of the chunk would be, so that more than lengths is looked at.
        const size = whole ? elements * metadata.dataType.itemSize : stored.length;
        const bytes = Uint8Array.from({ length: size }, (_, at) => stored[at % Math.max(1, stored.length)] ?? 0);
        const { bytes: values, error } = await runPipeline(metadata, bytes, signal);
        expect(error?.code).not.toBe("unexpected");
        expect((values === undefined) === (error === undefined)).toBe(false);
        if (values === undefined || metadata.dataType.kind === "object") return;
        decoded += 1;
        expect(values.length).toBe(elements * metadata.dataType.itemSize);
        expect(decodeValues(values, metadata).length).toBe(elements);
      }),
      { numRuns },
    );
    expect(decoded).toBeGreaterThan(numRuns / 50);
  });
});
