import { runs } from "../testing/runs.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../findings/finding.ts";
import { positionIn, type JsonNode, type JsonValue, isJsonObject } from "./json.ts";
import { jsonErrorPosition, MAX_JSON_DEPTH, parseJson, parseJsonTree } from "./parse-json.ts";

/** The value as JSON.parse gives it, which has doubles only. */
function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "bigint") return Number(value);
  if (!isJsonObject(value)) return value;
  const object: Record<string, unknown> = {};
  for (const [key, member] of value) {
    Object.defineProperty(object, key, { value: plain(member), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function errorOf(text: string): RefscopeError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof RefscopeError) return error;
  }
  throw new Error(`was read: ${text}`);
}

function codes(text: string): readonly string[] {
  return parseJson(text).oddities.map((oddity) => oddity.code);
}

/** Oddities that other readers refuse; they accept repeated keys and overflow. */
const REFUSED = new Set(["not-finite", "trailing-comma", "byte-order-mark"]);

describe("parseJson", () => {
  it("reads what JSON.parse reads, whatever the spacing", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, "\t", " \n"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent);
        const parsed = parseJson(text);
        expect(plain(parsed.value)).toEqual(JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value)));
        expect(parsed.oddities).toEqual([]);
      }),
    );
  });

  it("accepts with an oddity, or refuses, whatever JSON.parse refuses", () => {
    const pieces = "{ } [ ] \" , : \\ u 0 1 - . e E + ' N a t f I \n \u0000 \ufeff 9999999".split(" ");
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...pieces, "")), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.json(), edits, (json, list) => {
        const text = list.reduce((before, [at, piece]) => edited(before, at, piece), json);
        expect(verdict(() => !codes(text).some((code) => REFUSED.has(code)))).toBe(
          verdict(() => JSON.parse(text) !== undefined),
        );
      }),
      { numRuns: runs(2000) },
    );
  });

  it("keeps integers beyond 2^53 exact and others numbers", () => {
    expect(parseJson("[4611686018427387904, -9007199254740993, 9007199254740991, 1.0, 1e3, -0, -0.0]").value).toEqual([
      4611686018427387904n,
      -9007199254740993n,
      9007199254740991,
      1,
      1000,
      0,
      -0,
    ]);
  });

  it("keeps keys in the order written, integer-like and __proto__ too", () => {
    const { value } = parseJson('{"10": 1, "2": 2, "__proto__": {"polluted": true}, "1": 3}');
    expect(isJsonObject(value) && [...value.keys()]).toEqual(["10", "2", "__proto__", "1"]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("lets the last of repeated keys count, in the place of the first", () => {
    const { value, oddities } = parseJson('{"a": 1, "b": 2,\n "a": 3}');
    expect([...(value as Map<string, number>)]).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
    expect(oddities).toMatchObject([{ code: "duplicate-key", position: { line: 2, column: 2, offset: 18 } }]);
  });

  it.each([
    ["NaN", Number.NaN, ["not-finite"]],
    ["[-Infinity, Infinity]", [-Infinity, Infinity], ["not-finite", "not-finite"]],
    ["[1, 2, ]", [1, 2], ["trailing-comma"]],
    ['{"a": [1,],}', new Map([["a", [1]]]), ["trailing-comma", "trailing-comma"]],
    ["1e999", Infinity, ["number-overflow"]],
    ["\ufeff[]", [], ["byte-order-mark"]],
  ])("reads %s and says what is odd", (text, value, expected) => {
    expect(parseJson(text).value).toEqual(value);
    expect(codes(text)).toEqual(expected);
  });

  it.each([
    ["", "a JSON value", "the end of the text", 0],
    ["{'a': 1}", 'a key in double quotes or "}"', "single quote", 1],
    ["['a']", "a JSON value", "single quote", 1],
    ["[1 2]", '"," or "]"', '"2"', 3],
    ['{"a" 1}', '":" after the key', '"1"', 5],
    ["[,]", "a JSON value", '","', 1],
    ["[1,,2]", "a JSON value", '","', 3],
    ['{"a":1,,}', "a key in double quotes", '","', 7],
    ["[01]", "a number as JSON writes it", '"01"', 1],
    ["[1.]", "a number as JSON writes it", '"1."', 1],
    ["[+1]", "a JSON value", '"+1"', 1],
    ["[nul]", "a JSON value", '"nul"', 1],
    ["[None]", "a JSON value", '"None"', 1],
    ["[1] []", "the end of the text", '"["', 4],
    ['["a\nb"]', "control characters in a string written as escapes", "U+000A", 3],
    ['["\\x41"]', "after a backslash", '"\\"', 2],
    ['["\\u12g4"]', "four hexadecimal digits", '"\\"', 2],
    ['["abc', "the closing quote of the string that begins at offset 1", "the end of the text", 5],
    ["[[1, 2", '"," or "]"', "the end of the text", 6],
  ])("refuses %j where it breaks", (text, expected, found, offset) => {
    const error = errorOf(text);
    expect(error.finding).toMatchObject({
      code: "json-invalid",
      facts: { expected: expect.stringContaining(expected), found: expect.stringContaining(found) },
    });
    expect(jsonErrorPosition(error)?.offset).toBe(offset);
  });

  it("says line and column", () => {
    const error = errorOf('{\r\n  "a": 1,\n  "b": oops\n}');
    expect(jsonErrorPosition(error)).toEqual({ line: 3, column: 8, offset: 20 });
    expect(error.finding?.facts).toMatchObject({ line: 3, column: 8 });
    expect(jsonErrorPosition(new Error("another"))).toBeUndefined();
  });

  it("refuses depth and integers past their budgets without overflowing the stack", () => {
    expect(() => parseJson("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH))).not.toThrow();
    expect(errorOf("[".repeat(MAX_JSON_DEPTH + 1)).code).toBe("json-too-deep");
    expect(errorOf('{"a":'.repeat(1_000_000)).code).toBe("json-too-deep");
    expect(errorOf("1".repeat(5000)).finding?.facts?.["expected"]).toContain("4300 digits");
  });
});

describe("parseJsonTree", () => {
  it("gives the place of every value and the text of every number", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        visit(parseJsonTree(text).root, (node) => {
          const written = text.slice(node.start, node.end);
          if (node.kind === "number") expect(node.text).toBe(written);
          if (node.kind === "scalar") expect(JSON.parse(written)).toBe(node.value);
          if (node.kind === "array") expect(written).toMatch(/^\[[^]*\]$/);
          if (node.kind === "object") expect(written).toMatch(/^\{[^]*\}$/);
        });
      }),
    );
  });

  it("keeps both members of a repeated key, and `1.0` apart from `1`", () => {
    const { root } = parseJsonTree('{"a": 1.0, "a": 1}');
    const members = root.kind === "object" ? root.members : [];
    expect(members.map((member) => member.node.kind === "number" && member.node.text)).toEqual(["1.0", "1"]);
    expect(members.map((member) => [member.keyStart, member.keyEnd])).toEqual([
      [1, 4],
      [11, 14],
    ]);
  });
});

describe("positionIn", () => {
  it("counts lines as splitting the text does", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "é")), fc.nat(), (pieces, at) => {
        const text = pieces.join("");
        const offset = at % (text.length + 1);
        // Between CR and LF the line has not ended yet.
        const before = text.slice(0, offset).replace(/\r$/, text[offset] === "\n" ? "x" : "\r");
        const lines = before.split(/\r\n|\n|\r/);
        expect(positionIn(text, offset)).toEqual({ offset, line: lines.length, column: lines.at(-1)!.length + 1 });
      }),
    );
  });
});

function visit(node: JsonNode, see: (node: JsonNode) => void): void {
  see(node);
  if (node.kind === "array") node.items.forEach((item) => visit(item, see));
  if (node.kind === "object") node.members.forEach((member) => visit(member.node, see));
}

function edited(text: string, at: number, piece: string): string {
  const where = at % (text.length + 1);
  return piece === "" ? text.slice(0, where) + text.slice(where + 1) : text.slice(0, where) + piece + text.slice(where);
}

function verdict(accepts: () => boolean): boolean {
  try {
    return accepts();
  } catch {
    return false;
  }
}
