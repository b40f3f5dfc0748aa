/**
 * Damaged and hostile bytes: an error that says so, in bounded memory, never wrong values where there is a checksum.
 */
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import Zstd from "numcodecs/zstd";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../core/findings/finding.ts";
import type { JsonValue } from "../core/json/json.ts";
import { crc32c } from "./checksums/checksums.ts";
import { LOADED } from "./testing/loaded-codecs.ts";
import { recorded } from "./testing/numcodecs-cases.ts";

async function decode(id: string, stored: Uint8Array, limit: number, configuration: Record<string, JsonValue> = {}) {
  const dataType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" } as const;
  const outline = { dataType, chunkShape: [1], elements: 1 };
  const step = LOADED.findV2(id)!.prepare(new Map(Object.entries(configuration)), outline);
  return step.decode(new Uint8Array(stored), limit, new AbortController().signal);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RefscopeError) return error.code;
  throw new Error("expected a RefscopeError", { cause: error });
}

function le32(value: number): number[] {
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];
}

describe("bombs stop at the limit", () => {
  const zeros = Buffer.alloc(20_000_000);

  it("zlib and gzip, while decoding", async () => {
    expect(await codeOf(decode("zlib", deflateSync(zeros), 100_000))).toBe("decode-too-large");
    expect(await codeOf(decode("gzip", gzipSync(zeros), 100_000))).toBe("decode-too-large");
    const members = Buffer.concat(Array.from({ length: 50 }, () => gzipSync(zeros.subarray(0, 3000))));
    expect(await codeOf(decode("gzip", members, 100_000))).toBe("decode-too-large");
  });

  it("zstd, by its header and, where it has no size, by its blocks", async () => {
    const bomb = await Zstd.fromConfig({ id: "zstd", level: 1 }).encode(zeros);
    expect(await codeOf(decode("zstd", bomb, 100_000))).toBe("decode-too-large");
    // No content size; blocks that repeat one byte 128 KiB times, never a last one.
    const block = [2 + (131_072 << 3), 0].flatMap((n, i) => (i === 0 ? le32(n).slice(0, 3) : [0]));
    const endless = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...Array.from({ length: 1000 }, () => block).flat()];
    expect(await codeOf(decode("zstd", Uint8Array.from(endless), 1_000_000))).toBe("decode-too-large");
  });

  it("lz4 and Blosc, before memory is taken", async () => {
    const lz4 = Uint8Array.from([...le32(0x7fff_ffff), 0, 0, 0, 0]);
    expect(await codeOf(decode("lz4", lz4, 100_000))).toBe("decode-too-large");
    expect(await codeOf(decode("lz4", lz4, 2 ** 31))).toBe("decode-failed");
    const blosc = Uint8Array.from([2, 1, 0x21, 4, ...le32(-1), ...le32(4096), ...le32(16)]);
    expect(await codeOf(decode("blosc", blosc, 100_000))).toBe("decode-too-large");
  });
});

describe("filters that widen", () => {
  it("stop at the limit, however many follow each other", async () => {
    const wide = { dtype: "<i8", astype: "|i1" };
    expect(await decode("delta", new Uint8Array(10), 80, wide)).toHaveLength(80);
    expect(await codeOf(decode("delta", new Uint8Array(11), 80, wide))).toBe("decode-too-large");
    const scaled = { dtype: "<f8", astype: "|u1", scale: 1, offset: 0 };
    expect(await codeOf(decode("fixedscaleoffset", new Uint8Array(11), 80, scaled))).toBe("decode-too-large");
  });
});

describe("damage", () => {
  const whole = recorded.filter(
    ({ id, stored }) => !["delta", "fixedscaleoffset", "shuffle"].includes(id) && stored !== "",
  );

  it.each(whole.map(({ name, ...rest }) => ({ name, ...rest })))("$name: cut short anywhere", async (example) => {
    const stored = Buffer.from(example.stored, "base64");
    const expected = Buffer.from(example.decoded, "base64");
    const step = Math.max(1, Math.floor(stored.length / 60));
    for (let length = 0; length < stored.length; length += step) {
      const result = await decode(example.id, stored.subarray(0, length), expected.length, {
        ...example.configuration,
      }).catch((error: unknown) => error);
      // Frames before the cut may be whole, then all of them is what comes back.
      if (result instanceof Uint8Array) expect(expected.subarray(0, result.length).equals(result)).toBe(true);
      else expect(result).toBeInstanceOf(RefscopeError);
    }
  });

  it.each(whole)("$name: bytes changed", async ({ id, stored, decoded, configuration }) => {
    const bytes = Buffer.from(stored, "base64");
    const limit = Buffer.from(decoded, "base64").length * 2;
    let state = bytes.length;
    const random = (below: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 150; round++) {
      const damaged = Buffer.from(bytes);
      for (let i = 0; i <= round % 3; i++) damaged[random(damaged.length)] = random(256);
      const result = await decode(id, damaged, limit, { ...configuration }).catch((error: unknown) => error);
      if (result instanceof Uint8Array) expect(result.length).toBeLessThanOrEqual(limit);
      else expect(result).toBeInstanceOf(RefscopeError);
    }
  });

  it("is seen by every checksum", async () => {
    const checked = [
      "zstd 1, checksum",
      "zlib, fixed codes",
      "gzip, zeros between and after members",
      "fletcher32, 8 bytes",
    ];
    for (const { id, stored, decoded, configuration } of recorded.filter(({ name }) => checked.includes(name))) {
      const bytes = Buffer.from(stored, "base64");
      const expected = Buffer.from(decoded, "base64");
      for (let at = 0; at < bytes.length; at++) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= 1;
        const result = await decode(id, damaged, expected.length * 2, { ...configuration }).catch(() => undefined);
        if (result !== undefined) expect(Buffer.from(result).equals(expected)).toBe(true);
      }
    }
  });

  it("says what was expected and what was found", async () => {
    const error = await decode("zlib", Uint8Array.of(1, 2, 3, 4), 100).catch((reason: unknown) => reason);
    expect((error as RefscopeError).finding).toMatchObject({
      code: "decode-failed",
      facts: { codec: "zlib", found: "01 02" },
    });
    const raw = await decode("gzip", deflateRawSync(Buffer.from("abc")), 100).catch((reason: unknown) => reason);
    expect((raw as RefscopeError).finding?.facts?.["expected"]).toContain("1f 8b 08");
  });

  it("refuses a match that reaches back before its gzip member", async () => {
    const first = gzipSync(Buffer.from("abcdefgh"));
    // Fixed codes: length 3, distance 1, end; no byte before it in this member.
    const second = Buffer.from([...gzipSync("").subarray(0, 10), 0x03, 0x02, 0x00, ...le32(0), ...le32(3)]);
    expect(await codeOf(decode("gzip", Buffer.concat([first, second]), 1000))).toBe("decode-failed");
  });
});

describe("crc32c", () => {
  it("is Castagnoli's (RFC 3720 §B.4)", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a91_36aa);
    expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe306_9283);
  });

  it("stands before the data where the configuration says so", async () => {
    const data = new TextEncoder().encode("123456789");
    const sum = le32(0xe306_9283);
    const at = async (bytes: number[], location: string) => decode("crc32c", Uint8Array.from(bytes), 100, { location });
    expect(await at([...sum, ...data], "start")).toEqual(data);
    expect(await at([...data, ...sum], "end")).toEqual(data);
    expect(await codeOf(at([...data, ...sum], "start"))).toBe("checksum-mismatch");
    expect(await codeOf(at([...data, ...sum], "middle"))).toBe("codec-configuration");
  });
});
