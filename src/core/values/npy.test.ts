import { describe, expect, it } from "vitest";
import type { DataType } from "../metadata/data-type.ts";
import { parseDataTypeV2 } from "../metadata/parse-data-type.ts";
import { npyFile } from "./npy.ts";
import { typeText } from "./written-elements.ts";

/**
 * Names of a field, with the version of the file and the type in its header, recorded with numpy.save (NumPy 1.24.2).
 */
const RECORDED: readonly (readonly [name: string, version: number, descr: string])[] = [
  ["a'b", 1, "[(\"a'b\", '<i2'), ('z', '<f4', (2,))]"],
  ['a"b', 1, "[('a\"b', '<i2'), ('z', '<f4', (2,))]"],
  ["a'\"b", 1, "[('a\\'\"b', '<i2'), ('z', '<f4', (2,))]"],
  ["back\\slash", 1, "[('back\\\\slash', '<i2'), ('z', '<f4', (2,))]"],
  ["tab\t", 1, "[('tab\\t', '<i2'), ('z', '<f4', (2,))]"],
  ["\u00fcn\u00ef", 1, "[('\u00fcn\u00ef', '<i2'), ('z', '<f4', (2,))]"],
  ["\u00a0b", 1, "[('\\xa0b', '<i2'), ('z', '<f4', (2,))]"],
  ["\u6e29\u5ea6", 3, "[('\u6e29\u5ea6', '<i2'), ('z', '<f4', (2,))]"],
  ["\ud83d\ude00", 3, "[('\ud83d\ude00', '<i2'), ('z', '<f4', (2,))]"],
  ["{x", 1, "[('{x', '<i2'), ('z', '<f4', (2,))]"],
  ["a\nb", 1, "[('a\\nb', '<i2'), ('z', '<f4', (2,))]"],
  ["\u200b", 1, "[('\\u200b', '<i2'), ('z', '<f4', (2,))]"],
];

const typeOf = (name: string): DataType =>
  parseDataTypeV2([
    [name, "<i2"],
    ["z", "<f4", [2]],
  ]);

/** Reads the head as numpy.load does. */
function headOf(file: Uint8Array) {
  const version = file[6] ?? 0;
  const view = new DataView(file.buffer);
  const [length, from] = version === 1 ? [view.getUint16(8, true), 10] : [view.getUint32(8, true), 12];
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(file.subarray(from, from + length));
  return { version, text, end: from + length };
}

describe("NumPy's files", () => {
  it.each(RECORDED)("have a field named %j as NumPy writes it", (name, version, descr) => {
    const head = headOf(npyFile(typeText(typeOf(name)), [1], new Uint8Array(10)));
    expect(head.version).toBe(version);
    expect(head.text.trimEnd()).toBe(`{'descr': ${descr}, 'fortran_order': False, 'shape': (1,), }`);
    expect([head.end % 64, head.text.at(-1)]).toEqual([0, "\n"]);
  });

  it("have four bytes of length for a header beyond 65,535 bytes", () => {
    const file = npyFile(typeText(typeOf("n".repeat(70_000))), [1], new Uint8Array([7]));
    const { version, end } = headOf(file);
    expect([version, end % 64, [...file.subarray(end)]]).toEqual([2, 0, [7]]);
  });
});
