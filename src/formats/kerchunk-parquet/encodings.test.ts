import { describe, expect, it } from "vitest";
import { RefscopeError } from "#core/findings/finding.ts";
import { readBits, readHybrid } from "./bit-packing.ts";
import { inlineText } from "./index.ts";
import { checkThrift } from "./thrift-check.ts";
import { urlList, readByteValues, readDeltas } from "./record.ts";

const hybrid = (bytes: readonly number[], width: number, count: number) => {
  const out = new Uint32Array(count);
  readHybrid(Uint8Array.from(bytes), 0, width, out, 0, count);
  return [...out];
};

/** The error's expected and found, in one text. */
function faultOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RefscopeError) return JSON.stringify(error.finding?.facts);
    throw error;
  }
  return "none";
}

describe("runs and packed numbers", () => {
  it("are read as the specification's example has it", () => {
    // Eight numbers of three bits: 0 to 7.
    expect(hybrid([3, 0x88, 0xc6, 0xfa], 3, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(hybrid([8, 5, 3, 0x88, 0xc6, 0xfa], 3, 6)).toEqual([5, 5, 5, 5, 0, 1]);
    expect(hybrid([], 0, 3)).toEqual([0, 0, 0]);
    expect(hybrid([8, 0xff], 3, 4)).toEqual([7, 7, 7, 7]);
  });

  it("may be 32 bits wide, and cut short after the last number that is wanted", () => {
    expect(hybrid([3, 1, 0, 0, 0x80, 2, 0, 0, 0], 32, 2)).toEqual([0x8000_0001, 2]);
    expect(readBits(Uint8Array.from([0, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]), 0, 15, 45)).toBe(2 ** 45 - 1);
  });

  it("are refused where they say more than there is", () => {
    expect(faultOf(() => hybrid([3, 1], 3, 8))).toContain("3 bytes of packed numbers");
    expect(faultOf(() => hybrid([0, 0, 0, 0], 3, 8))).toContain("an empty run");
    expect(faultOf(() => hybrid([8], 3, 4))).toContain("a repeated number");
    expect(faultOf(() => hybrid([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 3, 4))).toContain("2^53");
  });
});

describe("differences", () => {
  it("are added up as the specification's example has it", () => {
    // 1 to 5: a block of 128 in 4 parts, 5 numbers, first 1, least difference 1, all widths 0.
    const out = new Float64Array(5);
    expect(readDeltas(Uint8Array.from([128, 1, 4, 5, 2, 2, 0, 0, 0, 0]), 0, out, 5)).toBe(10);
    expect([...out]).toEqual([1, 2, 3, 4, 5]);
  });

  it("are refused where blocks make no sense", () => {
    const out = new Float64Array(5);
    expect(faultOf(() => readDeltas(Uint8Array.from([0, 4, 5, 2, 2]), 0, out, 5))).toContain("blocks");
    expect(faultOf(() => readDeltas(Uint8Array.from([128, 1, 4, 6, 2, 2]), 0, out, 5))).toContain("5 numbers");
    expect(faultOf(() => readDeltas(Uint8Array.from([128, 1, 4, 5, 2, 2, 9, 0, 0, 0]), 0, out, 5))).toContain(
      "whole blocks",
    );
  });
});

it("byte strings outside their page are refused", () => {
  expect(faultOf(() => readByteValues(Uint8Array.from([1, 0, 0, 0]), "PLAIN", 1))).toContain("value 0 outside");
  expect(faultOf(() => readByteValues(Uint8Array.from([1, 0, 0, 0, 65, 9, 9, 9]), "PLAIN", 2))).toContain(
    "value 1 outside",
  );
  expect(faultOf(() => readByteValues(new Uint8Array(3), "PLAIN", 1))).toContain("1 byte strings");
  expect(faultOf(() => readByteValues(new Uint8Array(3), "RLE", 1))).toContain("RLE");
});

describe("Thrift", () => {
  it("is walked to its end", () => {
    // Field 1: i32 5; field 2: the bytes "ab"; field 3: a list of two i32; the end; a byte more.
    expect(checkThrift(Uint8Array.from([0x15, 10, 0x18, 2, 97, 98, 0x19, 0x25, 2, 4, 0, 77]), 0)).toBe(11);
  });

  it("is refused where it claims more than there is, or nests without end", () => {
    expect(faultOf(() => checkThrift(Uint8Array.from([0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f, 0]), 0))).toContain(
      "cut off",
    );
    expect(faultOf(() => checkThrift(Uint8Array.from([0x18, 100, 0]), 0))).toContain("cut off");
    expect(faultOf(() => checkThrift(new Uint8Array(1000).fill(0x1c), 0))).toContain("deep");
    expect(faultOf(() => checkThrift(new Uint8Array(1000).fill(0x19), 0))).toContain("deep");
    expect(faultOf(() => checkThrift(Uint8Array.from([0x16, ...new Uint8Array(20).fill(0xff)]), 0))).toContain(
      "10 bytes",
    );
    expect(faultOf(() => checkThrift(Uint8Array.from([0x15, 1]), 0))).toContain("cut off");
  });
});

it("inline bytes are text where they are plain ASCII, else base64", () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(inlineText(bytes, 0, bytes.length));
  expect(text(new TextEncoder().encode('{"a"'))).toBe("base64:eyJhIg==");
  expect(text(new TextEncoder().encode("a b/c"))).toBe("a b/c");
  expect(text(new TextEncoder().encode("base64:AAA="))).toBe("base64:AAA=");
  for (let length = 1; length < 20; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 97 + 200) & 255);
    expect(text(bytes)).toBe(`base64:${Buffer.from(bytes).toString("base64")}`);
  }
});

it("finds each URL again among many", () => {
  const list = urlList();
  const add = (url: string): number => {
    const bytes = new TextEncoder().encode(`<${url}>`);
    return list.add(bytes, 1, bytes.length - 1);
  };
  const names = Array.from({ length: 5000 }, (_, at) => `s3://b/${at * 7919}.nc`);
  expect(names.map(add)).toEqual(names.map((_, at) => at + 1));
  expect(names.toReversed().map(add)).toEqual(names.map((_, at) => 5000 - at));
  expect(add("")).toBe(5001);
  expect(list.urls.slice(0, 5000)).toEqual(names);
});
