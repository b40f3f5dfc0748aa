/**
 * Frames that c-blosc refuses by their header are refused: recorded with numcodecs 0.16.5, whose own frames were
 * damaged.
 */
import { describe, expect, it } from "vitest";
import { blosc } from "./blosc.ts";

const { signal } = new AbortController();
const step = blosc.prepare(new Map(), {} as never);
const decode = async (bytes: Uint8Array<ArrayBuffer>) => step.decode(bytes, 1 << 20, signal);
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

/** 300 bytes 0 to 4 over and over, by lz4. */
const COMPRESSED = "AgEkASwBAAAsAQAAKAAAABQAAAAQAAAAXwABAgMEBQD/EFAAAQIDBA==";
const REFUSED: readonly (readonly [what: string, frame: string])[] = [
  ["a block size above the data's", "AgEzAQEAAAABAP8AEQAAAAA="],
  ["a stored frame of another length", "AgEzAQkAAAABAAAAEQAAAAA="],
  ["no bytes", "AgESAQAAAAAAAAAAEAAAAA=="],
  ["a flag of later versions", "AgH/AQEAAAABAAAAEQAAAH0="],
  [
    "blocks that begin beyond the frame, in bytes after it",
    "AgFxAiwBAACAAAAAJAAAABwAAAA0AAAATAAAABQAAAB4AWNgYmFkZiCfoEgz0GIAQD4A/hQAAAB4AWNmYGJhZCafoEgz0GIAQYEBAhQAAAB4AWNkZmBiYUQnsAgBlQEAB+kAWw==",
  ],
];

describe("blosc", () => {
  it("reads stored and compressed frames, whatever follows", async () => {
    expect(await decode(bytesOf("AgGzAQEAAAABAAAAEQAAANQ="))).toEqual(Uint8Array.of(0xd4));
    const values = Uint8Array.from({ length: 300 }, (_, at) => at % 5);
    expect(await decode(bytesOf(COMPRESSED))).toEqual(values);
    expect(await decode(Uint8Array.of(...bytesOf(COMPRESSED), 1, 2, 3))).toEqual(values);
  });

  it.each(REFUSED)("refuses %s", async (_, frame) => {
    await expect(decode(bytesOf(frame))).rejects.toMatchObject({ code: "decode-failed" });
  });

  it("refuses other versions of the compressor's format", async () => {
    const frame = bytesOf(COMPRESSED);
    frame[1] = 0;
    await expect(decode(frame)).rejects.toMatchObject({ code: "decode-failed" });
  });
});
