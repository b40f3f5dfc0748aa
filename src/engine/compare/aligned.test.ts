/** How two arrays are laid onto each other, and what cannot be compared or was not read. */
import { expect, it } from "vitest";
import type { AxisValues } from "#core/cf/axis.ts";
import { conversionBetween } from "#core/cf/quantity.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { arrayOf, openDocument } from "../testing/open-document.ts";
import { sharedArrays } from "./compare-sets.ts";
import { compareValues, type ValuesWish } from "./compare-values.ts";
import { fittedAxes } from "./pair-arrays.ts";

const numbers = (...all: readonly number[]): AxisValues => ({ kind: "numbers", numbers: Float64Array.from(all) });

it("fits coordinates that begin elsewhere or run the other way, and no others", () => {
  const a = numbers(1, 2, 3, 4);
  expect(fittedAxes(a, numbers(1, 2, 3, 4))).toEqual({ offset: 0, step: 1 });
  expect(fittedAxes(a, numbers(4, 3, 2, 1))).toEqual({ offset: 3, step: -1 });
  expect(fittedAxes(a, numbers(0, 1, 2, 3))).toEqual({ offset: 1, step: 1 });
  expect(fittedAxes(a, numbers(3, 4, 5))).toEqual({ offset: -2, step: 1 });
  expect(fittedAxes(a, numbers(6, 5, 4, 3))).toEqual({ offset: 5, step: -1 });
  expect(fittedAxes(a, numbers(1, 2, 3, 5))).toBeUndefined();
  expect(fittedAxes(a, numbers(7, 8, 9, 10))).toBeUndefined();
  expect(fittedAxes(numbers(0.1, 0.2), numbers(Math.fround(0.1), Math.fround(0.2)))).toEqual({ offset: 0, step: 1 });
  expect(fittedAxes(numbers(1000), numbers(1), { scale: 1000, shift: 0 })).toEqual({ offset: 0, step: 1 });
  expect(fittedAxes(a, { kind: "texts", texts: ["1", "2"] })).toBeUndefined();
});

it("finds a single step where it is, not within a share of its distance from 1970", () => {
  const day = 86_400_000_000_000n;
  const dates = (...all: readonly number[]): AxisValues => ({
    kind: "dates",
    nanoseconds: BigInt64Array.from(all, (one) => BigInt(one) * day),
  });
  const month = dates(...Array.from({ length: 30 }, (_, at) => 20_454 + at));
  expect(fittedAxes(dates(20_463), month)).toEqual({ offset: 9, step: 1 });
  expect(fittedAxes(month, dates(20_463))).toEqual({ offset: -9, step: 1 });
  expect(fittedAxes(dates(20_463), dates(20_463))).toEqual({ offset: 0, step: 1 });
  expect(fittedAxes(dates(20_463), dates(20_464))).toBeUndefined();
  expect(fittedAxes(numbers(500), numbers(500.4))).toBeUndefined();
});

it("converts units of one dimension, and leaves salinities as they are", () => {
  expect(conversionBetween("K", "degC")).toEqual({ scale: 1, shift: -273.15 });
  expect(conversionBetween("hPa", "Pa")).toEqual({ scale: 100, shift: 0 });
  expect(conversionBetween("PSU", "1")).toEqual({ scale: 1, shift: 0 });
  expect(conversionBetween("%", "1")).toEqual({ scale: 0.01, shift: 0 });
  expect(conversionBetween("K", "m")).toBeUndefined();
  expect(conversionBetween("furlong", "m")).toBeUndefined();
});

type Bytes = Int16Array | Float32Array | Float64Array | BigInt64Array;
const inline = (numbers: Bytes) => `base64:${Buffer.from(numbers.buffer as ArrayBuffer).toString("base64")}`;

function setOf(dtype: string, chunks: Readonly<Record<string, unknown>>, attributes: object = {}, shape = [4]) {
  return openDocument({
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": arrayOf(shape, { dtype, chunks: [2] }),
    "a/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: ["x"], ...attributes }),
    ...Object.fromEntries(Object.entries(chunks).map(([at, reference]) => [`a/${at}`, reference])),
  });
}

async function compared(a: ReturnType<typeof setOf>, b: ReturnType<typeof setOf>, more: Partial<ValuesWish> = {}) {
  const sets = { a: await a, b: await b };
  const [nodes] = sharedArrays(sets);
  if (nodes === undefined) throw new Error("no array");
  return compareValues({ sets, nodes, mode: "cf", chunks: "all", decoder: inThread, ...more }, CONTEXT);
}

const doubles = (...all: readonly number[]) => inline(Float64Array.from(all));

it("takes the tolerance that is given, and says which was used", async () => {
  const a = () => setOf("<f8", { 0: doubles(1, 2), 1: doubles(3, NaN) });
  const b = () => setOf("<f8", { 0: doubles(1.004, 2), 1: doubles(3.3, NaN) });
  const plain = await compared(a(), b());
  expect(plain).toMatchObject({ verdict: "differ", tolerance: { absolute: 0, relative: 0, from: "none" } });
  expect(plain.elements).toMatchObject({ compared: 4, differing: 2, missing: { a: 0, b: 0 }, mean: -0.101333333333 });
  expect(plain.elements?.largest).toEqual({ difference: -0.3, element: [2], place: "x 2", values: { a: 3, b: 3.3 } });
  const given = await compared(a(), b(), { given: { absolute: 0.005 } });
  expect(given).toMatchObject({ verdict: "differ", tolerance: { absolute: 0.005, from: "given" }, different: 1 });
  expect(given.elements).toMatchObject({ differing: 1, within: 1, where: [{ from: 2, to: 2, text: "x 2" }] });
  expect(await compared(a(), b(), { given: { relative: 0.1 } })).toMatchObject({ verdict: "within", different: 0 });
});

it("tells what could not be reached from what could not be read, and calls neither different", async () => {
  const a = setOf("<f8", { 0: doubles(1, 2), 1: doubles(3, 4) });
  const away = setOf("<f8", { 0: doubles(1, 2), 1: ["/nowhere/x.nc", 0, 16] });
  expect(await compared(a, away)).toMatchObject({
    verdict: "part",
    different: 0,
    failed: 1,
    unreached: 1,
    failedIn: "b",
  });
  const short = setOf("<f8", { 0: doubles(1, 9), 1: "x" });
  const found = await compared(a, short);
  expect(found).toMatchObject({ verdict: "differ", compared: 1, failed: 1, unreached: 0 });
  expect(found.elements).toMatchObject({ compared: 2, differing: 1 });
});

it("compares as far as both reach, and no quantities that have nothing in common", async () => {
  const a = () => setOf("<f8", { 0: doubles(1, 2), 1: doubles(3, 4) }, { units: "m" });
  const longer = setOf("<f8", { 0: doubles(1, 2), 1: doubles(3, 4), 2: doubles(5, 6) }, { units: "m" }, [6]);
  const found = await compared(a(), longer);
  expect(found).toMatchObject({ verdict: "same", beside: ["extent"], elements: { compared: 4, differing: 0 } });
  const windows = [0, 2].map((first) =>
    openDocument({
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": arrayOf([4], { dtype: "<f8", chunks: [1] }),
      "a/.zattrs": '{"_ARRAY_DIMENSIONS":["x"]}',
      "x/.zarray": arrayOf([4], { dtype: "<f8", chunks: [4] }),
      "x/.zattrs": '{"_ARRAY_DIMENSIONS":["x"]}',
      "x/0": doubles(first, first + 1, first + 2, first + 3),
      ...Object.fromEntries([0, 1, 2, 3].map((at) => [`a/${at}`, doubles(first + at)])),
    }),
  );
  const [early, late] = windows;
  const overlapping = await compared(early!, late!);
  expect(overlapping).toMatchObject({ verdict: "same", beside: ["extent"], compared: 2, elements: { compared: 2 } });
  const apart = await compared(a(), setOf("<f8", { 0: doubles(1, 2) }, { units: "K" }));
  expect(apart).toMatchObject({ verdict: "uncompared", uncompared: "units", beside: ["units"] });
  const dates = setOf("<f8", { 0: doubles(1, 2) }, { units: "days since 2000-01-01" });
  expect(await compared(a(), dates)).toMatchObject({ verdict: "uncompared", uncompared: "type" });
  const kilometres = await compared(
    a(),
    setOf("<f8", { 0: doubles(0.001, 0.002), 1: doubles(0.003, 0.5) }, { units: "km" }),
  );
  expect(kilometres.elements?.largest).toMatchObject({ difference: -496, values: { a: 4, b: 500 } });
});

it("compares long integers to the last digit, and dates in the unit in which A counts", async () => {
  const long = (...all: readonly bigint[]) => inline(BigInt64Array.from(all));
  const one = setOf("<i8", { 0: long(2n ** 60n, 1n), 1: long(0n, 0n) });
  const other = setOf("<i8", { 0: long(2n ** 60n + 1n, 1n), 1: long(0n, 0n) });
  expect((await compared(one, other)).elements?.largest).toMatchObject({ difference: -1, element: [0] });
  const days = setOf("<f8", { 0: doubles(0, 1), 1: doubles(2, 3) }, { units: "days since 2000-01-02" });
  const hours = setOf("<i8", { 0: long(24n, 48n), 1: long(72n, 108n) }, { units: "hours since 2000-01-01" });
  const found = await compared(days, hours);
  expect(found.elements).toMatchObject({ differing: 1, mean: -0.125 });
  expect(found.elements?.largest?.values).toEqual({ a: "2000-01-05T00:00:00", b: "2000-01-05T12:00:00" });
});

it("compares texts in the order of the first, and says which differ", async () => {
  const texts = (all: readonly string[]) => {
    const parts = all.flatMap((text) => [Buffer.from(Uint32Array.of(text.length).buffer), Buffer.from(text)]);
    return `base64:${Buffer.concat([Buffer.from(Uint32Array.of(all.length).buffer), ...parts]).toString("base64")}`;
  };
  const set = (dimensions: readonly string[], shape: readonly number[], all: readonly string[]) =>
    openDocument({
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": arrayOf(shape, { dtype: "|O", chunks: shape, filters: [{ id: "vlen-utf8" }] }),
      "a/.zattrs": JSON.stringify({ _ARRAY_DIMENSIONS: dimensions }),
      "a/0.0": texts(all),
    });
  const a = () => set(["y", "x"], [2, 3], ["a", "b", "c", "d", "e", "f"]);
  const turned = ["a", "d", "b", "e", "c", "f"];
  expect(await compared(a(), set(["x", "y"], [3, 2], turned))).toMatchObject({ verdict: "same", compared: 1 });
  const other = await compared(a(), set(["x", "y"], [3, 2], turned.with(2, "B")));
  expect(other).toMatchObject({ verdict: "differ", first: { element: [0, 1], values: { a: '"b"', b: '"B"' } } });
  expect(other.elements).toMatchObject({ compared: 6, differing: 1 });
});
