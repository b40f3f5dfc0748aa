/**
 * Objects against what numcodecs makes of them, written as Python's `json.dumps` writes it
 * (codecs/fixtures/README.md).
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { runPipeline } from "#codecs/pipeline.ts";
import { pythonJsonOf } from "#core/json/python-json.ts";
import { pythonJson } from "#core/values/written-elements.ts";
import { explained } from "#core/findings/explain.ts";

interface Recorded {
  readonly filter: { readonly id: string };
  readonly chunks: readonly number[];
  readonly dtype: string;
  readonly order: string;
  readonly stored: string;
  readonly dumps?: string;
  readonly bytes?: string;
  readonly error?: true;
}

const path = resolve(import.meta.dirname, "../../codecs/fixtures/objects.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[];
const { signal } = new AbortController();

async function decode({ filter, chunks, dtype, order }: Omit<Recorded, "stored">, stored: Uint8Array<ArrayBuffer>) {
  const members = { zarr_format: 2, shape: chunks, chunks, dtype, order, compressor: null, fill_value: null };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, filters: [filter] }));
  return runPipeline(metadata, stored, signal);
}

describe("objects as numcodecs reads them", () => {
  it.each(recorded.map((one, at) => [at, one.filter.id, one] as const))("%i %s", async (_at, _id, one) => {
    const { texts, bytes, error } = await decode(one, new Uint8Array(Buffer.from(one.stored, "base64")));
    if (one.error === true) expect(error?.code).toMatch(/^(?:decode-failed|json-too-deep)$/);
    else if (one.bytes !== undefined) {
      expect(error).toBeUndefined();
      expect(Buffer.from(bytes!).toString("base64")).toBe(one.bytes);
    } else {
      expect(error).toBeUndefined();
      const list = Array.from({ length: texts!.length }, (_, at) => pythonJson(texts!, at));
      expect(`[${list.join(", ")}]`).toBe(one.dumps);
    }
  });
});

const JSON2 = { filter: { id: "json2" }, dtype: "|O", order: "C" };
const utf8 = (text: string) => new TextEncoder().encode(text);
const found = async (text: string, chunks: readonly number[], id = "json2") =>
  (await decode({ ...JSON2, filter: { id }, chunks }, utf8(text))).error;

describe("hostile lists", () => {
  it("are refused: repeated beyond the limit, too deep, too many, of other types", async () => {
    const long = `["${"x".repeat(40_000)}","|O",[10000]]`;
    expect(await found(long, [10_000])).toMatchObject({ code: "decode-too-large" });
    const deep = `[${"[".repeat(600)}${"]".repeat(600)},"|O",[1]]`;
    expect(await found(deep, [1])).toMatchObject({ code: "decode-failed" });
    const bomb = '["x","|O",[100000,100000]]';
    expect(await found(bomb, [100_000, 100_000])).toMatchObject({ facts: { found: "10000000000 elements" } });
    expect(await found('["x",[["a","<i4"]],[1]]', [1])).toMatchObject({ code: "decode-failed" });
  });

  it("end in an error wherever they are cut", async () => {
    for (const { filter, chunks, dtype, order, stored } of recorded.filter(({ error }) => error === undefined)) {
      const whole = new Uint8Array(Buffer.from(stored, "base64"));
      for (let length = 0; length < whole.length; length += 1 + (whole.length >> 5)) {
        const { error } = await decode({ filter, chunks, dtype, order }, whole.slice(0, length));
        expect(error?.code).toMatch(/^(?:decode-failed|decode-too-large)$/);
      }
    }
  });

  it("of MessagePack are no deeper than JSON, and their counts no longer than their bytes", async () => {
    const deep = new Uint8Array(10_000).fill(0x91);
    const counted = Uint8Array.of(0xdd, 255, 255, 255, 255, 1);
    for (const bytes of [deep, counted, Uint8Array.of(0xc1), Uint8Array.of(0x92, 0xd4, 1, 2, 0xa2)]) {
      const { error } = await decode({ filter: { id: "msgpack2" }, chunks: [1], dtype: "|O", order: "C" }, bytes);
      expect(error).toMatchObject({ code: "decode-failed" });
    }
  });
});

describe("other codecs of objects", () => {
  it("of numcodecs before 0.6 write no shape: lists are dimensions", async () => {
    const { texts } = await decode(
      { ...JSON2, filter: { id: "json" }, chunks: [2, 2] },
      utf8('[["a",1],[[2],3],"|O"]'),
    );
    expect([0, 1, 2, 3].map((at) => texts!.at(at))).toEqual(['"a"', "1", "[2]", "3"]);
    expect(await found('["a","|O"]', [2], "json")).toMatchObject({ code: "decode-failed" });
  });

  it("pickle is refused, with the reason", async () => {
    const error = await found("cos\nsystem\n(S'true'\ntR.", [1], "pickle");
    expect(error).toMatchObject({ code: "pickle-refused" });
    expect(explained(error!).message).toContain("runs whatever code");
  });

  it("take no codec after them but one that turns the chunk", async () => {
    const members = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: "|O",
      order: "C",
      compressor: null,
      fill_value: 0,
    };
    const filters = [{ id: "zlib" }, { id: "vlen-utf8" }];
    const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, filters }));
    const { error } = await runPipeline(metadata, Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 97), signal);
    expect(error).toMatchObject({ code: "codec-chain" });
  });
});

it("writes JSON as Python does", () => {
  const text = '{"b":[1.0,-0,-0.0,1e5,1e400,NaN,12345678901234567890],"é\\u007f":null,"b":true}';
  const written = '{"b": true, "\\u00e9\\u007f": null}';
  expect(pythonJsonOf(text)).toBe(written);
  expect(pythonJsonOf("[1.0,-0,-0.0,1e5,1e-7,1e16,1e400,NaN,12345678901234567890]")).toBe(
    "[1.0, 0, -0.0, 100000.0, 1e-07, 1e+16, Infinity, NaN, 12345678901234567890]",
  );
});

it("does not take objects inside structures for bytes", async () => {
  const dtype = [
    ["a", "<i4"],
    ["b", "|O"],
  ];
  const members = { zarr_format: 2, shape: [1], chunks: [1], dtype, order: "C", compressor: null, fill_value: null };
  const { metadata } = parseArrayMetadataV2(JSON.stringify({ ...members, filters: null }));
  const { error } = await runPipeline(metadata, new Uint8Array(4), signal);
  expect(error).toMatchObject({ code: "object-codec-missing" });
});
