import { runs } from "../core/testing/runs.ts";
import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallContext } from "../core/byte-source.ts";
import { isAbort, RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import { decompressed, encodingOf } from "./decompress.ts";
import { bytesSource } from "./file.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };

const text = Uint8Array.from({ length: 300_000 }, (_, at) => ((at * at) % 251) & 127);
const zeros = new Uint8Array(40_000_000);

function bytesOf(...parts: Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

async function open(bytes: Bytes, context = calm) {
  return decompressed(await bytesSource(bytes, "x").stream(context), context);
}

async function plain(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await new Response((await open(bytes)).stream.body).arrayBuffer());
}

/** Much faster than toEqual on long arrays. */
function expectSame(got: Uint8Array, wanted: Uint8Array): void {
  expect(got.byteLength).toBe(wanted.byteLength);
  expect(Buffer.compare(got, wanted)).toBe(0);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((cause: unknown) => cause);
  return error instanceof RefscopeError ? error.code : String(error);
}

it("a stream that breaks off below is distinguished from damage", async () => {
  let pulls = 0;
  const body = new ReadableStream<Bytes>({
    pull: (controller) => {
      pulls += 1;
      if (pulls > 1) throw new Error("gone");
      controller.enqueue(new Uint8Array(1000).fill(0x20));
    },
  });
  const broken = decompressed({ body, size: undefined }, calm).then(({ stream }) => new Response(stream.body).text());
  await expect(broken).rejects.toMatchObject({ code: "read-failed", finding: { facts: { reason: "gone" } } });
});

describe("encodingOf", () => {
  it("goes by the first bytes", () => {
    expect(encodingOf(bytesOf(gzipSync("a")))).toBe("gzip");
    expect(encodingOf(Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0]))).toBe("zstd");
    for (const first of [0x50, 0x5f]) expect(encodingOf(Uint8Array.from([first, 0x2a, 0x4d, 0x18]))).toBe("zstd");
    expect(encodingOf(Uint8Array.from([0x60, 0x2a, 0x4d, 0x18]))).toBe("none");
    expect(encodingOf(new TextEncoder().encode('{"version": 1}'))).toBe("none");
    expect(encodingOf(new Uint8Array(0))).toBe("none");
  });
});

describe("plain bytes", () => {
  it("pass unchanged, with their size, into buffers of any length", async () => {
    const law = fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.integer({ min: 1, max: 700 }),
      async (some, size) => {
        const given = bytesOf(Uint8Array.of(0), some);
        const { stream, encoding, bytesIn, bytesOut } = await open(given);
        expect([stream.size, encoding]).toEqual([given.byteLength, "none"]);
        const reader = stream.body.getReader({ mode: "byob" });
        const got: number[] = [];
        let buffer = new Uint8Array(size);
        for (;;) {
          const { done, value } = await reader.read(buffer);
          if (done) break;
          got.push(...value);
          buffer = new Uint8Array(value.buffer);
        }
        expect(Uint8Array.from(got)).toEqual(given);
        expect([bytesIn(), bytesOut()]).toEqual([given.byteLength, given.byteLength]);
      },
    );
    await fc.assert(law, { numRuns: 50 });
  });

  it("may be none at all", async () => {
    expect((await plain(new Uint8Array(0))).byteLength).toBe(0);
  });
});

describe("gzip", () => {
  it("one member", async () => {
    const given = bytesOf(gzipSync(text));
    const { stream, encoding, bytesIn, bytesOut } = await open(given);
    expect([encoding, stream.size]).toEqual(["gzip", undefined]);
    expectSame(new Uint8Array(await new Response(stream.body).arrayBuffer()), text);
    expect([bytesIn(), bytesOut()]).toEqual([given.byteLength, text.byteLength]);
  });

  it("several members, an empty one, and zeros at the end", async () => {
    const tail = text.subarray(0, 1234);
    const members = [gzipSync(text), gzipSync(tail), gzipSync(""), gzipSync(tail), new Uint8Array(70_000)];
    expectSame(await plain(bytesOf(...members)), bytesOf(text, tail, tail));
  });

  it("members of any lengths, wherever they end", async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 5 });
    const law = fc.asyncProperty(lengths, fc.nat(20), async (sizes, padding) => {
      // Level 0 stores: members then end anywhere around the piece's own ends.
      const parts = sizes.map((size) => text.subarray(size, 2 * size));
      const members = parts.map((part) => gzipSync(part, { level: 0 }));
      expectSame(await plain(bytesOf(...members, new Uint8Array(padding))), bytesOf(...parts));
    });
    await fc.assert(law, { numRuns: 25 });
  });

  it("a member that ends just around the end of a piece", async () => {
    for (let size = 32 * 1024 - 40; size < 32 * 1024 + 4; size += 1) {
      const part = text.subarray(0, size);
      const given = bytesOf(gzipSync(part, { level: 0 }), gzipSync("after"));
      expect((await plain(given)).byteLength).toBe(size + 5);
    }
  });

  it.each([
    ["cut off", (whole: Bytes) => whole.subarray(0, whole.byteLength - 9)],
    ["followed by something else", (whole: Bytes) => bytesOf(whole, new TextEncoder().encode("and more"))],
    ["of which only the start is there", (whole: Bytes) => whole.subarray(0, 6)],
  ])("data %s fail", async (_, spoil) => {
    expect(await codeOf(plain(new Uint8Array(spoil(bytesOf(gzipSync(text))))))).toBe("decompress-failed");
  });

  it("with a wrong checksum fails", async () => {
    const whole = bytesOf(gzipSync(text));
    whole[whole.byteLength - 6]! ^= 1;
    expect(await codeOf(plain(whole))).toBe("decompress-failed");
  });

  it("is read no further than is asked for, and can be left", async () => {
    const { stream, bytesOut } = await open(bytesOf(gzipSync(zeros)));
    const reader = stream.body.getReader();
    await reader.read();
    expect(bytesOut()).toBeLessThan(2_000_000);
    await reader.cancel();
  });

  it("stops when cancelled", async () => {
    const controller = new AbortController();
    const { stream } = await open(bytesOf(gzipSync(zeros)), { ...calm, signal: controller.signal });
    const reader = stream.body.getReader();
    await reader.read();
    controller.abort();
    const rest = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(rest).rejects.toSatisfy(isAbort);
  });
});

/** Made by the zstd command where there is one; the fixed frames below need none. */
function zstd(bytes: Uint8Array, ...options: string[]): Bytes | undefined {
  try {
    return bytesOf(execFileSync("zstd", ["-q", "-c", ...options], { input: bytes, maxBuffer: 1e9, stdio: "pipe" }));
  } catch {
    return undefined;
  }
}
const hasZstd = zstd(text) !== undefined;

describe("zstd", () => {
  /** "hello" as a raw block with its checksum left out (RFC 8878 §3.1.1). */
  const hello = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0, 0x68, 0x65, 0x6c, 0x6c, 0x6f]);
  const skippable = Uint8Array.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  const words = (bytes: Bytes): string => new TextDecoder().decode(bytes);

  it("frames one after another, skippable ones between, before and behind", async () => {
    expect(words(await plain(bytesOf(hello)))).toBe("hello");
    expect(words(await plain(bytesOf(skippable, hello, skippable, hello, skippable)))).toBe("hellohello");
    const many = bytesOf(...Array.from({ length: 5000 }, () => hello));
    expect((await plain(many)).byteLength).toBe(25_000);
  });

  it.each([
    ["cut off", hello.subarray(0, 11)],
    ["cut off between the frames' parts", bytesOf(hello, hello.subarray(0, 5))],
    ["followed by something else", bytesOf(hello, new TextEncoder().encode("junk and more"))],
    ["with an impossible block", hello.with(6, 0x2f)],
  ])("data %s fail", async (_, bytes) => {
    expect(await codeOf(plain(bytesOf(bytes)))).toBe("decompress-failed");
  });

  it.skipIf(!hasZstd)("long data come out whole, in a stream of bounded memory (needs the zstd command)", async () => {
    const given = zstd(zeros, "-19");
    const { stream, encoding, bytesIn, bytesOut } = await open(given!);
    expect(encoding).toBe("zstd");
    let total = 0;
    for await (const chunk of stream.body) total += chunk.byteLength;
    expect([total, bytesIn(), bytesOut()]).toEqual([zeros.byteLength, given!.byteLength, zeros.byteLength]);
  });

  it.skipIf(!hasZstd)("windows up to 128 MB, and no larger (needs the zstd command)", async () => {
    expectSame(await plain(zstd(text, "--long=27")!), text);
    // From a pipe, whose size the encoder cannot know, the window is as large as asked.
    const found = await plain(zstd(text, "--ultra", "--long=28")!).catch((error: RefscopeError) => error.finding);
    const reason = expect.stringContaining("128 MB") as string;
    expect(found).toMatchObject({ code: "decompress-failed", facts: { compression: "Zstandard", reason } });
  });

  it.skipIf(!hasZstd)("damage is found by the checksum (needs the zstd command)", async () => {
    const whole = zstd(text, "--check")!;
    whole[whole.byteLength - 2]! ^= 1;
    expect(await codeOf(plain(whole))).toBe("decompress-failed");
  });

  it.skipIf(!hasZstd)("damage anywhere fails or is seen, and never hangs (needs the zstd command)", async () => {
    const whole = zstd(text.subarray(0, 20_000), "--check")!;
    const law = fc.asyncProperty(fc.nat(whole.byteLength - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const spoilt = whole.slice();
      spoilt[at]! ^= flip;
      const result = await plain(spoilt).catch((error: unknown) => error);
      // A spoilt magic number makes it plain bytes; a spoilt flag may take the checksum away.
      if (!(result instanceof RefscopeError)) expect(at).toBeLessThan(6);
    });
    await fc.assert(law, { numRuns: runs(100) });
  });
});

describe("what is not a single document", () => {
  const tar = new Uint8Array(1024);
  tar.set(new TextEncoder().encode("ustar"), 257);

  it.each([
    ["zip", Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]), "container-not-supported"],
    ["tar", tar, "container-not-supported"],
    ["tar", bytesOf(gzipSync(tar)), "container-not-supported"],
    ["xz", Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), "compression-not-supported"],
    ["bzip2", new TextEncoder().encode("BZh91AY&SY"), "compression-not-supported"],
  ])("is named: %s", async (name, bytes, code) => {
    const error: unknown = await open(bytesOf(bytes)).catch((cause: unknown) => cause);
    const facts = code === "container-not-supported" ? { container: name } : { compression: name };
    expect(error).toMatchObject({ code, finding: { facts } });
  });
});

it("a failure of the stream below is not taken for damage", async () => {
  const broken = new RefscopeError({ code: "connection-dropped", place: WHOLE_SET, facts: {}, count: 1 });
  const whole = gzipSync(text);
  let given = false;
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      if (given) controller.error(broken);
      else controller.enqueue(bytesOf(whole.subarray(0, 5000)));
      given = true;
    },
  });
  const reading = decompressed({ body, size: undefined }, calm).then(({ stream }) => new Response(stream.body).text());
  expect(await codeOf(reading)).toBe("connection-dropped");
});
