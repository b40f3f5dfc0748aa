/** Zstandard frames as numcodecs reads them, written here byte by byte (RFC 8878 §3.1), and one decoder for all. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Finding, RefscopeError } from "#core/findings/finding.ts";
import { newOutput } from "../codec.ts";
import { readyZstd } from "./zstd-frames.ts";
import { zstd } from "./zstd.ts";

const outline = {
  dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
  chunkShape: [1],
  elements: 1,
} as const;

async function decode(stored: readonly number[], limit = 2 ** 24): Promise<Uint8Array> {
  return zstd.prepare(new Map(), outline).decode(Uint8Array.from(stored), limit, new AbortController().signal);
}

async function failure(stored: readonly number[], limit?: number): Promise<Finding> {
  const result: unknown = await decode(stored, limit).catch((error: unknown) => error);
  if (result instanceof RefscopeError) return result.finding;
  throw new Error("expected a RefscopeError", { cause: result });
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const le = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
const block = (kind: number, size: number, isLast: boolean) => le((isLast ? 1 : 0) + kind * 2 + size * 8, 3);

/** A frame of one raw block, single segment, its size in one byte. */
const raw = (text: string) => [
  ...MAGIC,
  0x20,
  text.length,
  ...block(0, text.length, true),
  ...new TextEncoder().encode(text),
];

/** `count` blocks that repeat one byte 128 KiB times; the header says `size` in 8 bytes, where given. */
function runs(count: number, size?: number): number[] {
  const header = size === undefined ? [0, 0x58] : [0xc0, 0x58, ...le(size, 8)];
  return [
    ...MAGIC,
    ...header,
    ...Array.from({ length: count }, (_, i) => [...block(1, 2 ** 17, i === count - 1), 7]).flat(),
  ];
}

const skippable = (size: number) => [0x5a, 0x2a, 0x4d, 0x18, ...le(size, 4), ...Array.from({ length: size }, () => 1)];

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("frames", () => {
  it("follow each other; skippable ones give nothing", async () => {
    expect(text(await decode(raw("hello")))).toBe("hello");
    const many = [...skippable(0), ...raw("one "), ...skippable(9), ...raw("two"), ...skippable(0), ...skippable(3)];
    expect(text(await decode(many))).toBe("one two");
  });

  it.each([1, 7, 8, 9, 16])("of %i times 128 KiB, with and without their size, to the last byte", async (count) => {
    for (const stored of [runs(count), runs(count, count * 2 ** 17), [...runs(count), ...raw("end")]]) {
      const result = await decode(stored);
      expect([result.length >> 17, result.every((byte, at) => byte === 7 || at >= count * 2 ** 17)]).toEqual([
        count,
        true,
      ]);
    }
  });

  it("larger than what the decoder takes at once", async () => {
    const size = 600_000;
    const content = Array.from({ length: size }, (_, i) => (i * 7919) % 251);
    const starts = Array.from({ length: Math.ceil(size / 2 ** 17) }, (_, i) => i * 2 ** 17);
    const blocks = starts.map((at) => {
      const part = content.slice(at, at + 2 ** 17);
      return [...block(0, part.length, at + part.length === size), ...part];
    });
    const result = await decode([...MAGIC, 0, 0x58, ...blocks.flat()]);
    expect(Buffer.from(result).equals(Buffer.from(content))).toBe(true);
  });

  it("in large numbers", async () => {
    const result = await decode(Array.from({ length: 3000 }, () => raw("abc")).flat());
    expect(result).toHaveLength(9000);
  });
});

describe("what is not a whole frame", () => {
  it.each([
    ["nothing", [], "0 bytes that hold none"],
    ["a frame of nothing", raw(""), "9 bytes that hold none"],
    ["only a skippable frame", skippable(4), "12 bytes that hold none"],
    ["other bytes", [1, 2, 3, 4, 5, 6, 7, 8, 9], "01 02 03 04 at byte 0"],
    ["other bytes after a frame", [...raw("ab"), 1, 2, 3, 4, 5, 6, 7, 8, 9], "01 02 03 04 at byte 11"],
    ["one byte after a frame", [...raw("ab"), 0x28], "after 12 bytes, in the frame that begins at byte 11"],
    ["a zero after a frame", [...raw("ab"), 0], "byte 11"],
    ["a frame cut off", raw("hello").slice(0, -1), "after 13 bytes, in the frame that begins at byte 0"],
    ["a header cut off", raw("hello").slice(0, 5), "after 5 bytes"],
    ["a skippable frame cut off", skippable(9).slice(0, -1), "after 16 bytes"],
    ["a block of no known type", [...MAGIC, 0x20, 1, ...block(3, 1, true), 0], "corrupted"],
    ["another size than the header says", runs(1, 2 ** 17 - 1), "corrupted"],
    ["a dictionary wanted", [...MAGIC, 0x21, 9, 1, ...block(0, 1, true), 0], "needs a dictionary"],
    ["a window of 256 MB", [...MAGIC, 0, 0x90, ...block(0, 1, true), 0], "larger than 128 MB"],
  ])("%s", async (_, stored, found) => {
    const { code, facts } = await failure(stored);
    expect(code).toBe("decode-failed");
    expect(facts["found"]).toContain(found);
    expect(facts["expected"]).toContain(found.includes("hold none") ? "at least 1 byte" : "zstd");
  });

  it("a checksum that is another", async () => {
    const stored = [...MAGIC, 0x24, 1, ...block(0, 1, true), 65, ...le(0, 4)];
    expect(await failure(stored)).toMatchObject({ code: "checksum-mismatch" });
  });
});

describe("the limit", () => {
  it("is kept by what the header says, before anything is decoded", async () => {
    const fields = await failure(runs(8, 2 ** 40), 1000);
    expect(fields).toMatchObject({
      code: "decode-too-large",
      facts: { limit: 1000, found: "1099511627776 bytes, as the zstd header says" },
    });
  });

  it("is kept to the byte while decoding", async () => {
    expect(await failure(runs(9), 9 * 2 ** 17 - 1)).toMatchObject({ code: "decode-too-large" });
    expect(await decode(runs(9), 9 * 2 ** 17)).toHaveLength(9 * 2 ** 17);
    expect(await failure([...raw("12345"), ...raw("6")], 5)).toMatchObject({ code: "decode-too-large" });
  });

  it("is all the memory that a header of a few bytes can claim", async () => {
    const stored = [...MAGIC, 0xc0, 0x58, ...le(2 ** 31 - 1, 8), ...block(0, 0, true)];
    expect(await failure(stored, 2 ** 31 - 1)).toMatchObject({ code: "decode-failed" });
  });
});

describe("one decoder for all", () => {
  afterEach(() => vi.restoreAllMocks());

  it("reads on after data that failed in the middle of a frame, too large or cut off", async () => {
    for (const [stored, limit] of [
      [runs(20).slice(0, -4), 2 ** 24],
      [runs(20), 2 ** 20],
      [[...MAGIC, 0x20, 1, ...block(3, 1, true), 0], 10],
    ] as const) {
      await failure(stored, limit);
      expect(text(await decode(raw("hello")))).toBe("hello");
    }
  });

  it("decodes what is asked at the same time, each to its own", async () => {
    const all = Array.from({ length: 40 }, (_, i) => i);
    const results = await Promise.all(
      all.map((i) =>
        i % 5 === 4 ? failure(raw("cut").slice(0, -1)) : decode(i % 2 === 0 ? runs(i + 1) : raw(`text ${i}`)),
      ),
    );
    for (const i of all) {
      const result = results[i]!;
      if (!(result instanceof Uint8Array)) expect(i % 5).toBe(4);
      else if (i % 2 === 1) expect(text(result)).toBe(`text ${i}`);
      else expect(result).toHaveLength((i + 1) * 2 ** 17);
    }
  });

  it("does not keep the memory of a large window", async () => {
    const instances = vi.spyOn(WebAssembly, "instantiate");
    await decode(raw("warm"));
    instances.mockClear();
    await decode(raw("still warm"));
    expect(instances).not.toHaveBeenCalled();
    // A window of 64 MB (RFC 8878 §3.1.1.1.2: exponent 16), two blocks, so that it is really taken.
    const large = [...MAGIC, 0, 0x80, ...block(1, 2 ** 17, false), 7, ...block(1, 2 ** 17, true), 7];
    expect(await decode(large)).toHaveLength(2 ** 18);
    await decode(raw("anew"));
    expect(instances).toHaveBeenCalledTimes(1);
  });

  it("gives parts of one decoding without waiting between them", async () => {
    const decodeFrames = await readyZstd();
    const parts = ["one", "two"].map((word) => {
      const output = newOutput("blosc", 3, 3);
      decodeFrames(Uint8Array.from(raw(word)), output);
      return text(output.bytes.subarray(0, 3));
    });
    expect(parts).toEqual(["one", "two"]);
  });
});
