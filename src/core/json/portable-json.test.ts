import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portableJson } from "./portable-json.ts";

describe("portableJson", () => {
  it("is ASCII that JSON.parse reads as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 2), (value, indent) => {
        const text = portableJson(JSON.stringify(value, undefined, indent));
        expect(text).toMatch(/^[\n -~]*$/);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(portableJson(text)).toBe(text);
      }),
    );
  });

  it("writes NaN and the infinities as texts, and leaves such words in texts alone", () => {
    const json = '{"NaN":NaN,"a":[-Infinity,Infinity,"\\"NaN",1.0],"units":"°C \\\\"}';
    expect(portableJson(json)).toBe('{"NaN":"NaN","a":["-Infinity","Infinity","\\"NaN",1.0],"units":"\\u00b0C \\\\"}');
  });
});
