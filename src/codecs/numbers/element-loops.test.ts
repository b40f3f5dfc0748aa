import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scaledFloats, sumsOfSameType } from "./element-loops.ts";
import { elementTypeOf, type ElementType } from "./element-type.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";

const typeOf = (text: string): ElementType => elementTypeOf(parseDataTypeV2(text))!;
const TYPES = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"];

/** One element, by DataView alone. */
function read(bytes: Uint8Array, at: number, { kind, size }: ElementType): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at * size, size);
  if (kind === "float") return size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  if (size === 8) return kind === "int" ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
  if (size === 4) return kind === "int" ? view.getInt32(0, true) : view.getUint32(0, true);
  if (size === 2) return kind === "int" ? view.getInt16(0, true) : view.getUint16(0, true);
  return kind === "int" ? view.getInt8(0) : view.getUint8(0);
}

function elements(bytes: Uint8Array, type: ElementType): (number | bigint)[] {
  return Array.from({ length: bytes.length / type.size }, (_, at) => read(bytes, at, type));
}

function wrapped(value: bigint, { kind, size }: ElementType): number | bigint {
  const whole = kind === "int" ? BigInt.asIntN(8 * size, value) : BigInt.asUintN(8 * size, value);
  return size === 8 ? whole : Number(whole);
}

/** np.cumsum in the type itself. */
function sums(values: readonly (number | bigint)[], type: ElementType): (number | bigint)[] {
  if (type.kind !== "float") {
    let sum = 0n;
    return values.map((value) => wrapped((sum += BigInt(value)), type));
  }
  const round = type.size === 4 ? Math.fround : Number;
  let sum = 0;
  return values.map((value, at) => (sum = at === 0 ? Number(value) : round(sum + Number(value))));
}

/** Bytes at an odd place of their buffer, as after a checksum that was cut off. */
const input = (size: number) =>
  fc.uint8Array({ maxLength: 40 * size }).map((bytes) => {
    const length = bytes.length - (bytes.length % size);
    const placed = new Uint8Array(length + 3);
    placed.set(bytes.subarray(0, length), 3);
    return placed.subarray(3);
  });

describe("sums", () => {
  it.each(TYPES)("of %s are those of its definition", (text) => {
    const type = typeOf(text);
    fc.assert(
      fc.property(input(type.size), (bytes) => {
        const result = sumsOfSameType(bytes, type, type)!;
        expect(elements(result, type)).toEqual(sums(elements(bytes, type), type));
      }),
    );
  });

  it("keep the sign of a first zero", () => {
    const bytes = new Uint8Array(Float32Array.of(-0, -0, 1).buffer);
    expect([...new Float32Array(sumsOfSameType(bytes, typeOf("<f4"), typeOf("<f4"))!.buffer)]).toEqual([-0, -0, 1]);
  });

  it("leave other types, byte orders and torn elements to the general way", () => {
    expect(sumsOfSameType(new Uint8Array(8), typeOf(">i4"), typeOf(">i4"))).toBeUndefined();
    expect(sumsOfSameType(new Uint8Array(8), typeOf("<i2"), typeOf("<i4"))).toBeUndefined();
    expect(sumsOfSameType(new Uint8Array(8), typeOf("<f2"), typeOf("<f2"))).toBeUndefined();
    expect(sumsOfSameType(new Uint8Array(8), typeOf("|b1"), typeOf("|b1"))).toBeUndefined();
    expect(sumsOfSameType(new Uint8Array(7), typeOf("<i4"), typeOf("<i4"))).toBeUndefined();
  });
});

describe("scaled floats", () => {
  const cases = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<f4", "<f8"].flatMap((from) => [
    { from, to: "<f4" },
    { from, to: "<f8" },
  ]);
  const number = fc.double({ min: -1000, max: 1000, noNaN: true }).filter((value) => value !== 0);

  it.each(cases)("$from to $to, each step rounded", ({ from: one, to: other }) => {
    const [from, to] = [typeOf(one), typeOf(other)];
    const step = from.kind === "float" && from.size === 4 ? Math.fround : Number;
    const last = to.size === 4 ? Math.fround : Number;
    fc.assert(
      fc.property(input(from.size), number, number, (bytes, scale, offset) => {
        const expected = elements(bytes, from).map((value) =>
          last(step(step(Number(value) / step(scale)) + step(offset))),
        );
        expect(elements(scaledFloats(bytes, { from, to }, scale, offset)!, to)).toEqual(expected);
      }),
    );
  });

  it("leave other types to the general way", () => {
    const types = { from: typeOf("<i8"), to: typeOf("<f4") };
    expect(scaledFloats(new Uint8Array(8), types, 1, 0)).toBeUndefined();
    expect(scaledFloats(new Uint8Array(8), { from: typeOf("<f4"), to: typeOf("<i4") }, 1, 0)).toBeUndefined();
    expect(scaledFloats(new Uint8Array(8), { from: typeOf(">i2"), to: typeOf("<f4") }, 1, 0)).toBeUndefined();
  });
});
