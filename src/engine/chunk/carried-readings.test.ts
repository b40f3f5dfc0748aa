import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { OpenSource } from "#core/open-set.ts";
import { createEngine } from "../engine.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const ZARRAY = zarrayWith({ shape: [2] });

const text = (reference: unknown, dtype = "<i4") =>
  JSON.stringify({ version: 1, refs: { "a/.zarray": JSON.stringify({ ...ZARRAY, dtype }), "a/0": reference } });

/** A server that counts; every byte is its place in the file. */
async function opened(first: string) {
  const ranges: string[] = [];
  const fetch = (_input: unknown, init?: { headers?: HeadersInit }) => {
    const range = new Headers(init?.headers).get("range") ?? "";
    ranges.push(range);
    const [from = 0, to = 0] = range.replace("bytes=", "").split("-").map(Number);
    const body = Uint8Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const headers = { "content-range": `bytes ${from}-${to}/100` };
    return Promise.resolve(new Response(body, { status: 206, headers }));
  };
  const engine = createEngine({ http: { fetch } });
  const source: OpenSource = { kind: "text", text: first, name: "set.json" };
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error("no set");
  const base = answer.set.id;
  const read = (set: number) => engine.call("chunk.read", { set, array: "a", coordinates: [0] }, context());
  const edited = async (edited: string) =>
    (await engine.call("edit.render", { set: base, text: edited, edits: [] }, context())).set!.id;
  return { base, read, edited, ranges };
}

describe("readings of an edited set", () => {
  it("are taken over where reference and metadata stayed as they were", async () => {
    const { base, read, edited, ranges } = await opened(text(["https://h.example/f", 8, 4]));
    const first = await read(base);
    const again = await read(await edited(`${text(["https://h.example/f", 8, 4])} `));
    expect(ranges).toEqual(["bytes=8-11"]);
    expect(again.values).toEqual(first.values);
    expect(again.outcome).toBe("ok");
  });

  it("are read again where the reference, or the metadata, changed", async () => {
    const { base, read, edited, ranges } = await opened(text(["https://h.example/f", 8, 4]));
    const first = await read(base);
    const shifted = await read(await edited(text(["https://h.example/f", 9, 4])));
    expect(shifted.values?.raw.minimum).not.toBe(first.values?.raw.minimum);
    const other = await read(await edited(text(["https://h.example/f", 8, 4], "<u4")));
    expect(other.values?.dtype).toBe("<u4");
    expect(ranges).toEqual(["bytes=8-11", "bytes=9-12", "bytes=8-11"]);
  });

  it("are read again when the same set is asked again", async () => {
    const { base, read, ranges } = await opened(text(["https://h.example/f", 8, 4]));
    await read(base);
    await read(base);
    expect(ranges).toHaveLength(2);
  });
});

describe("results of an edited set", () => {
  const refs = (first: unknown, third: string, dtype = "<i4") => {
    const zarray = JSON.stringify({ ...ZARRAY, shape: [3], dtype });
    return JSON.stringify({ "a/.zarray": zarray, "a/0": first, "a/1": ["https://h.example/f", 8, 3], "a/2": third });
  };
  const LONG = "base64:" + "A".repeat(400);

  async function heldBy(edited: string): Promise<readonly string[]> {
    const fetch = () => {
      const headers = { "content-range": "bytes 8-10/100" };
      return Promise.resolve(new Response(new Uint8Array(3), { status: 206, headers }));
    };
    const engine = createEngine({ http: { fetch } });
    const source: OpenSource = { kind: "text", text: refs("abcd", LONG), name: "set.json" };
    const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
    if (answer.kind !== "set") throw new Error("no set");
    const { id } = answer.set;
    for (const at of [0, 1, 2]) await engine.call("chunk.read", { set: id, array: "a", coordinates: [at] }, context());
    const { set } = await engine.call("edit.render", { set: id, text: edited, edits: [], shown: id }, context());
    const view = await engine.call("table.view", { set: set!.id, spec: { scope: "a", filter: {} } }, context());
    const { rows } = await engine.call("table.rows", { set: set!.id, view: view.view, from: 0, to: 3 }, context());
    const found = await engine.call("chunk.findings", { set: set!.id }, context());
    const held = rows.filter(({ result }) => result !== "not tried").map(({ key }) => key);
    expect(new Set(found.map(([key]) => key))).toEqual(new Set(held));
    return held;
  }

  it("stay where reference and metadata stayed as they were", async () => {
    expect(await heldBy(refs("abcd", LONG))).toEqual(["a/0", "a/1", "a/2"]);
    expect(await heldBy(refs("dcba", LONG))).toEqual(["a/1", "a/2"]);
  });

  it("are gone where an inline value changed behind what is shown of it, or the metadata", async () => {
    expect(await heldBy(refs("abcd", `${LONG.slice(0, -4)}BBBB`))).toEqual(["a/0", "a/1"]);
    expect(await heldBy(refs("abcd", LONG, "<u4"))).toEqual([]);
  });
});
