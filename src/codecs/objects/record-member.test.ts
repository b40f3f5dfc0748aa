/** kerchunk's own codecs, on small arrays: strings by heap reference, members of records, labels of any length. */
import { describe, expect, it } from "vitest";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { codecLabels, runPipeline } from "../pipeline.ts";

const { signal } = new AbortController();

function metadataOf(members: object) {
  const text = JSON.stringify({
    zarr_format: 2,
    shape: [3],
    chunks: [3],
    dtype: "|O",
    fill_value: null,
    order: "C",
    compressor: null,
    filters: null,
    ...members,
  });
  return parseArrayMetadataV2(text).metadata;
}

const ascii = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

async function texts(filter: object, stored: Uint8Array<ArrayBuffer>) {
  const result = await runPipeline(metadataOf({ filters: [filter] }), stored, signal);
  if (result.texts === undefined) return result.error!.code;
  return Array.from({ length: result.texts.length }, (_, at) => result.texts!.at(at));
}

describe("fill_hdf_strings", () => {
  const stored = ascii("ab\0\0cd\0\0ab\0\0");
  const filter = (members: object) => ({ id: "fill_hdf_strings", dtype: "S4", ...members });

  it("looks each reference up", async () => {
    const id_map = { ab: "first", cd: "żółć" };
    expect(await texts(filter({ id_map }), stored)).toEqual(["first", "żółć", "first"]);
    const wide = new Uint8Array(Uint32Array.from("ab\0cd\0ab\0", (character) => character.charCodeAt(0)).buffer);
    expect(await texts(filter({ dtype: "<U3", id_map }), wide)).toEqual(["first", "żółć", "first"]);
  });

  it("puts one value in place of all", async () => {
    expect(await texts(filter({ id_map: "x" }), stored)).toEqual(["x", "x", "x"]);
    expect(await texts(filter({}), stored)).toEqual(["null", "null", "null"]);
  });

  it("fails where a reference is not in the map, or cannot be", async () => {
    expect(await texts(filter({ id_map: { ab: "first" } }), stored)).toBe("decode-failed");
    expect(await texts(filter({ id_map: { constructor: "first" } }), stored)).toBe("decode-failed");
    expect(await texts(filter({ id_map: {} }), Uint8Array.of(0xff, 0xfe, 0, 0))).toBe("decode-failed");
    expect(await texts(filter({ id_map: {} }), stored.subarray(1))).toBe("decode-failed");
    expect(await texts(filter({ dtype: "<i4" }), stored)).toBe("codec-configuration");
    expect(await texts(filter({ dtype: "[('a', 'S4')]" }), stored)).toBe("codec-configuration");
  });

  it("stops where one long string stands for too many", async () => {
    const metadata = metadataOf({
      shape: [2 ** 20],
      chunks: [2 ** 20],
      filters: [filter({ id_map: "x".repeat(4096) })],
    });
    const { error } = await runPipeline(metadata, new Uint8Array(2 ** 22), signal);
    expect(error!.code).toBe("decode-too-large");
  });
});

describe("record_member", () => {
  const dtype = [
    ["time", ">f8"],
    ["level", "<i2", [2]],
  ];
  const records = new DataView(new ArrayBuffer(36));
  for (let i = 0; i < 3; i++) {
    records.setFloat64(12 * i, i + 0.5);
    records.setInt16(12 * i + 8, 10 * i, true);
    records.setInt16(12 * i + 10, -i, true);
  }
  const stored = new Uint8Array(records.buffer);

  it("takes a member of each record, also of a type written as lists, and says that kerchunk does not", async () => {
    const metadata = metadataOf({ dtype: ">f8", filters: [{ id: "record_member", member: "time", dtype }] });
    const { bytes } = await runPipeline(metadata, stored, signal);
    const view = new DataView(bytes!.buffer, bytes!.byteOffset);
    expect([0, 8, 16].map((at) => view.getFloat64(at))).toEqual([0.5, 1.5, 2.5]);
    expect((await codecLabels(metadata))[0]!.label).toContain("kerchunk fails on a dtype of lists");
  });

  it("takes sub-arrays whole", async () => {
    const filters = [{ id: "record_member", member: "level", dtype }];
    const { bytes } = await runPipeline(
      metadataOf({ dtype: "<i2", shape: [3, 2], chunks: [3, 2], filters }),
      stored,
      signal,
    );
    expect([...new Int16Array(bytes!.buffer, bytes!.byteOffset, 6)]).toEqual([0, 0, 10, -1, 20, -2]);
  });

  it.each([
    { member: "else", dtype },
    { member: "time" },
    { member: "time", dtype: "<f8" },
    { member: "a", dtype: [["a", "|O"]] },
    { member: "a", dtype: { names: ["a"], formats: ["<i4"], offsets: [4] } },
  ])("refuses %j", async (members) => {
    const metadata = metadataOf({ dtype: "<f8", filters: [{ id: "record_member", ...members }] });
    const { error } = await runPipeline(metadata, stored, signal);
    expect(error!.code).toBe("codec-configuration");
  });
});

describe("categorize", () => {
  it("makes text of any length where the type is that of objects", async () => {
    const filter = { id: "categorize", labels: ["male", "zażółć"], dtype: "|O", astype: "|u1" };
    expect(await texts(filter, Uint8Array.of(1, 2, 3))).toEqual(["male", "zażółć", ""]);
  });
});
