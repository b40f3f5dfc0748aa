import { describe, expect, it } from "vitest";
import { dataTypeLabel, dataTypeTextV2, type DataType } from "./data-type.ts";
import { RefscopeError } from "../findings/finding.ts";
import type { JsonValue } from "../json/json.ts";
import { parseDataTypeV2, spellingsOf } from "./parse-data-type.ts";
import { explained } from "../findings/explain.ts";

function simple(text: string): Exclude<DataType, { kind: "structured" }> {
  const type = parseDataTypeV2(text);
  if (type.kind === "structured") throw new Error("not simple");
  return type;
}

function refusal(value: JsonValue): string {
  try {
    parseDataTypeV2(value);
  } catch (error) {
    if (error instanceof RefscopeError && error.code === "dtype-invalid") return explained(error.finding).message;
  }
  throw new Error("was read");
}

/**
 * `np.dtype(text).str` and `.itemsize` of NumPy 2.4.6 on 64-bit Linux (an object's size is a pointer's there, 0 here).
 */
const NUMPY: readonly (readonly [string, string, number])[] = [
  ["|b1", "|b1", 1],
  ["bool", "|b1", 1],
  ["<b1", "|b1", 1],
  ["?", "|b1", 1],
  ["<i2", "<i2", 2],
  ["|i2", "<i2", 2],
  ["=i4", "<i4", 4],
  ["i4", "<i4", 4],
  [">u8", ">u8", 8],
  ["<i1", "|i1", 1],
  [">i1", "|i1", 1],
  ["float32", "<f4", 4],
  ["int16", "<i2", 2],
  ["uint8", "|u1", 1],
  ["complex128", "<c16", 16],
  ["<f2", "<f2", 2],
  ["<f16", "<f16", 16],
  [">c16", ">c16", 16],
  ["<c32", "<c32", 32],
  ["i", "<i4", 4],
  ["b", "|i1", 1],
  ["<B", "|u1", 1],
  ["q", "<i8", 8],
  ["d", "<f8", 8],
  ["F", "<c8", 8],
  ["int", "<i8", 8],
  ["float", "<f8", 8],
  ["|S5", "|S5", 5],
  ["<S5", "|S5", 5],
  ["S", "|S0", 0],
  ["<U3", "<U3", 12],
  [">U3", ">U3", 12],
  ["|U3", "<U3", 12],
  ["<U", "<U0", 0],
  ["str", "<U0", 0],
  ["|V4", "|V4", 4],
  [">V16", "|V16", 16],
  ["<M8[ns]", "<M8[ns]", 8],
  [">m8[25s]", ">m8[25s]", 8],
  ["<M8", "<M8", 8],
  ["<M8[generic]", "<M8", 8],
  ["<M8[μs]", "<M8[us]", 8],
  ["datetime64[ns]", "<M8[ns]", 8],
  ["timedelta64[s]", "<m8[s]", 8],
  ["|O", "|O", 0],
  ["object", "|O", 0],
];

describe("parseDataTypeV2", () => {
  it.each(NUMPY)("reads %s as NumPy does: %s, %d bytes", (text, specified, itemSize) => {
    const type = simple(text);
    expect(dataTypeTextV2(type)).toBe(specified);
    expect(type.itemSize).toBe(itemSize);
    expect(type.text).toBe(text);
    expect(spellingsOf(type)).toEqual(text === specified ? [] : [[text, specified]]);
  });

  // Before NumPy 2, which warns of it; kerchunk's FITS sets have it.
  it.each([
    ["|a3", "|S3", 3],
    ["a6", "|S6", 6],
    ["a", "|S0", 0],
  ])("reads %s as NumPy does: %s, %d bytes", (text, specified, itemSize) => {
    const type = simple(text);
    expect([dataTypeTextV2(type), type.itemSize]).toEqual([specified, itemSize]);
    expect(spellingsOf(type)).toEqual([[text, specified]]);
  });

  it.each([
    "<i3",
    "<i2 ",
    " <i2",
    "<I4",
    "",
    "<",
    "u",
    "string",
    "float_",
    "<M8[fortnight]",
    "<i4[ns]",
    "<f12",
    "<int16",
  ])("refuses %j as NumPy does", (text) => {
    expect(refusal(text)).toContain(`"${text}"`);
  });

  it.each([
    [null, "null"],
    [8, "a number"],
    [new Map([["name", "int16"]]), "an object"],
    [[], "an empty list"],
    [["a", "<i4"], "field 0 is a string"],
    [[["a"]], "field 0 is an array"],
    [[[1, "<i4"]], "field 0 has a number"],
    [[["a", "<i4", -1]], '-1 on "a"'],
    [[["a", "<i4", ["2"]]], '["2"] on "a"'],
    [
      [
        ["a", "<i4"],
        ["a", "<i4"],
      ],
      '"a" twice',
    ],
    ["|S2147483648", "2147483648 bytes"],
    ["<U536870912", "2147483648 bytes"],
    [[["a", "<f8", [1_000_000, 1_000_000]]], "8000000000000 bytes"],
    ["x".repeat(1_000_000), `"${"x".repeat(80)}…"`],
  ] as const)("refuses %j and says what it found", (value, found) => {
    expect(refusal(value)).toContain(found);
  });

  it("lays out structures as NumPy does: packed, nested, with sub-arrays, titles and empty names", () => {
    const type = parseDataTypeV2([
      ["a", "|u1"],
      [
        "b",
        [
          ["x", ">f8"],
          ["y", "|S3", 2],
        ] as readonly JsonValue[],
      ],
      [["A title", "c"], "<i4", [2, 3]],
      ["", "<i2", []],
    ]);
    expect(type).toMatchObject({
      kind: "structured",
      itemSize: 41,
      fields: [
        { name: "a", offset: 0 },
        {
          name: "b",
          offset: 1,
          type: {
            itemSize: 14,
            fields: [
              { name: "x", offset: 0 },
              { name: "y", offset: 8, shape: [2] },
            ],
          },
        },
        { name: "c", offset: 15, shape: [2, 3], type: { kind: "int", byteOrder: "little" } },
        { name: "f3", offset: 39, type: { itemSize: 2 } },
      ],
      text: '[["a","|u1"],["b",[["x",">f8"],["y","|S3",2]]],[["A title","c"],"<i4",[2,3]],["","<i2",[]]]',
    });
  });

  it("stops at its budgets", () => {
    let nested: JsonValue = "<i4";
    for (let depth = 0; depth < 400; depth += 1) nested = [["a", nested]];
    expect(refusal(nested)).toContain("32 structures");
    expect(refusal(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, "|u1"]))).toContain("10000 fields");
    const thousand = (type: JsonValue): JsonValue => Array.from({ length: 150 }, (_, index) => [`f${index}`, type]);
    expect(refusal(thousand(thousand("|u1")))).toContain("10000 fields");
  });
});

describe("dataTypeLabel", () => {
  it.each([
    ["<i2", "int16, little-endian"],
    ["|u1", "uint8"],
    [">f8", "float64, big-endian"],
    ["|b1", "bool"],
    ["|S5", "bytes, 5 long"],
    ["|V4", "raw bytes, 4 long"],
    ["<U3", "text, 3 characters long, little-endian"],
    ["<M8[25s]", "datetime64[25s], little-endian"],
    ["<m8", "timedelta64, little-endian"],
    ["|O", "Python objects"],
    [
      [
        ["a", "|u1"],
        ["b", ">f8", [2, 3]],
      ],
      "structure of 49 bytes (a: uint8; b: float64, big-endian (2 × 3 of them))",
    ],
  ])("%j is %s", (value, label) => {
    expect(dataTypeLabel(parseDataTypeV2(value))).toBe(label);
  });
});
