/** Against what libzstd was given to compress (`zstd-dictionary/fixtures`), and frames written here byte by byte. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Finding, RefscopeError } from "../core/findings/finding.ts";
import { decompressWith, prepareDictionary, type ZstdDictionary } from "./zstd-dictionary.ts";

interface Frame {
  readonly what: string;
  readonly dictionary: string;
  readonly frame: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Repository {
  readonly dictionary: string;
  readonly locations: readonly { readonly frame: string; readonly text: string }[];
}

interface Fixtures {
  readonly dictionaries: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  readonly icechunk: Readonly<Record<string, Repository>>;
}

const fixtures = JSON.parse(
  readFileSync(new URL("zstd-dictionary/fixtures/frames.json", import.meta.url), "utf8"),
) as Fixtures;

const base64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const prepared = new Map(
  Object.entries(fixtures.dictionaries).map(([name, bytes]) => [
    name,
    bytes === "" ? undefined : prepareDictionary(base64(bytes)),
  ]),
);
const dictionary = (name: string): ZstdDictionary | undefined => prepared.get(name);

function frameWith(name: string): Uint8Array {
  const found = fixtures.frames.find((each) => each.dictionary === name);
  if (found === undefined) throw new Error(`no frame with the dictionary ${name}`);
  return base64(found.frame);
}

function failure(act: () => unknown): Finding {
  try {
    act();
  } catch (error) {
    if (error instanceof RefscopeError) return error.finding;
    throw error;
  }
  throw new Error("expected a RefscopeError");
}

const LIMIT = 2 ** 24;
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const le = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
/** The last block. */
const block = (kind: number, body: readonly number[], size = body.length) => [
  ...le(1 + kind * 2 + size * 8, 3),
  ...body,
];
/** A frame of one segment: its size in one byte. */
const frame = (size: number, ...blocks: readonly number[][]) => [...MAGIC, 0x20, size, ...blocks.flat()];
/** A frame that says a window of 2 MB and no size. */
const unsized = (...blocks: readonly number[][]) => [...MAGIC, 0, 0x58, ...blocks.flat()];
const hello = frame(5, block(0, [...new TextEncoder().encode("hello")]));
const plain = (stored: readonly number[], limit = LIMIT) => decompressWith(undefined, Uint8Array.from(stored), limit);

describe("what libzstd compressed", () => {
  it.each(fixtures.frames)("$what, dictionary: $dictionary", ({ dictionary: name, frame, bytes, sha256: hash }) => {
    const result = decompressWith(dictionary(name), base64(frame), bytes);
    expect([result.length, sha256(result)]).toEqual([bytes, hash]);
    expect(result.buffer.byteLength).toBe(bytes);
  });

  it.each(Object.entries(fixtures.icechunk))("locations with Icechunk's dictionary of %s", (_, made) => {
    const prepared = prepareDictionary(base64(made.dictionary));
    const results = made.locations.map(({ frame }) => decompressWith(prepared, base64(frame), 1000));
    expect(results.map(text)).toEqual(made.locations.map(({ text }) => text));
    expect(results).toHaveLength(6);
  });

  it("one after the other, in one and the other order, each to its own", () => {
    const decode = () =>
      fixtures.frames.map(
        ({ dictionary: name, frame }) =>
          () =>
            decompressWith(dictionary(name), base64(frame), LIMIT),
      );
    const expected = fixtures.frames.map((each) => each.sha256);
    expect(
      decode()
        .map((act) => act())
        .map(sha256),
    ).toEqual(expected);
    const backwards = decode()
      .toReversed()
      .map((act) => act());
    expect(backwards.map(sha256)).toEqual(expected.toReversed());
  });
});

describe("frames", () => {
  it("follow each other; skippable ones give nothing, and each starts afresh", () => {
    const skippable = [0x5f, 0x2a, 0x4d, 0x18, ...le(3, 4), 1, 2, 3];
    expect(text(plain([...hello, ...skippable, ...hello]))).toBe("hellohello");
    expect(plain(skippable)).toHaveLength(0);
    const [trained, stored] = [dictionary("trained"), frameWith("trained")];
    const once = text(decompressWith(trained, stored, LIMIT));
    const twice = Uint8Array.from([...stored, ...hello, ...stored]);
    expect(text(decompressWith(trained, twice, LIMIT))).toBe(`${once}hello${once}`);
  });

  it("of nothing, many of them, take no memory", () => {
    const empty = unsized(block(0, []));
    const many = Array.from({ length: 20_000 }, () => empty).flat();
    expect(plain([...many, ...hello])).toHaveLength(5);
  });

  it("do not reach into the frame before", () => {
    // No literals; one sequence of the codes literal length 0, offset 3 (value 8: 5 back), match length 0 (3 bytes).
    const back = unsized(block(2, [0, 1, 0b0101_0100, 0, 3, 0, 0b1000]));
    expect(failure(() => plain(back)).facts["found"]).toContain("reaches 5 bytes before the data");
    expect(failure(() => plain([...hello, ...back])).facts["found"]).toContain("reaches 5 bytes before the data");
    const content = prepareDictionary(new TextEncoder().encode("abcdefgh"));
    expect(text(decompressWith(content, Uint8Array.from([...hello, ...back]), LIMIT))).toBe("hellodef");
    const wide = unsized(block(2, [0, 1, 0b0101_0100, 0, 31, 0, ...le(0xffff_ffff, 4)]));
    expect(failure(() => plain(wide)).facts["found"]).toContain(`reaches ${2 ** 32 - 4} bytes before the data`);
  });

  it("may go on from the dictionary into themselves", () => {
    // The same block with the match length code 10 (13 bytes).
    const stored = Uint8Array.from(frame(13, block(2, [0, 1, 0b0101_0100, 0, 3, 10, 0b1000])));
    const content = prepareDictionary(new TextEncoder().encode("abcdefgh"));
    expect(text(decompressWith(content, stored, LIMIT))).toBe("defghdefghdef");
  });
});

describe("what is not a whole frame", () => {
  const literals = [5 << 3, 97, 98, 99, 100, 101];
  it.each([
    ["nothing", [], "no bytes"],
    ["other bytes", [1, 2, 3, 4, 5], "01 02 03 04 at byte 0"],
    ["other bytes after a frame", [...hello, 9], "09 at byte 14"],
    ["a header cut off", hello.slice(0, 5), "after 5 bytes, in the frame that begins at byte 0"],
    ["a block cut off", hello.slice(0, -1), "after 13 bytes, in the block of 5 bytes"],
    ["no last block", hello.slice(0, 6), "after 6 bytes"],
    ["a skippable frame cut off", [0x50, 0x2a, 0x4d, 0x18, ...le(9, 4), 1], "after 9 bytes"],
    ["a reserved bit", [...MAGIC, 0x28, 1], "reserved bit"],
    ["a window of 4 TB", [...MAGIC, 0, 0xff, ...block(0, [])], "no decoder takes"],
    ["a block of no known type", frame(1, block(3, [0])), "no known type"],
    ["a block larger than its window", [...MAGIC, 0, 0, ...block(1, [7], 1025)], "1025 bytes at byte 9"],
    ["another size than the header says", frame(6, block(0, [1])), "header says 6"],
    ["more literals than the header says", frame(5, block(2, [1 + (6 << 3), 97, 0])), "6 literals, more"],
    ["more in the end than the header says", frame(5, le(2 + 3 * 8, 3), [7], block(0, [1, 2, 3])), "the 5 bytes"],
    ["a compressed block of one byte", frame(1, block(2, [0])), "too few"],
    ["literals cut off", frame(5, block(2, literals.slice(0, -1))), "literals are cut off"],
    ["a Huffman tree repeated, and none before", frame(9, block(2, [0x93, 0x40, 0, 1, 0])), "none before"],
    ["a table repeated, and none before", frame(9, block(2, [...literals, 1, 0xfc, 1])), "none before"],
    ["reserved bits of the tables", frame(9, block(2, [...literals, 1, 1, 1])), "reserved bits"],
    ["sequences without bits", frame(9, block(2, [...literals, 1, 0])), "no end mark"],
    ["sequences cut off", frame(9, block(2, [...literals, 1, 0, 1])), "cut off"],
    ["bytes after no sequences", frame(9, block(2, [...literals, 0, 1])), "1 bytes after a block"],
    ["a checksum of other data", [...MAGIC, 0x24, 1, ...block(0, [65]), 1, 2, 3, 4], "the checksum 0x"],
    ["a checksum cut off", [...MAGIC, 0x24, 1, ...block(0, [65]), 1, 2, 3], "after 13 bytes"],
  ])("%s", (_, stored, found) => {
    expect(failure(() => plain(stored))).toMatchObject({
      code: "decode-failed",
      facts: { found: expect.stringContaining(found) as string },
    });
  });

  it("leaves nothing behind for the next", () => {
    failure(() => plain(hello.slice(0, -1)));
    expect(text(plain(hello))).toBe("hello");
  });
});

describe("dictionaries", () => {
  const trained = base64(fixtures.dictionaries["trained"] ?? "");
  const stored = frameWith("trained");
  const id = Buffer.from(trained).readUInt32LE(4);

  it("of another number than the frame says are refused", () => {
    const other = trained.slice();
    other[4] = (other[4] ?? 0) ^ 1;
    const found = (dictionary?: ZstdDictionary) => failure(() => decompressWith(dictionary, stored, LIMIT));
    expect(found()).toMatchObject({ code: "decode-failed", facts: { found: "no dictionary" } });
    expect(found().facts["expected"]).toContain(`the dictionary ${id}`);
    expect(found(prepareDictionary(other)).facts["found"]).toMatch(/^the dictionary \d+$/);
    expect(found(prepareDictionary(other.subarray(8))).facts["found"]).toBe("a dictionary without a number");
  });

  it("are content alone where they do not begin with the magic number, even if short", () => {
    for (const bytes of [[], [1, 2, 3], [...trained.subarray(1)]]) {
      expect(prepareDictionary(Uint8Array.from(bytes))).toMatchObject({ id: 0, content: Uint8Array.from(bytes) });
    }
  });

  it("cut off anywhere are refused or read", () => {
    const { content, offsets } = prepareDictionary(trained);
    const least = trained.length - content.length + Math.max(...offsets);
    expect(least).toBeLessThan(trained.length);
    for (let length = 8; length <= trained.length; length++) {
      const expected = length < least ? "decode-failed" : "read";
      expect(outcome(() => prepareDictionary(trained.subarray(0, length)))).toBe(expected);
    }
  });

  it("keep their bytes when the given ones change", () => {
    const given = trained.slice();
    const prepared = prepareDictionary(given);
    given.fill(0);
    expect(text(decompressWith(prepared, stored, LIMIT))).toMatch(/^s3:\/\/archive\//);
  });
});

describe("the limit", () => {
  it("is kept by what the header says, before memory is taken", () => {
    const claims = [...MAGIC, 0xe0, ...le(2 ** 40, 8), ...block(1, [7], 100)];
    expect(failure(() => plain(claims, 1000))).toMatchObject({
      code: "decode-too-large",
      facts: { limit: 1000, found: "1099511627776 bytes, as the header says" },
    });
    expect(failure(() => plain([...hello, ...hello], 9)).code).toBe("decode-too-large");
  });

  it("is kept to the byte where no header says a size", () => {
    const runs = unsized([...le(2 + 2 ** 20, 3), 7], block(1, [7], 100));
    expect(plain(runs, 2 ** 17 + 100)).toHaveLength(2 ** 17 + 100);
    expect(failure(() => plain(runs, 2 ** 17 + 99)).code).toBe("decode-too-large");
    expect(failure(() => plain(runs, 0)).code).toBe("decode-too-large");
  });
});

function outcome(act: () => unknown): string {
  try {
    act();
    return "read";
  } catch (error) {
    if (error instanceof RefscopeError) return error.code;
    throw error;
  }
}

/** Numbers below 2^32, the same on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
}

it("ends in a result or an error for 20,000 damaged frames and 2,000 damaged dictionaries", () => {
  const next = numbers(42);
  const small = fixtures.frames.filter((each) => each.frame.length < 3000);
  const damage = (bytes: Uint8Array) => {
    for (let i = 1 + (next() % 3); i > 0; i--) bytes[next() % bytes.length] = next() % 256;
    return bytes.subarray(0, next() % 4 === 0 ? next() % bytes.length : bytes.length);
  };
  const seen = new Set<string>();
  for (let i = 0; i < 20_000; i++) {
    const { dictionary: name, frame } = small[next() % small.length] as Frame;
    const stored = damage(base64(frame));
    let length = 0;
    seen.add(outcome(() => (length = decompressWith(dictionary(name), stored, 10_000).length)));
    expect(length).toBeLessThanOrEqual(10_000);
  }
  expect([...seen].toSorted()).toEqual(["decode-failed", "decode-too-large", "read"]);
  for (let i = 0; i < 2000; i++) {
    const bytes = damage(base64(fixtures.dictionaries["trained"] ?? "").slice());
    expect(["read", "decode-failed"]).toContain(
      outcome(() => decompressWith(prepareDictionary(bytes), frameWith("trained"), 10_000)),
    );
  }
});
