import { expect, it } from "vitest";
import { nodeAt } from "#core/findings/fact.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";
import { MAX_TEXT } from "./node-detail.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

it("gives the beginning of long attributes, and all of them when asked, of nodes that are there", async () => {
  const attributes = JSON.stringify({ history: "x".repeat(3 * MAX_TEXT) });
  const text = JSON.stringify({ version: 1, refs: { ".zgroup": '{"zarr_format":2}', ".zattrs": attributes } });
  const engine = createEngine();
  const opened = await engine.call(
    "set.open",
    { source: { kind: "text", text, name: "x.json" }, locations: NO_LOCATIONS },
    CONTEXT,
  );
  if (opened.kind !== "set") throw new Error("asked to choose");
  const { id } = opened.set;
  const part = await engine.call("set.node", { set: id, path: "" }, CONTEXT);
  expect(part).toMatchObject({ attributes: attributes.slice(0, MAX_TEXT), attributesLength: attributes.length });
  expect(part.documents.map(({ key, text, length }) => [key, text?.length, length])).toEqual([
    [".zgroup", 17, undefined],
    [".zattrs", MAX_TEXT, attributes.length],
  ]);
  const whole = await engine.call("set.node", { set: id, path: "", whole: true }, CONTEXT);
  expect(whole.attributes).toBe(attributes);
  expect(whole).not.toHaveProperty("attributesLength");
  expect(whole.documents.map(({ length }) => length)).toEqual([undefined, undefined]);
  const absent = engine.call("set.node", { set: id, path: "absent" }, CONTEXT);
  await expect(absent).rejects.toMatchObject({ code: "no-such-node", finding: { place: nodeAt("absent") } });
});
