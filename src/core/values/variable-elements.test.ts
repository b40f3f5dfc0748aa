import { describe, expect, it } from "vitest";
import { filledElements, variableElements, variableFill, writeVariable } from "./variable-elements.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const objects = (...texts: string[]) => variableElements(writeVariable(texts.map(utf8)), "json")!;
const all = (elements: { readonly length: number; at(index: number): unknown }) =>
  Array.from({ length: elements.length }, (_, at) => elements.at(at));

describe("objects", () => {
  it("that are all text are text, all bytes bytes, others JSON", () => {
    expect(objects('"a"', '"\\u00e9\\n"')).toMatchObject({ kind: "text" });
    expect(all(objects('"a"', '"\\u00e9\\n"'))).toEqual(["a", "é\n"]);
    expect(all(objects('b"AP8="', 'b""'))).toEqual([Uint8Array.of(0, 255), new Uint8Array(0)]);
    const mixed = objects('"a"', 'b"AA=="', "9007199254740993", '{"__proto__":NaN}');
    expect(mixed.kind).toBe("json");
    expect(all(mixed)).toEqual(['"a"', Uint8Array.of(0), "9007199254740993", '{"__proto__":NaN}']);
    expect(mixed.at(4)).toBeUndefined();
  });
});

describe("fill values", () => {
  it("are defined unless null", () => {
    for (const kind of ["text", "bytes", "json"] as const) expect(variableFill(null, kind)).toBeUndefined();
    expect(variableFill([1, 256], "bytes")).toBeUndefined();
    expect(variableFill([1], "text")).toBeUndefined();
  });

  it("of text take numbers as zarr-python 3 does, by str()", () => {
    const text = (value: number | bigint | string) => new TextDecoder().decode(variableFill(value, "text"));
    expect([text(0), text(1.5), text(2n ** 64n), text(""), text("–")]).toEqual([
      "0",
      "1.5",
      "18446744073709551616",
      "",
      "–",
    ]);
  });

  it("repeat", () => {
    const filled = filledElements(variableFill("x", "json")!, "json", 2);
    expect([filled.kind, filled.at(1), filled.at(2)]).toEqual(["text", "x", undefined]);
    expect(filledElements(variableFill(0, "json")!, "json", 1).at(0)).toBe("0");
    expect(filledElements(Uint8Array.of(7), "bytes", 1).at(0)).toEqual(Uint8Array.of(7));
  });
});
