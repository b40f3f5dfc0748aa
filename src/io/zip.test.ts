import { runs } from "../core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ByteRange, ByteSource, CallContext } from "../core/byte-source.ts";
import { isAbort, RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import { crc32 } from "../codecs/checksums/checksums.ts";
import { bytesSource } from "./file.ts";
import { concat, writeZip, type ArchiveToWrite, type EntryToWrite } from "./fixtures/zip-writer.ts";
import { writeZipArchive, zipWriter } from "./write-zip.ts";
import { isZipHead, openZip, type ZipLimits } from "./zip.ts";
import { rejectionOf } from "../core/testing/rejection.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
const bytes = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * seed + (at >> 7)) & 255);

interface Watched extends ByteSource {
  readonly asked: (ByteRange | undefined)[];
}

function watched(content: Uint8Array<ArrayBuffer>, name = "a.zip"): Watched {
  const source = bytesSource(content, name);
  const asked: (ByteRange | undefined)[] = [];
  return {
    ...source,
    asked,
    read: (range, context) => {
      asked.push(range);
      return source.read(range, context);
    },
  };
}

const open = (entries: readonly EntryToWrite[], archive?: ArchiveToWrite, limits?: ZipLimits) =>
  openZip(bytesSource(writeZip(entries, archive), "a.zip"), calm, limits);

async function contentOf(files: { source(path: string): ByteSource | undefined }, path: string, range?: ByteRange) {
  const read = await files.source(path)?.read(range, calm);
  return read?.bytes;
}

describe("a zip archive", () => {
  it("lists its files in order and reads them, stored or deflated", async () => {
    const files = await open([
      { name: "b/" },
      { name: "a/", zip64: true },
      { name: "b/zarr.json", content: "{}" },
      { name: "a/c/0.0", content: bytes(5000), method: 8 },
      { name: "empty" },
      { name: "empty8", method: 8 },
    ]);
    expect(files.list).toEqual(["b/zarr.json", "a/c/0.0", "empty", "empty8"]);
    expect(files.findings).toEqual([]);
    expect(new TextDecoder().decode(await contentOf(files, "b/zarr.json"))).toBe("{}");
    expect(await contentOf(files, "a/c/0.0")).toEqual(bytes(5000));
    expect((await contentOf(files, "empty"))?.byteLength).toBe(0);
    expect((await contentOf(files, "empty8"))?.byteLength).toBe(0);
    expect(files.source("b/")).toBeUndefined();
    expect(files.find("s3://bucket/a/c/0.0")).toEqual({ kind: "match", path: "a/c/0.0", how: "name" });
    expect(files.source("a/c/0.0")).toMatchObject({ size: 5000, name: "a/c/0.0 in a.zip" });
  });

  it.each<[string, ArchiveToWrite]>([
    ["a comment", { comment: "made by hand" }],
    ["a comment with an end record's mark", { comment: "PK\u0005\u0006 and twenty more bytes of text" }],
    ["the longest comment", { comment: "x".repeat(65_535) }],
    ["bytes before it", { before: 100_000 }],
    ["bytes after it", { after: 300 }],
    ["zip64 records", { zip64: true }],
    ["zip64 records, a comment and bytes before it", { zip64: true, comment: "c", before: 333 }],
  ])("is read with %s", async (_, archive) => {
    const entries = [0, 8].map((method) => ({ name: `x/${method}`, content: bytes(300, 7), method, zip64: true }));
    const files = await open(entries, archive);
    for (const { name } of entries) expect(await contentOf(files, name)).toEqual(bytes(300, 7));
  });

  it("knows an archive by its first bytes", () => {
    expect(isZipHead(writeZip([{ name: "a", content: "b" }]))).toBe(true);
    expect(isZipHead(writeZip([]))).toBe(true);
    expect(isZipHead(new TextEncoder().encode("PK{}"))).toBe(false);
  });

  it("stands an empty one", async () => {
    expect((await open([])).list).toEqual([]);
  });
});

describe("what is asked of the source", () => {
  const entries = Array.from({ length: 500 }, (_, at) => ({ name: `c/${at}`, content: bytes(1000, at) }));

  it("is one range for the directory of a small archive, and one for a small file", async () => {
    const source = watched(writeZip(entries));
    const files = await openZip(source, calm);
    expect(source.asked).toHaveLength(1);
    expect(await contentOf(files, "c/7")).toEqual(bytes(1000, 7));
    expect(source.asked).toHaveLength(2);
    await contentOf(files, "c/7", { offset: 10, length: 5 });
    expect(source.asked[2]?.length).toBe(5);
  });

  it("is a second range where the local header is longer than expected", async () => {
    const source = watched(writeZip([{ name: "a", content: bytes(5000), localExtra: 4000 }]));
    const files = await openZip(source, calm);
    expect(await contentOf(files, "a", { offset: 4000, length: 1000 })).toEqual(bytes(5000).slice(4000));
    expect(await contentOf(files, "a")).toEqual(bytes(5000));
    expect(source.asked).toHaveLength(4);
  });

  it("is little of a large stored file", async () => {
    const source = watched(writeZip([{ name: "big", content: new Uint8Array(3_000_000).fill(9) }]));
    const files = await openZip(source, calm);
    const part = await contentOf(files, "big", { offset: 2_000_000, length: 10 });
    expect(part).toEqual(new Uint8Array(10).fill(9));
    expect(source.asked.slice(1).map((range) => range?.length)).toEqual([30, 10]);
  });

  it("is the deflated file once, however many parts of it are wanted at the same time", async () => {
    const source = watched(writeZip([{ name: "a", content: bytes(9000, 3), method: 8 }]));
    const files = await openZip(source, calm);
    const parts = await Promise.all([0, 1, 2].map((at) => contentOf(files, "a", { offset: at * 3000, length: 3000 })));
    expect(concat(parts.map((part) => part ?? new Uint8Array(0)))).toEqual(bytes(9000, 3));
    await contentOf(files, "a");
    expect(source.asked).toHaveLength(2);
  });

  it("is asked again once other inflated files have taken the room", async () => {
    const made = ["a", "b", "c"].map((name) => ({ name, content: bytes(4000), method: 8 }));
    const source = watched(writeZip(made));
    const files = await openZip(source, calm, { kept: 8000 });
    for (const name of ["a", "b", "a", "c", "a"]) await contentOf(files, name);
    expect(source.asked).toHaveLength(4);
    await contentOf(files, "b");
    expect(source.asked).toHaveLength(5);
  });

  it("goes on for others when the one who asked first leaves", async () => {
    const files = await open([{ name: "a", content: bytes(9000, 3), method: 8 }]);
    const leaver = new AbortController();
    const first = files.source("a")?.read(undefined, { ...calm, signal: leaver.signal });
    const second = contentOf(files, "a");
    leaver.abort();
    await expect(first).rejects.toSatisfy(isAbort);
    expect(await second).toEqual(bytes(9000, 3));
  });

  it("learns its size by a byte where it is not known, else takes the whole archive", async () => {
    const content = writeZip(entries);
    const source = watched(content);
    const unsized: ByteSource = { ...source, size: undefined };
    expect((await openZip(unsized, calm)).list).toHaveLength(500);
    expect(source.asked[0]).toEqual({ offset: 0, length: 1 });
    const mute: ByteSource = {
      ...unsized,
      read: async (range, context) => {
        if (range !== undefined)
          throw new RefscopeError({ code: "range-ignored", place: WHOLE_SET, facts: {}, count: 1 });
        return source.read(range, context);
      },
    };
    expect(await contentOf(await openZip(mute, calm), "c/3")).toEqual(bytes(1000, 3));
  });
});

describe("names", () => {
  it("are UTF-8 where the flag says so, else CP437, else what the Unicode field says", async () => {
    const nameBytes = Uint8Array.from([0x81, 0x2e, 0x6e, 0x63]);
    const field = concat([
      Uint8Array.from([0x75, 0x70, 9, 0, 1]),
      new Uint8Array(new Uint32Array([crc32(nameBytes)]).buffer),
      new TextEncoder().encode("é.nc").subarray(0, 4),
    ]);
    const files = await open([
      { name: "température/0" },
      { name: "", nameBytes, flags: 0 },
      { name: "é", flags: 0 },
      { name: "", nameBytes, flags: 0, extra: field },
    ]);
    expect(files.list).toEqual(["température/0", "ü.nc", "├⌐", "é.n"]);
    expect(files.findings).toMatchObject([{ code: "zip-name-encoding", facts: { name: "├⌐", utf8: "é" } }]);
  });

  it.each(["/etc/passwd", "../x", "a/../../x", "a/..", "C:\\x", "c:/x", "a\0b", "", "."])(
    "leave %j out",
    async (name) => {
      const files = await open([{ name, content: "x" }, { name: "good" }]);
      expect(files.list).toEqual(["good"]);
      expect(files.findings).toMatchObject([{ code: "zip-name-unsafe" }]);
    },
  );

  it("are made plain paths", async () => {
    const files = await open([
      { name: "./a//b/./c" },
      { name: "..a/b..", content: "1" },
      { name: "win\\dir\\0", host: 0 },
      { name: "unix\\0" },
      { name: "win\\dir\\", host: 0 },
      { name: "__proto__" },
    ]);
    expect(files.list).toEqual(["a/b/c", "..a/b..", "win/dir/0", "unix\\0", "__proto__"]);
  });

  it("used twice mean the last file", async () => {
    const files = await open([
      { name: "a", content: "old" },
      { name: "a", content: "new" },
    ]);
    expect(new TextDecoder().decode(await contentOf(files, "a"))).toBe("new");
    expect(files.findings).toMatchObject([{ code: "zip-name-twice", facts: { name: "a" } }]);
  });

  it("of symbolic links are left out", async () => {
    const files = await open([{ name: "link", content: "/etc/passwd", attributes: 0xa1ff_0000 }]);
    expect(files.list).toEqual([]);
    expect(files.findings).toMatchObject([{ code: "zip-link" }]);
  });
});

describe("archives that cannot be opened", () => {
  const good = writeZip([{ name: "a", content: "abc" }]);

  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ["nothing", new Uint8Array(0), "zip-not-found"],
    ["no archive", new Uint8Array(1000), "zip-not-found"],
    ["one cut short", good.slice(0, -1), "zip-not-found"],
    ["one without its beginning", good.slice(40), "zip-damaged"],
    ["one of several parts", writeZip([{ name: "a" }], { disk: 2 }), "zip-split"],
    ["one that counts too many", writeZip([{ name: "a" }], { zip64: true, count: 600_000 }), "zip-too-large"],
  ])("%s", async (_, content, code) => {
    expect((await rejectionOf(openZip(bytesSource(content, "a.zip"), calm))).code).toBe(code);
  });

  it("reports counts that do not agree", async () => {
    expect((await open([{ name: "a" }], { count: 3 })).findings).toMatchObject([{ code: "zip-count" }]);
    expect((await open([{ name: "a" }], { count: 65_537 })).findings).toEqual([]);
    expect((await open([{ name: "a" }], { count: 3, zip64: true })).findings).toMatchObject([{ code: "zip-count" }]);
  });

  it("is none where only one file's record is beyond reason", async () => {
    const files = await open([
      { name: "x", offset: 0xffff_ffff },
      { name: "good", content: "1" },
    ]);
    expect(files.list).toEqual(["good"]);
    expect(files.findings).toMatchObject([{ code: "zip-record-damaged" }]);
  });
});

describe("files that cannot be read", () => {
  const content = bytes(4000, 5);
  it.each<[string, Partial<EntryToWrite>, string]>([
    ["a wrong checksum of a stored one", { crc: 1 }, "zip-entry-damaged"],
    ["a wrong checksum of a deflated one", { crc: 1, method: 8 }, "zip-entry-damaged"],
    ["fewer bytes than declared", { size: 4001, method: 8 }, "zip-entry-damaged"],
    ["more bytes than declared", { size: 3999, method: 8 }, "zip-entry-damaged"],
    ["two sizes of a stored one", { size: 3999 }, "zip-entry-damaged"],
    ["no DEFLATE stream", { method: 8, data: new Uint8Array(100).fill(255) }, "zip-entry-damaged"],
    ["a stream cut off", { method: 8, compressedSize: 20 }, "zip-entry-damaged"],
    ["no header at its place", { offset: 3 }, "zip-entry-damaged"],
    ["a place past the end", { offset: 900_000 }, "zip-entry-damaged"],
    ["data past the end", { size: 900_000, compressedSize: 900_000 }, "zip-entry-damaged"],
    ["more than DEFLATE can do", { size: 90_000_000, method: 8 }, "zip-entry-damaged"],
    ["more than is read whole", { size: 2 ** 31, compressedSize: 2 ** 24, method: 8 }, "zip-entry-too-large"],
    ["a trap", { size: 600_000_000, compressedSize: 1_000_000, method: 8 }, "zip-entry-too-large"],
    ["encryption", { flags: 0x801 }, "zip-entry-encrypted"],
    ["another method", { method: 14 }, "zip-method-unsupported"],
  ])("%s", async (_, entry, code) => {
    const files = await open([
      { name: "a/b", content, ...entry },
      { name: "good", content: "1" },
    ]);
    const error = await rejectionOf(contentOf(files, "a/b"));
    expect(error.code).toBe(code);
    expect(error.finding?.place).toEqual({ kind: "target", target: "a/b in a.zip" });
    expect((await contentOf(files, "good"))?.byteLength).toBe(1);
  });

  it("those that share one stream, or bytes of the next, as Python's zipfile says", async () => {
    const files = await open([
      { name: "first", content, method: 8 },
      { name: "second", content, method: 8, offset: 0 },
      { name: "long", content, size: 4040, compressedSize: 4040 },
      { name: "last", content },
    ]);
    for (const name of ["first", "long"]) {
      const error = await rejectionOf(contentOf(files, name));
      expect([name, error.code]).toEqual([name, "zip-entry-damaged"]);
      expect(error.finding?.facts).toMatchObject({ problem: "overlap" });
    }
    for (const name of ["second", "last"]) expect(await contentOf(files, name)).toEqual(content);
  });

  it("and ranges outside them", async () => {
    for (const method of [0, 8]) {
      const files = await open([
        { name: "a", content, method },
        { name: "b", content },
      ]);
      expect((await rejectionOf(contentOf(files, "a", { offset: 3999, length: 2 }))).code).toBe("short-read");
      expect((await rejectionOf(contentOf(files, "a", { offset: 4000, length: 1 }))).code).toBe("range-past-end");
      expect((await rejectionOf(contentOf(files, "a", { offset: -1, length: 1 }))).code).toBe("range-invalid");
      expect((await contentOf(files, "a", { offset: 4000, length: 0 }))?.byteLength).toBe(0);
    }
  });

  it("are streamed only when sound", async () => {
    const files = await open([
      { name: "a", content, method: 8 },
      { name: "b", content, crc: 0 },
    ]);
    const stream = await files.source("a")?.stream(calm);
    expect(stream?.size).toBe(4000);
    expect(new Uint8Array(await new Response(stream?.body).arrayBuffer())).toEqual(content);
    expect((await rejectionOf(files.source("b")?.stream(calm) ?? Promise.resolve())).code).toBe("zip-entry-damaged");
  });
});

describe("any archive", () => {
  const entry = fc.record({
    name: fc.stringMatching(/^[a-zé]{1,3}(\/[a-z0-9.]{0,2}[a-z]){0,2}$/),
    content: fc.uint8Array({ maxLength: 2000 }),
    method: fc.constantFrom(0, 8),
    zip64: fc.boolean(),
    localExtra: fc.integer({ min: 0, max: 200 }),
  });
  const archive = fc.record({
    comment: fc.string({ maxLength: 40 }),
    before: fc.integer({ min: 0, max: 100 }),
    zip64: fc.boolean(),
  });

  it("gives back what was put in, whole and in parts", async () => {
    const property = fc.asyncProperty(fc.array(entry, { maxLength: 12 }), archive, fc.nat(), async (made, how, cut) => {
      const files = await open(made, how);
      const last = new Map(made.map(({ name, content }) => [name, content]));
      expect(new Set(files.list)).toEqual(new Set(last.keys()));
      for (const [name, content] of last) {
        const from = cut % (content.byteLength + 1);
        const rest = { offset: from, length: content.byteLength - from };
        expect(await contentOf(files, name, rest)).toEqual(new Uint8Array(content).slice(from));
        expect(await contentOf(files, name)).toEqual(new Uint8Array(content));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("with bytes changed gives what was put in, or a named failure", async () => {
    const content = bytes(200, 3);
    const whole = writeZip(
      [
        { name: "a", content },
        { name: "b/c", content, method: 8, zip64: true },
      ],
      { zip64: true },
    );
    const change = fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(change, async (changes) => {
      const damaged = whole.slice();
      for (const [at, value] of changes) damaged[at] = value;
      try {
        const files = await openZip(bytesSource(damaged, "a.zip"), calm);
        for (const path of files.list) expect(await contentOf(files, path)).toEqual(content);
      } catch (error) {
        if (!(error instanceof RefscopeError)) throw error;
        expect(error.code).toMatch(/^zip-/);
      }
    });
    await fc.assert(property, { numRuns: runs(2000) });
  });
});

describe("an archive that is written file by file", () => {
  const made = (length: number) => Uint8Array.from({ length }, (_, at) => at);
  const files = { "é/refs.0.parq": made(5000), empty: made(0), ".zmetadata": made(7) };
  async function written(most?: Parameters<typeof zipWriter>[2]) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const zip = await zipWriter("a.parq", (piece) => void pieces.push(piece), most);
    const added = Object.entries(files).map(([name, content]) => zip.add(name, content));
    zip.end();
    return { added, archive: concat(pieces) };
  }

  it("has the files, stored; the same files are the same bytes", async () => {
    const { archive } = await written();
    expect((await written()).archive).toEqual(archive);
    const read = await openZip(bytesSource(archive, "a.zip"), calm);
    expect([read.list, read.findings]).toEqual([Object.keys(files).map((path) => `a.parq/${path}`), []]);
    for (const [path, content] of Object.entries(files))
      expect(await contentOf(read, `a.parq/${path}`)).toEqual(content);
    expect(archive.length).toBeGreaterThan(5007);
  });

  it("has the same bytes whenever it is written, deflated as well", async () => {
    const some = new Map([["README.md", "text ".repeat(100)]]);
    const archive = await writeZipArchive(some);
    vi.useFakeTimers({ now: Date.UTC(2031, 6, 1), toFake: ["Date"] });
    try {
      expect(await writeZipArchive(some)).toEqual(archive);
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes no file beyond what an archive without ZIP64 can hold", async () => {
    expect((await written({ files: 2, bytes: 2 ** 32 })).added).toEqual([true, true, false]);
    const few = await written({ files: 9, bytes: 5450 });
    expect(few.added).toEqual([true, true, false]);
    expect(few.archive.length).toBeLessThanOrEqual(5450);
  });
});
