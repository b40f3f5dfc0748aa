/** Elements as text against what NumPy writes (fixtures/README.md). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { DataType } from "../metadata/data-type.ts";
import { parseDataTypeV2 } from "../metadata/parse-data-type.ts";
import { parseJson } from "../json/parse-json.ts";
import { decodeValues, elementText, fieldText } from "./values.ts";
import { variableElements, writeVariable } from "./variable-elements.ts";

interface Recorded {
  readonly dtype: unknown;
  readonly shape: readonly number[];
  readonly order: "C" | "F";
  readonly b64: string;
  readonly texts: readonly (string | null)[];
}

const path = resolve(import.meta.dirname, "../fixtures/numpy-texts.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[];
const typeOf = (dtype: unknown): DataType => parseDataTypeV2(parseJson(JSON.stringify(dtype)).value);

/** Bytes stand on screen without Python's quotes, dates in structures too. */
function asShown(text: string, dtype: unknown): string {
  if (typeof dtype !== "string" || !/^\|[SV]/.test(dtype)) return text;
  const plain = text.slice(2, -1).replaceAll("\\n", "\\x0a");
  // NumPy prints void bytes all as escapes already.
  return plain;
}

describe("elements as text", () => {
  it.each(recorded.map((one) => [JSON.stringify(one.dtype), JSON.stringify(one.shape), one.order, one] as const))(
    "%s %s %s",
    (_dtype, _shape, order, { dtype, shape, b64, texts }) => {
      const bytes = new Uint8Array(Buffer.from(b64, "base64"));
      const values = decodeValues(bytes, { dataType: typeOf(dtype), chunks: shape, order });
      expect(values.length).toBe(texts.length);
      for (const [at, text] of texts.entries()) {
        if (text !== null) expect(elementText(values, at)).toBe(asShown(text, dtype));
      }
    },
  );

  it("gives the fields of a structure one by one", () => {
    const dataType = typeOf([
      ["a", "<i2"],
      ["t", "<M8[s]"],
      ["m", "|u1", [2, 2]],
    ]);
    const bytes = Uint8Array.of(255, 255, 5, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
    const values = decodeValues(bytes, { dataType, chunks: [1], order: "C" });
    const texts = [0, 1, 2, 3].map((field) => fieldText(values, 0, field));
    expect(texts).toEqual(["-1", "1970-01-01T00:00:05", "[[1, 2], [3, 4]]", ""]);
  });

  it("shows counts of 100 ns beyond NumPy's own range", () => {
    const bytes = new Uint8Array(BigInt64Array.of(2n ** 62n).buffer);
    const values = decodeValues(bytes, { dataType: typeOf("<M8[100ns]"), chunks: [1], order: "C" });
    expect(elementText(values, 0)).toBe("16583-11-07T13:24:02.738790400");
  });

  it("shows objects as JSON, texts alone as they are", () => {
    const shown = (...elements: string[]) => {
      const bytes = writeVariable(elements.map((element) => new TextEncoder().encode(element)));
      const texts = variableElements(bytes, "json")!;
      const values = decodeValues(bytes, { dataType: typeOf("|O"), chunks: [elements.length], order: "C" }, texts);
      return elements.map((_, at) => elementText(values, at));
    };
    expect(shown('"3"', '"é"')).toEqual(["3", "é"]);
    expect(shown('"3"', "3", "18446744073709551615", "null", '{"a":[1.0]}')).toEqual([
      '"3"',
      "3",
      "18446744073709551615",
      "null",
      '{"a":[1.0]}',
    ]);
    expect(shown('b"YScA"', "1")).toEqual(['b"a\'\\x00"', "1"]);
  });
});
