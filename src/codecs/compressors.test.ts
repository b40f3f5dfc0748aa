/**
 * Compressors and HDF5's filters against what Python decodes (fixtures/README.md), and against damage, bombs and bytes
 * cut off.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { RefscopeError } from "../core/findings/finding.ts";
import type { JsonValue } from "../core/json/json.ts";
import { LOADED } from "./testing/loaded-codecs.ts";
import { rejectionOf } from "../core/testing/rejection.ts";

interface Recorded {
  readonly name: string;
  readonly id: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly stored: string;
  readonly decoded: string | null;
}

const recordedIn = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures", name), "utf8")) as readonly Recorded[];
const recorded = [...recordedIn("compressors.json"), ...recordedIn("hdf5.json")];
const whole = recorded.filter(({ decoded }) => decoded !== null && decoded !== "");

/**
 * A configuration as the metadata reader gives it: objects are Maps; ids of filters are strings, since some pass 2^53.
 */
function member(name: string, value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map((item: unknown) => member("", item));
  if (typeof value === "object" && value !== null) return configurationOf(value as Record<string, unknown>);
  return name === "id" && typeof value === "string" ? BigInt(value) : (value as JsonValue);
}

function configurationOf(values: Readonly<Record<string, unknown>>): Map<string, JsonValue> {
  return new Map(Object.entries(values).map(([name, value]) => [name, member(name, value)]));
}

async function decode(id: string, stored: Uint8Array, limit: number, values: Readonly<Record<string, unknown>> = {}) {
  const dataType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" } as const;
  const codec = LOADED.findV2(id);
  if (codec === undefined) throw new Error(`no codec ${id}`);
  const step = codec.prepare(configurationOf(values), { dataType, chunkShape: [1], elements: 1 });
  return step.decode(new Uint8Array(stored), limit, new AbortController().signal);
}

const find = (name: string) => {
  const found = recorded.find((example) => example.name === name);
  if (found === undefined) throw new Error(`no recorded ${name}`);
  return { ...found, bytes: Buffer.from(found.stored, "base64") };
};

describe("compressors as Python decodes them", () => {
  it.each(recorded)("$name", async ({ id, configuration, stored, decoded }) => {
    const bytes = Buffer.from(stored, "base64");
    if (decoded === null) {
      const { code } = await rejectionOf(decode(id, bytes, 100_000, configuration));
      expect(["decode-failed", "checksum-mismatch"]).toContain(code);
      return;
    }
    const expected = Buffer.from(decoded, "base64");
    // A member of an archive is decoded whole before it is cut.
    const result = await decode(id, bytes, id === "deflate" ? 10_000 : expected.length, configuration);
    expect(Buffer.from(result).equals(expected)).toBe(true);
  });

  it("cover the codecs that are meant", () => {
    expect(new Set(recorded.map(({ id }) => id)).size).toBe(20);
  });
});

describe("one byte too little room", () => {
  it.each(whole.filter(({ id, stored, decoded }) => id !== "imagecodecs_bitshuffle" && stored !== decoded))(
    "$name",
    async (example) => {
      const size = Buffer.from(example.decoded ?? "", "base64").length;
      const promise = decode(example.id, Buffer.from(example.stored, "base64"), size - 1, example.configuration);
      expect((await rejectionOf(promise)).code).toBe("decode-too-large");
    },
  );
});

describe("damage", () => {
  it.each(whole)("$name: cut short anywhere", async ({ id, configuration, stored, decoded }) => {
    const bytes = Buffer.from(stored, "base64");
    const expected = Buffer.from(decoded ?? "", "base64");
    for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / 60)) {
      const result = await decode(id, bytes.subarray(0, length), expected.length, configuration).catch(
        (error: unknown) => error,
      );
      if (result instanceof Uint8Array) expect(result.length).toBeLessThanOrEqual(expected.length);
      else expect(result).toBeInstanceOf(RefscopeError);
    }
  });

  it.each(whole)("$name: bytes changed", async ({ id, configuration, stored, decoded }) => {
    const bytes = Buffer.from(stored, "base64");
    const limit = Buffer.from(decoded ?? "", "base64").length * 2;
    let state = bytes.length;
    const random = (below: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 100; round++) {
      const damaged = Buffer.from(bytes);
      for (let i = 0; i <= round % 3; i++) damaged[random(damaged.length)] = random(256);
      const result = await decode(id, damaged, limit, configuration).catch((error: unknown) => error);
      if (result instanceof Uint8Array) expect(result.length).toBeLessThanOrEqual(limit);
      else expect(result).toBeInstanceOf(RefscopeError);
    }
  });

  it.each(["bz2: text", "lzma: .xz, CRC-32", "lzma: .xz, CRC-64", "lzma: .xz, SHA-256"])(
    "%s: every changed bit is seen",
    async (name) => {
      const { id, configuration, bytes, decoded } = find(name);
      const expected = Buffer.from(decoded ?? "", "base64");
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const damaged = Buffer.from(bytes);
        damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const result = await decode(id, damaged, expected.length * 2, configuration).catch(() => undefined);
        if (result !== undefined) expect(Buffer.from(result).equals(expected)).toBe(true);
      }
    },
  );
});

describe("sizes that headers only claim", () => {
  const claims: readonly [string, Uint8Array, string][] = [
    ["imagecodecs_lz4h5", Uint8Array.of(0, 0, 0, 0, 0x7f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0), "decode-failed"],
    ["imagecodecs_lzf", Uint8Array.of(255, 255, 255, 127, 0, 1), "decode-failed"],
    ["imagecodecs_lz4", Uint8Array.of(0xf0, 255, 255, 255, 255, 255), "decode-failed"],
  ];
  it.each(claims)("%s takes no memory for them", async (id, bytes, code) => {
    expect((await rejectionOf(decode(id, bytes, 2 ** 31))).code).toBe(code);
  });

  it("an .lzma of a size beyond the limit is refused at once", async () => {
    const bytes = Uint8Array.of(0x5d, 0, 0, 1, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 1, 2, 3, 4);
    expect((await rejectionOf(decode("lzma", bytes, 1000, { format: 2 }))).code).toBe("decode-too-large");
  });
});

describe("what errors say", () => {
  it("LZF without the size that imagecodecs expects, as HDF5 writes it", async () => {
    const { id, bytes } = find("imagecodecs_lzf: as h5py writes it");
    expect((await rejectionOf(decode(id, bytes, 10_000))).finding?.facts?.["found"]).toContain(
      "“header” must be false",
    );
  });

  it("a branch filter of .xz by its name, also after a first stream", async () => {
    // A block of 8 bytes with the filters x86 and LZMA2, by Python's `lzma`.
    const text = "/Td6WFoAAAFpIt42AgEEACEBFgANhjUfAQAHcmVmc2NvcGUAT2T5SgABHAhEYCrIkEKZDQEAAAAAAVla";
    const bytes = Buffer.from(text, "base64");
    expect((await rejectionOf(decode("lzma", bytes, 1000))).finding?.facts?.["found"]).toContain("x86");
    const second = Buffer.concat([find("lzma: .xz, CRC-32").bytes, bytes]);
    expect((await rejectionOf(decode("lzma", second, 1000))).finding?.facts?.["found"]).toContain("x86");
  });

  it("the first bytes of what is not a stream", async () => {
    expect((await rejectionOf(decode("bz2", Buffer.from("PK\u0003\u0004…"), 100))).finding?.facts?.["found"]).toContain(
      "50 4b 03 04",
    );
    expect((await rejectionOf(decode("lzma", Buffer.alloc(20, 1), 100))).finding?.facts?.["found"]).toContain(
      "01 01 01",
    );
    expect((await rejectionOf(decode("deflate", Buffer.alloc(40), 100))).finding?.facts?.["found"]).toContain(
      "00000000",
    );
  });
});

describe("configurations that Python refuses", () => {
  const lzma2 = { id: "33" };
  it.each([
    ["a format that there is not", { format: 4 }],
    ["filters for a container that has its own", { format: 1, filters: [lzma2] }],
    ["raw without filters", { format: 3 }],
    ["raw with no filter", { format: 3, filters: [] }],
    ["delta last", { format: 3, filters: [{ id: "3" }] }],
    ["LZMA2 first", { format: 3, filters: [lzma2, lzma2] }],
    ["five filters", { format: 3, filters: [3, 3, 3, 3, 33].map((id) => ({ id: String(id) })) }],
    ["an unknown option", { format: 3, filters: [{ id: "33", level: 1 }] }],
    ["too many literal bits", { format: 3, filters: [{ id: "4611686018427387905", lc: 3, lp: 3 }] }],
    ["a delta of nothing", { format: 3, filters: [{ id: "3", dist: 0 }, lzma2] }],
  ])("lzma: %s", async (_, configuration) => {
    expect((await rejectionOf(decode("lzma", new Uint8Array(), 10, configuration))).code).toBe("codec-configuration");
  });

  it("bitshuffle in blocks of 12 elements", async () => {
    const promise = decode("imagecodecs_bitshuffle", new Uint8Array(24), 24, { blocksize: 12 });
    expect((await rejectionOf(promise)).code).toBe("codec-configuration");
  });
});
