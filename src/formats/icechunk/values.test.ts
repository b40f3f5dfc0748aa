import { describe, expect, it } from "vitest";
import { readFlexBuffer } from "./flex-buffer.ts";
import { readMessagePack } from "./format-1.ts";
import { readYaml } from "./yaml.ts";
import { secondsText, timeText } from "./types.ts";
import { isObjectId, objectId } from "./object-id.ts";

const fault = (expected: string, found: string): Error => new Error(`expected ${expected}, found ${found}`);
const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("MessagePack", () => {
  it.each([
    ["7f", 127],
    ["e0", -32],
    ["c0", null],
    ["c3", true],
    ["ccff", 255],
    ["d1 8000", -32768],
    ["ce ffffffff", 0xffff_ffff],
    ["cf 0020000000000001", 9_007_199_254_740_993n],
    ["cf 000fffffffffffff", 2 ** 52 - 1],
    ["d3 ffffffffffffffff", -1],
    ["ca 3f000000", 0.5],
    ["cb 3ff8000000000000", 1.5],
    ["cb 7ff8000000000000", null],
    ["a3 c3a962", "éb"],
    ["d903 616263", "abc"],
    ["93 01 a161 90", [1, "a", []]],
    ["dc 0001 02", [2]],
    [
      "82 a1 61 01 a9 5f5f70726f746f5f5f 80",
      new Map<string, unknown>([
        ["a", 1],
        ["__proto__", new Map()],
      ]),
    ],
  ])("reads %s", (bytes, value) => {
    expect(readMessagePack(hex(bytes), fault)).toEqual(value);
  });

  it.each([
    ["a binary value", "c401ff"],
    ["an extension", "d4 01 00"],
    ["a key that is not text", "81 01 01"],
    ["text that is not UTF-8", "a1ff"],
    ["a text cut off", "a561"],
    ["an array of four billion", "dd ffffffff"],
    ["nothing", ""],
    ["deep nesting", "91".repeat(1000)],
  ])("refuses %s", (_, bytes) => {
    expect(() => readMessagePack(hex(bytes), fault)).toThrow(/^expected .+, found /);
  });
});

describe("FlexBuffers", () => {
  it.each([
    ["0d 04 01", 13],
    ["f3 04 01", -13],
    ["0000803f 0e 04", 1],
    ["000000000000f83f 0f 08", 1.5],
    ["01 68 01", true],
    ["00 00 01", null],
    ["03 6d617900 04 14 01", "may"],
    ["03 010203 03 2c 01", [1, 2, 3]],
    ["0102 02 40 01", [1, 2]],
    ["02 0100 02 90 01", [true, false]],
    ["02 07ff 0408 04 28 01", [7, 255]],
  ])("reads %s", (bytes, value) => {
    expect(readFlexBuffer(hex(bytes), fault)).toEqual(value);
  });

  it("reads a map by its keys", () => {
    // "a\0", keys [one offset], then: keys' offset, their width, the size, the value 42, its type.
    const bytes = hex("6100 01 03 01 01 01 2a 08 02 24 01");
    expect(readFlexBuffer(bytes, fault)).toEqual(new Map([["a", 42]]));
  });

  it.each([
    ["nothing", ""],
    ["a width of 3", "000000 04 03"],
    ["an offset before the start", "09 14 01"],
    ["a vector longer than the buffer", "ff 01 01 28 01"],
    ["a blob", "01 00 01 64 01"],
    ["a vector of itself", "01 00 28 02 28 01"],
  ])("refuses %s", (_, bytes) => {
    expect(() => readFlexBuffer(hex(bytes), fault)).toThrow(/^expected .+, found /);
  });
});

describe("YAML of configurations", () => {
  it("reads what writers write", () => {
    const text = [
      "inline: 12 # bytes",
      "level: -3",
      "ratio: 0.5",
      "nothing: ~",
      "text: 'it''s: here'",
      'escaped: "a\\n\\u00e9\\"b"',
      "url: s3://bucket/x#y",
      "http://127.0.0.1:8765/:",
      "  name: null",
      "  store: !s3_compatible",
      "    region: us-east-1",
      "    anonymous: false",
      "file:",
      "  store: !LocalFileSystem ''",
      "list:",
      "- - path_matches:",
      "      regex: .*split.*",
      "  - - condition: Any",
      "      num_chunks: 10",
      "- {}",
      "- []",
      "literal: |-",
      "  one",
      "    two",
      "",
      "  three",
      "last: .inf",
      "",
    ].join("\n");
    const store = (name: string, value: unknown) => new Map([[name, value]]);
    expect(readYaml(text, fault)).toEqual(
      new Map<string, unknown>([
        ["inline", 12],
        ["level", -3],
        ["ratio", 0.5],
        ["nothing", null],
        ["text", "it's: here"],
        ["escaped", 'a\né"b'],
        ["url", "s3://bucket/x#y"],
        [
          "http://127.0.0.1:8765/",
          new Map<string, unknown>([
            ["name", null],
            [
              "store",
              store(
                "s3_compatible",
                new Map<string, unknown>([
                  ["region", "us-east-1"],
                  ["anonymous", false],
                ]),
              ),
            ],
          ]),
        ],
        ["file", new Map([["store", store("local_file_system", "")]])],
        [
          "list",
          [
            [
              new Map([["path_matches", new Map([["regex", ".*split.*"]])]]),
              [
                new Map<string, unknown>([
                  ["condition", "Any"],
                  ["num_chunks", 10],
                ]),
              ],
            ],
            new Map(),
            [],
          ],
        ],
        ["literal", "one\n  two\n\nthree"],
        ["last", null],
      ]),
    );
  });

  it("reads what people write", () => {
    const text =
      "a: {b: 1, c: [x, !http {}]}\nd: &x >\n  one\n  two\ne: *x\nf: 0x1f\ng: !in_memory\n12: 9007199254740993\n";
    expect(readYaml(text, fault)).toEqual(
      new Map<string, unknown>([
        [
          "a",
          new Map<string, unknown>([
            ["b", 1],
            ["c", ["x", new Map([["http", new Map()]])]],
          ]),
        ],
        ["d", "one two\n"],
        ["e", "one two\n"],
        ["f", 31],
        ["g", new Map([["in_memory", null]])],
        ["12", 9_007_199_254_740_993n],
      ]),
    );
  });

  it("reads nothing as null", () => expect(readYaml("# empty\n\n", fault)).toBeNull());

  it.each([
    ["a key twice", "a: 1\na: 2"],
    ["an alias of nothing", "a: *x"],
    ["a list as a key", "[a]: 1"],
    ["a stray line", "a: 1\nb"],
    ["indentation out of line", "a:\n    b: 1\n  c: 2"],
    ["a tab", "a:\n\tb: 1"],
    ["an open quote", "a: 'b"],
    ["a second document", "a: 1\n--- \nb: 2"],
  ])("refuses %s", (_, text) => {
    expect(() => readYaml(text, fault)).toThrow(/^expected .+, found .*line/);
  });
});

describe("ids and times", () => {
  it("writes ids in Crockford's base32", () => {
    expect(objectId(hex("0b1cc8d6787580f0e33a6534"), 0, 12)).toBe("1CECHNKREP0F1RSTCMT0");
    expect(objectId(hex("000102030405060708090a0b"), 0, 12)).toBe("000G40R40M30E209185G");
    expect(objectId(hex("ffffffffffffffffff"), 1, 8)).toBe("ZZZZZZZZZZZZY");
    expect(isObjectId("1CECHNKREP0F1RSTCMT0")).toBe(true);
    expect(isObjectId("../../../../etc/abcd")).toBe(false);
  });

  it("writes times with their microseconds", () => {
    expect(timeText(0)).toBe("1970-01-01T00:00:00.000000Z");
    expect(timeText(1_795_205_814_000_007)).toBe("2026-11-20T20:16:54.000007Z");
    expect(timeText(253_402_300_799_999_999n)).toBe("9999-12-31T23:59:59.999999Z");
    expect(timeText(2n ** 64n - 1n)).toBeUndefined();
    expect(secondsText(1_714_979_289)).toBe("2024-05-06T07:08:09.000Z");
  });
});
