import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json.ts";
import { parseJson, writeJson } from "./parse-json.ts";

/** Any value `parseJson` can give: a bigint only where a number would not be exact. */
const anyJson = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.integer(),
    fc.bigInt().filter((big) => !Number.isSafeInteger(Number(big))),
    fc.string({ unit: "binary" }),
    fc.constantFrom("\ud800", "\u0000", "__proto__", '"\\'),
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom("__proto__", "2", "10")), tie("value")), { maxLength: 5 })
      .map((members) => new Map(members)),
  ),
})).value;

describe("writeJson", () => {
  it("is undone by parseJson, with and without indent", () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 2), (value, indent) => {
        const back = parseJson(writeJson(value, indent)).value;
        expect(back).toStrictEqual(value);
        expect(order(back)).toStrictEqual(order(value));
      }),
    );
  });

  it("lays out like JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 1, 2, 4), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(writeJson(parseJson(text).value, indent)).toBe(text);
      }),
    );
  });

  it("keeps what JSON.stringify loses", () => {
    const text =
      '{"10":4611686018427387904,"2":[NaN,-Infinity,Infinity],"__proto__":{},"big":1e+21,"exact":9007199254740992.0}';
    expect(writeJson(parseJson(text).value)).toBe(text);
    expect(writeJson([-0, 0])).toBe("[-0.0,0]");
  });
});

/** Order of keys, which Map equality does not compare. */
function order(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(order);
  return value instanceof Map ? [...value].map(([key, member]) => [key, order(member as JsonValue)]) : null;
}
