/** Fill values that occur among values, or that a codec has unpacked. */
import { expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { madeSet } from "#engine/check/testing/made-set.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { checkReferences } from "#engine/check/check-references.ts";
import { causesOfParts } from "../../set-checks.ts";
import { checkValues } from "../check-values.ts";
import { openField, type Made } from "../testing/field-set.ts";

async function found(made: Made) {
  const { findings } = await checkValues(await openField(made), { chunks: "all", decoder: inThread }, context());
  return findings.filter(({ code }) => ["fill-masks-values", "fill-undeclared"].includes(code));
}

it("real zeros are counted where fill_value is 0 and nothing else is declared", async () => {
  const value = (one: number, { x }: { readonly x: number }) => (x < 3 ? 0 : one);
  expect(await found({ value, metadata: { fill_value: 0 } })).toMatchObject([
    { code: "fill-masks-values", facts: { array: "v", zeros: 288, elements: 864 } },
  ]);
  expect(await found({ value, metadata: { fill_value: null } })).toEqual([]);
  expect(await found({ metadata: { fill_value: 0 } })).toEqual([]);
});

it("zeros of an image's levels are a note", async () => {
  const own = { zarr_format: 2, shape: [30], chunks: [30], dtype: "|u1", compressor: null, filters: null, order: "C" };
  const severity = async (zattrs: object) => {
    const set = await madeSet({
      ".zgroup": { zarr_format: 2 },
      ".zattrs": zattrs,
      "0/.zarray": { ...own, fill_value: 0 },
      "0/.zattrs": { _ARRAY_DIMENSIONS: ["x"] },
      "0/0": `base64:${Buffer.from(Uint8Array.from({ length: 30 }, (_, at) => (at < 25 ? 0 : 7))).toString("base64")}`,
    });
    const { findings } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
    return findings.map((one) => `${one.code} ${explained(one).severity}`);
  };
  const multiscales = [{ version: "0.4", axes: [{ name: "x", type: "space" }], datasets: [{ path: "0" }] }];
  expect(await severity({})).toEqual(["fill-masks-values warning"]);
  expect(await severity({ multiscales })).toEqual(["fill-masks-values info"]);
});

it("a declared fill value that a codec unpacks is named by what it becomes", async () => {
  const filter = { id: "fixedscaleoffset", scale: 10, offset: 0, dtype: "<f4", astype: "<f4" };
  const value = (one: number, { x }: { readonly x: number }) => (x === 0 ? -9990 : one * 10);
  const made = { value, metadata: { filters: [filter], fill_value: -9990 } };
  expect(await found(made)).toMatchObject([{ code: "fill-undeclared", facts: { value: -999, packed: -9990 } }]);
});

it("the note on a fill value of 0 goes once values say whether there are zeros", async () => {
  const notes = async (made: Made, chunks: "all" | number, isDecoded = true) => {
    const set = await openField({ metadata: { fill_value: 0 }, attributes: { units: "K" }, ...made });
    const references = await checkReferences(set, context());
    const values = await checkValues(set, { chunks, decoder: inThread }, context());
    return causesOfParts(set, isDecoded ? [references, values] : [references]).map(({ code }) => code);
  };
  const value = (one: number, { x }: { readonly x: number }) => (x < 3 ? 0 : one);
  expect(await notes({}, "all", false)).toContain("fill-value-confusing");
  expect(await notes({}, "all")).not.toContain("fill-value-confusing");
  // A sample without zeros tells nothing of the rest.
  expect(await notes({}, 4)).toContain("fill-value-confusing");
  const real = await notes({ value }, "all");
  expect(real).toContain("fill-masks-values");
  expect(real).not.toContain("fill-value-confusing");
});

it("NumPy's NaT among counts of time is a mark that must be declared", async () => {
  const times = BigInt64Array.from([0n, 10n, -(2n ** 63n), 30n, -(2n ** 63n), 50n]);
  const marks = async (fill: bigint | null) => {
    const zarray = {
      zarr_format: 2,
      shape: [6],
      chunks: [6],
      dtype: "<i8",
      compressor: null,
      filters: null,
      order: "C",
    };
    const set = await madeSet({
      "launch/.zarray": JSON.stringify({ ...zarray, fill_value: 0 }).replace(/0}$/, `${fill}}`),
      "launch/.zattrs": { _ARRAY_DIMENSIONS: ["profile"], units: "days since 2023-01-02" },
      "launch/0": `base64:${Buffer.from(times.buffer).toString("base64")}`,
    });
    const { findings } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
    return findings.map((one) => `${explained(one).severity} ${one.code}`);
  };
  expect(await marks(null)).toEqual(["warning fill-undeclared"]);
  expect(await marks(-(2n ** 63n))).toEqual([]);
});
