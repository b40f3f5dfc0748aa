/** JPEG: what is read from its header, what the browser is handed, and what becomes of what it gives. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RefscopeError } from "../core/findings/finding.ts";
import type { JsonValue } from "../core/json/json.ts";
import { rejectionOf } from "../core/testing/rejection.ts";

/** 10 by 8 pixels, made for this test with imagecodecs 2026.3.6: three components in JFIF, and one. */
const COLOUR = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0o" +
    "MCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAIAAoD" +
    "AREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAABv/EAB4QAAAEBwAAAAAAAAAAAAAAAAABByMCBiIyQVGh/8QAFgEBAQEAAAAAAAAAAAAAAAAA" +
    "BAUG/8QAHhEAAQIHAQAAAAAAAAAAAAAAAAYhAQIDBAUUMWH/2gAMAwEAAhEDEQA/ABsvp3azwCp3pOw6j44zgTukmcaCt303MqjaDn//2Q==",
  "base64",
);
const GRAY = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0o" +
    "MCUoKSj/wAALCAAIAAoBAREA/8QAFQABAAAAAAAAAAAAAAAAAAAABwj/xAAcEAACAAcAAAAAAAAAAAAAAAAAAwEHM0NygbH/2gAIAQEAAD8AMpSW" +
    "dFHooLxhw//Z",
  "base64",
);
const [WIDTH, HEIGHT] = [10, 8];
const JFIF_BYTES = 18;

async function decode(bytes: Uint8Array, members: Readonly<Record<string, JsonValue>> = {}, limit = 1000) {
  const outline = {
    dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
    chunkShape: [1],
    elements: 1,
  } as const;
  const { imagecodecsJpeg } = await import("./jpeg/decode.ts");
  const step = imagecodecsJpeg.prepare(new Map(Object.entries(members)), outline);
  return step.decode(new Uint8Array(bytes), limit, new AbortController().signal);
}

/** A browser that takes note of what it is handed, and whose every image has pixels 1, 2, 3, 255, 5, 6, 7, 255, … */
function browser(): { readonly images: Buffer[] } {
  const images: Buffer[] = [];
  const pixels = Uint8ClampedArray.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => (i % 4 === 3 ? 255 : i + 1));
  let written: Uint8ClampedArray | undefined;
  const context = {
    putImageData: ({ data }: { data: Uint8ClampedArray }) => (written = data),
    drawImage: () => (written = pixels),
    getImageData: () => ({ data: written }),
  };
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = () => context;
    },
  );
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      constructor(width: number, height: number) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  );
  vi.stubGlobal("createImageBitmap", async (blob: Blob) => {
    images.push(Buffer.from(await blob.arrayBuffer()));
    return { width: WIDTH, height: HEIGHT, close: () => undefined };
  });
  return { images };
}

afterEach(() => vi.unstubAllGlobals());

const samples = (channels: number) =>
  Array.from({ length: WIDTH * HEIGHT * channels }, (_, i) => {
    const value = 4 * Math.floor(i / channels) + (i % channels) + 1;
    return Math.min(255, value);
  });

/** Adobe's segment, its last byte the colour transform. */
function adobe(transform: number): Buffer {
  return Buffer.from([0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform]);
}

describe("colours", () => {
  it.each([
    [null, null, 1, 3],
    [null, 2, 1, 3],
    [null, 3, 0, 3],
    [2, 2, 0, 3],
    [2, null, 0, 3],
    [3, null, 0, 3],
    [3, 0, 1, 3],
    ["YCBCR", "RGB", 1, 3],
    [null, 1, 0, 1],
  ])("stored as %s, asked for as %s: transform %d, %d channels", async (stored, wanted, transform, channels) => {
    const { images } = browser();
    const result = await decode(COLOUR, { colorspace_jpeg: stored, colorspace_data: wanted });
    expect([...result]).toEqual(samples(channels));
    // The JFIF segment, which has a word on colours, makes room for ours.
    const handed = Buffer.concat([COLOUR.subarray(0, 2), adobe(transform), COLOUR.subarray(2 + JFIF_BYTES)]);
    expect(images).toEqual([handed]);
  });

  it("of one component stay as they are, or are made three", async () => {
    const { images } = browser();
    expect([...(await decode(GRAY))]).toEqual(samples(1));
    expect([...(await decode(GRAY, { colorspace_data: 2 }))]).toEqual(samples(3));
    expect(images[0]).toEqual(Buffer.concat([GRAY.subarray(0, 2), GRAY.subarray(2 + JFIF_BYTES)]));
  });

  it("that libjpeg refuses, or that browsers do not give, are errors", async () => {
    browser();
    const codeFor = async (bytes: Buffer, stored: number | null, wanted: number) =>
      (await rejectionOf(decode(bytes, { colorspace_jpeg: stored, colorspace_data: wanted }))).code;
    expect(await codeFor(COLOUR, 2, 3)).toBe("codec-configuration");
    expect(await codeFor(COLOUR, 1, 1)).toBe("codec-configuration");
    expect(await codeFor(GRAY, 3, 2)).toBe("codec-configuration");
    expect(await codeFor(COLOUR, null, 4)).toBe("codec-configuration");
    const frame = COLOUR.indexOf(Buffer.from([0xff, 0xc0]));
    const cmyk = Buffer.concat([COLOUR.subarray(0, frame), cmykFrame(), COLOUR.subarray(frame + 19)]);
    expect((await rejectionOf(decode(cmyk))).finding?.facts?.["found"]).toContain("CMYK");
  });
});

function cmykFrame(): Buffer {
  const components = [1, 2, 3, 4].flatMap((id) => [id, 0x11, 0]);
  return Buffer.from([0xff, 0xc0, 0, 20, 8, 0, HEIGHT, 0, WIDTH, 4, ...components]);
}

describe("parts that stand in the metadata", () => {
  it("tables go before the image's own segments", async () => {
    const { images } = browser();
    const table = COLOUR.subarray(2 + JFIF_BYTES, 2 + JFIF_BYTES + 69);
    const tables = Buffer.concat([COLOUR.subarray(0, 2 + JFIF_BYTES), table, Buffer.from([0xff, 0xd9])]);
    const rest = Buffer.concat([COLOUR.subarray(0, 2), COLOUR.subarray(2 + JFIF_BYTES + 69)]);
    await decode(rest, { tables: tables.toString("base64"), colorspace_data: 2 });
    expect(images).toEqual([Buffer.concat([COLOUR.subarray(0, 2), adobe(1), COLOUR.subarray(2 + JFIF_BYTES)])]);
  });

  it("a header goes before the data, an end marker after them", async () => {
    const { images } = browser();
    const at = COLOUR.length - 20;
    await decode(COLOUR.subarray(at, -2), { header: COLOUR.subarray(0, at).toString("base64") });
    expect(images[0]?.subarray(-20)).toEqual(COLOUR.subarray(-20));
  });

  it("must be base64", async () => {
    expect((await rejectionOf(decode(COLOUR, { tables: "§" }))).code).toBe("codec-configuration");
  });
});

describe("what is refused before a browser is asked", () => {
  it.each([
    ["no JPEG", Buffer.from("89504e470d0a1a0a", "hex"), "89 50 4e 47"],
    ["no bytes", Buffer.alloc(0), "nothing"],
    ["an image without its scan", COLOUR.subarray(0, 170), "bytes"],
    ["a scan that is cut off", COLOUR.subarray(0, -10), "cut off"],
    ["lossless", patched(0xff, 0xc3), "process 3"],
  ])("%s", async (_, bytes, found) => {
    const { finding } = await rejectionOf(decode(bytes));
    expect(finding).toMatchObject({ code: "decode-failed" });
    expect(finding?.facts?.["found"]).toContain(found);
  });

  it("images larger than the chunk may be", async () => {
    expect((await rejectionOf(decode(COLOUR, {}, WIDTH * HEIGHT * 3 - 1))).code).toBe("decode-too-large");
  });

  it("12 bits, by the configuration", async () => {
    expect((await rejectionOf(decode(COLOUR, { bitspersample: 12 }))).code).toBe("codec-configuration");
  });
});

function patched(...marker: readonly number[]): Buffer {
  const bytes = Buffer.from(COLOUR);
  bytes.set(marker, bytes.indexOf(Buffer.from([0xff, 0xc0])));
  return bytes;
}

describe("outside a browser", () => {
  it("says that one is needed", async () => {
    const { finding } = await rejectionOf(decode(COLOUR));
    expect(finding).toMatchObject({ code: "codec-unavailable", facts: { problem: "no-browser" } });
  });

  it("damaged images end in an error, whatever is changed", async () => {
    let state = 7;
    const random = (below: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) % below;
    for (let round = 0; round < 500; round++) {
      const damaged = Buffer.from(COLOUR).subarray(0, COLOUR.length - random(20));
      for (let i = 0; i <= round % 3; i++) damaged[random(damaged.length)] = random(256);
      expect(["decode-failed", "decode-too-large", "codec-configuration", "codec-unavailable"]).toContain(
        (await rejectionOf(decode(damaged))).code,
      );
    }
  });
});

/** Last, as it reloads modules. */
describe("a browser that changes pixels of canvases", () => {
  it("is not believed", async () => {
    browser();
    const changed = {
      getImageData: () => ({ data: new Uint8ClampedArray(64 * 64 * 4) }),
      putImageData: () => undefined,
    };
    vi.stubGlobal(
      "OffscreenCanvas",
      class {
        getContext = () => changed;
      },
    );
    // The module remembers what a browser can do.
    vi.resetModules();
    expect((await failureFields(decode(COLOUR))).code).toBe("codec-unavailable");
  });
});

/** For a reloaded module, whose errors have a class of their own. */
async function failureFields(promise: Promise<unknown>): Promise<RefscopeError["finding"]> {
  const error = await promise.catch((reason: unknown) => reason);
  return (error as RefscopeError).finding;
}
