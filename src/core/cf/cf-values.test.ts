/**
 * Elements as xarray's `decode_cf` gives them, by the rules that its `coding/variables.py` and `coding/times.py` have.
 */
import { describe, expect, it } from "vitest";
import { scalingOf } from "./cf.ts";
import { cfValues } from "./cf-values.ts";
import { parseArrayMetadataV2 } from "../metadata/parse-array-metadata.ts";
import { decodeValues } from "../values/values.ts";

function decoded(
  dtype: string,
  bytes: ArrayBufferLike,
  attributes: Readonly<Record<string, unknown>>,
  fill: unknown = null,
) {
  const raw = new Uint8Array(bytes as ArrayBuffer);
  const length = raw.length / Number(dtype.slice(2));
  const members = { zarr_format: 2, shape: [length], chunks: [length], compressor: null, filters: null, order: "C" };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, dtype, fill_value: fill }));
  const scaling = scalingOf(metadata, new Map(Object.entries(attributes)) as never);
  return cfValues(decodeValues(raw, metadata), scaling!);
}

describe("values in the CF view", () => {
  it("are float64 where they are unpacked, missing ones NaN", () => {
    const packed = Int16Array.of(-32768, 0, 5);
    const found = decoded("<i2", packed.buffer, { scale_factor: 0.5, add_offset: 1.0, _FillValue: -32768 });
    expect(found).toEqual({ kind: "numbers", numbers: Float64Array.of(Number.NaN, 1, 3.5) });
  });

  it("are float32 where only values are masked and all fit: of small integers and floats", () => {
    const masked = { _FillValue: 5 };
    expect(decoded("<i2", Int16Array.of(5, 7).buffer, masked)).toEqual({
      kind: "numbers",
      numbers: Float32Array.of(Number.NaN, 7),
    });
    expect(decoded("<f4", Float32Array.of(5, 0.1).buffer, masked)).toEqual({
      kind: "numbers",
      numbers: Float32Array.of(Number.NaN, 0.1),
    });
    const wide = decoded("<i4", Int32Array.of(5, 2 ** 30 + 1).buffer, masked);
    expect(wide).toEqual({ kind: "numbers", numbers: Float64Array.of(Number.NaN, 2 ** 30 + 1) });
  });

  it("are NaN where a float16 is the fill value, whose shortest text is another number", () => {
    const half = decoded("<f2", Uint16Array.of(0x7bff, 0x3c00).buffer, { _FillValue: 65504 });
    expect(half).toEqual({ kind: "numbers", numbers: Float32Array.of(Number.NaN, 1) });
  });

  it("are nanoseconds since 1970 where they count time that NumPy has, NaT where missing", () => {
    const hours = decoded("<i4", Int32Array.of(0, 25, -1).buffer, { units: "hours since 2000-01-01", _FillValue: -1 });
    const start = BigInt(Date.UTC(2000, 0, 1)) * 1_000_000n;
    const nanoseconds = BigInt64Array.of(start, start + 25n * 3_600_000_000_000n, -(2n ** 63n));
    expect(hours).toEqual({ kind: "dates", nanoseconds });
  });

  it("are dates in words in calendars that NumPy does not have, and years that it does not reach", () => {
    const noleap = decoded("<i4", Int32Array.of(59, -1).buffer, {
      units: "days since 2000-01-01",
      calendar: "noleap",
      _FillValue: -1,
    });
    expect(noleap).toEqual({ kind: "texts", texts: ["2000-03-01T00:00:00", null] });
    const far = decoded("<i4", Int32Array.of(1_000_000).buffer, { units: "days since 2000-01-01" });
    expect(far.kind === "texts" && far.texts[0]).toMatch(/^4737-/);
  });
});
