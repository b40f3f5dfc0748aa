import { describe, expect, it } from "vitest";
import { readMessagePack, type MessagePackMaker } from "./message-pack.ts";

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/[0-9a-f]{2}/g) ?? [], (two) => parseInt(two, 16));

/** Parts in the order in which they come. */
const parts: MessagePackMaker<string> = {
  constant: (value) => `${typeof value} ${value}`,
  float: (value) => `float ${value}`,
  text: (bytes, at) => `text ${String.fromCharCode(...bytes)} at ${at}`,
  binary: (bytes) => `binary ${bytes.length}`,
  list: (count, next) => `[${Array.from({ length: count }, next).join(", ")}]`,
  map: (count, key, value) => `{${Array.from({ length: count }, () => `${key()}: ${value()}`).join(", ")}}`,
  fault: (expected, found, at) => new Error(`expected ${expected}, found ${found} at byte ${at}`),
};

describe("MessagePack", () => {
  it.each([
    ["ca 3f800000", "float 1", 5],
    ["01", "number 1", 1],
    ["cf 0020000000000001", "bigint 9007199254740993", 9],
    ["d3 8000000000000000", "bigint -9223372036854775808", 9],
    ["92 c403010203 a16178", "[binary 3, text a at 7]", 8],
    ["82 a161 c0 c40162 c2", "{text a at 2: object null, binary 1: boolean false}", 8],
  ])("hands over %s part by part, and says where it ends", (bytes, value, end) => {
    expect(readMessagePack(hex(bytes), parts, 9)).toEqual({ value, end });
  });

  it.each([
    ["c1", /the byte c1/],
    ["d40100", /an extension type/],
    ["810101", /text as a key, found a key of another type \(01\) at byte 1/],
    ["ddffffffff", /4294967295 items, found 0 bytes at byte 5/],
    ["a361", /3 bytes more, found 1 at byte 1/],
    ["91".repeat(20), /at most 9 lists/],
  ])("refuses %s", (bytes, message) => {
    expect(() => readMessagePack(hex(bytes), parts, 9)).toThrow(message);
  });
});
