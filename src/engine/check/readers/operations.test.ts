/** What the page asks of readers: all verdicts, the one that is chosen, and any chunk compared. */
import { expect, it } from "vitest";
import { createEngine } from "../../engine.ts";
import { CONTEXT } from "../../fixtures/plain-table.ts";
import { openLocal } from "../../testing/open-files.ts";

const zarray = JSON.stringify({
  zarr_format: 2,
  shape: [2],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: 0,
});

it("readers are judged, one is chosen, and zarrita reads a chunk", async () => {
  const engine = createEngine();
  const refs = { "a/.zarray": zarray, "a/0": "x", "a/1": ["f.bin"] };
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }), "f.bin": "y" });
  const all = await engine.call("check.readers", { set }, CONTEXT);
  expect(all.find(({ reader }) => reader.id === "zarrita")?.answer).toBe("partly");

  expect((await engine.call("check.state", { set }, CONTEXT)).reader).toBeUndefined();
  await engine.call("check.chooseReader", { set, reader: "zarrita", sample: 2 }, CONTEXT);
  const { reader, findings } = await engine.call("check.state", { set }, CONTEXT);
  expect(reader).toMatchObject({ name: "zarrita", answer: "partly", run: { compared: 2, same: 1, failed: 1 } });
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(["reader-cannot-read", "reader-fails"]));
  await engine.call("check.chooseReader", { set, reader: undefined }, CONTEXT);
  expect((await engine.call("check.state", { set }, CONTEXT)).reader).toBeUndefined();

  const compare = (at: number) => engine.call("check.compareReader", { set, array: "a", coordinates: [at] }, CONTEXT);
  expect(await compare(0)).toEqual({ kind: "same", of: 1 });
  expect(await compare(1)).toMatchObject({ kind: "error" });
});
