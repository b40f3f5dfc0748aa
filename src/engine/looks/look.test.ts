/** Signatures against what Python's writers wrote; entropy against its definition; accidents kept rare. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { entropyOf, findSignature, histogram, lookAt } from "./look.ts";

interface Beginning {
  readonly name: string;
  readonly label: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly base64: string;
}

const beginnings = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures/beginnings.json"), "utf8"),
) as readonly Beginning[];

const bytesOf = ({ base64 }: Beginning) => new Uint8Array(Buffer.from(base64, "base64"));
const ascii = (text: string) => new TextEncoder().encode(text);

/** A generator of pseudo-random bytes (Numerical Recipes' LCG), the same on every run. */
function noise(seed: number): (length: number) => Uint8Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, next);
}

describe("signatures", () => {
  it.each(beginnings.map((one, at) => [at, one.label, one] as const))("%i: %s", (_, label, one) => {
    const found = findSignature(bytesOf(one));
    expect(found).toMatchObject({ name: one.name, label });
    const facts = Object.fromEntries(found?.facts.map(({ term, value }) => [term, value]) ?? []);
    expect(facts).toMatchObject(one.facts);
  });

  it("never throw, wherever the bytes are cut", () => {
    for (const one of beginnings) {
      const bytes = bytesOf(one);
      for (let length = 0; length <= bytes.length; length += 1) {
        const found = findSignature(bytes.subarray(0, length));
        if (length > 40 && one.name !== "pickle" && !one.name.startsWith("lz4")) expect(found?.name).toBe(one.name);
      }
    }
  });

  it("say where a Blosc buffer is cut off or followed by more", () => {
    const one = beginnings.find(({ name }) => name === "blosc");
    const bytes = one === undefined ? new Uint8Array() : bytesOf(one);
    const stored = (length: number) => {
      const longer = new Uint8Array(length);
      longer.set(bytes.subarray(0, length));
      return findSignature(longer)?.facts.find(({ term }) => term === "Size as stored")?.value;
    };
    expect(stored(bytes.length - 4)).toBe(`${bytes.length} bytes, 4 more than there are`);
    expect(stored(bytes.length + 4)).toBe(`${bytes.length} bytes, 4 fewer than there are`);
  });

  it("find an HDF5 file and its pieces", () => {
    const file = new Uint8Array(readFileSync(resolve(import.meta.dirname, "../../../public/samples/ocean-a.nc")));
    expect(findSignature(file)).toMatchObject({ name: "hdf5", label: "HDF5, the beginning of a file" });
    const at = Buffer.from(file).indexOf("TREE");
    expect(findSignature(file.subarray(at))?.label).toBe("HDF5, B-tree node, version 1");
  });

  it.each([
    ["json", ascii('{"zarr_format": 2}')],
    ["html", ascii("<!DOCTYPE html>\n<html><body>Not found</body></html>")],
    ["xml", ascii('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>')],
    ["git-lfs", ascii("version https://git-lfs.github.com/spec/v1\noid sha256:1")],
    ["text", ascii("not what one expects here")],
    ["zeros", new Uint8Array(64)],
    ["constant", new Uint8Array(64).fill(0xff)],
    ["fits", ascii("SIMPLE  =                    T / conforms to FITS")],
    ["parquet", ascii("PAR1\u0015\u0004\u0015")],
    ["zip", ascii("PK\u0003\u0004\u0014\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u0004\0\0\0name")],
    ["icechunk", ascii("ICE🧊CHUNKsomething")],
    ["grib", ascii("GRIB\0\0\n\u0002\0\0\0\0\0\0\0\u0040")],
  ])("%s", (name, bytes) => {
    expect(findSignature(bytes)?.name).toBe(name);
  });

  it("list the sections of a GRIB message, and what is wrong with them", () => {
    const file = resolve(import.meta.dirname, "../../codecs/grib/fixtures/gec00_soilw.grib");
    const message = new Uint8Array(readFileSync(file));
    const { label, facts } = findSignature(message)!;
    expect(label).toBe("GRIB, edition 2");
    const valueOf = (section: RegExp) => facts.find(({ term }) => section.test(term))?.value;
    expect(valueOf(/^section 0 /)).toContain("discipline 2, land surface products");
    expect(valueOf(/^section 5 /)).toMatch(/template 5\.\d+/);
    expect(valueOf(/^Problem$/)).toBeUndefined();
    expect(new Set(facts.map(({ term }) => term)).size).toBe(facts.length);
    const cut = findSignature(message.subarray(0, 300))!.facts;
    expect(cut.find(({ term }) => term === "Problem")?.value).toContain("expected in section");
  });

  it("are rarely seen in noise, and never in plain numbers", () => {
    const random = noise(5);
    const seen: string[] = [];
    for (let run = 0; run < 20_000; run += 1) {
      const found = findSignature(random(16 + (run % 200)));
      if (found !== undefined) seen.push(found.name);
    }
    // A zlib header is an accident once in 1,000, with a block that makes sense about once in 5,000.
    expect(seen.length).toBeLessThan(10);
    const length = 4096;
    const arrays = [
      Float32Array.from({ length }, (_, at) => 280 + 10 * Math.sin(at / 50)),
      Float64Array.from({ length }, (_, at) => at * 0.25),
      Int16Array.from({ length }, (_, at) => 20_000 + (at % 300)),
      Int32Array.from({ length }, (_, at) => at),
      Uint8Array.from({ length }, (_, at) => at % 7),
      BigInt64Array.from({ length }, (_, at) => BigInt(at) * 3600n),
    ];
    for (const array of arrays) expect(findSignature(new Uint8Array(array.buffer))).toBeUndefined();
  });
});

describe("entropy", () => {
  it("is that of the bytes", () => {
    expect(lookAt(new Uint8Array(0))).toEqual({ entropy: 0, counted: 0 });
    expect(lookAt(new Uint8Array(1000)).entropy).toBe(0);
    expect(lookAt(Uint8Array.from({ length: 1024 }, (_, at) => at)).entropy).toBeCloseTo(8, 12);
    expect(lookAt(Uint8Array.from({ length: 1000 }, (_, at) => at % 2)).entropy).toBeCloseTo(1, 12);
    expect(lookAt(noise(1)(100_000)).entropy).toBeGreaterThan(7.99);
  });

  it("counts every byte once, whatever the length", () => {
    for (let length = 0; length < 12; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => 250 + (at % 3));
      const counts = histogram(bytes);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(length);
      expect(counts[250]).toBe(Math.ceil(length / 3));
    }
    expect(entropyOf(new Uint32Array([3, 1]), 4)).toBeCloseTo(0.8112781, 6);
  });

  it("is of the first 16 MiB where there is more, and says so", () => {
    const bytes = new Uint8Array(16 * 1024 * 1024 + 5).fill(1, 16 * 1024 * 1024);
    expect(lookAt(bytes)).toMatchObject({ entropy: 0, counted: 16 * 1024 * 1024 });
  });
});
