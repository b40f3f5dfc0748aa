import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { OpenSource } from "#core/open-set.ts";
import { createEngine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { lastPart } from "../chunk/sources.ts";

const engine = createEngine({});
const open = (source: OpenSource) => engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);

it("files of which none opens are said to be none", async () => {
  const files = ["a.nc", "b.nc"].map((path) => ({ path, blob: new Blob(["CDF"]) }));
  await expect(open({ kind: "files", files })).rejects.toMatchObject({
    code: "no-reference-set",
    finding: { facts: { among: "files", files: 2 } },
  });
});

it("what is asked of a set that is not open is refused", async () => {
  await expect(engine.call("set.overview", { set: 999, path: "" }, CONTEXT)).rejects.toMatchObject({
    code: "set-closed",
  });
});

it("only a document can be edited", async () => {
  const zgroup = new Blob(['{"zarr_format":2}']);
  const opened = await open({ kind: "files", files: [{ path: "s.zarr/.zgroup", blob: zgroup }] });
  const { id } = opened.kind === "set" ? opened.set : expect.fail(opened.title);
  const asked = Promise.resolve().then(() => engine.call("edit.source", { set: id }, CONTEXT));
  await expect(asked).rejects.toMatchObject({ code: "not-a-document", finding: { facts: { format: "Zarr v2" } } });
});

it.each([
  ["https://me:Zq0z@data.example/", "…@data.example"],
  ["https://data.example/a;sid=Zq0z", "a;sid=…"],
  ["https://data.example/a.json?sig=Zq0z", "a.json"],
  ["folder/a;b=c.json", "a;b=c.json"],
  ["folder/a#1.nc", "a#1.nc"],
])("%s names a set %s: titles and reports say the name", (address, name) => {
  expect(lastPart(address)).toBe(name);
});
