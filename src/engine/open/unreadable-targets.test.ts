import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const ZARRAY = JSON.stringify(zarrayWith({}));

it("targets that cannot be read from here are known before any is asked for", async () => {
  const asked: string[] = [];
  const fetch = (input: unknown) => {
    asked.push(String(input));
    return Promise.reject(new Error("no network"));
  };
  const engine = createEngine({ http: { fetch } });
  const refs = {
    "a/.zarray": ZARRAY,
    "a/0": ["/data/one.nc", 0, 4],
    "a/1": ["/data/one.nc", 4, 4],
    "a/2": ["https://h.example/two.nc", 0, 4],
    "a/3": [null, 0, 4],
    "a/4": ["hdfs://x/three.nc", 0, 4],
    "a/5": "abcd",
  };
  const source = { kind: "text", text: JSON.stringify(refs), name: "set.json" } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error("asked to choose");
  const { id } = answer.set;
  const found = await engine.call("set.unreadable", { set: id }, context());
  expect(found).toMatchObject({ count: 3, lookedAt: 4, of: 4 });
  expect(found.examples.map(({ target, finding }) => [target, finding.code])).toEqual([
    [null, "target-null"],
    ["/data/one.nc", "target-is-local"],
    ["hdfs://x/three.nc", "target-scheme-unsupported"],
  ]);
  const files = { kind: "files", files: [{ path: "one.nc", blob: new Blob(["x"]) }] } as const;
  await engine.call(
    "set.locate",
    { set: id, locations: { ...NO_LOCATIONS, target: "https://h.example/null.nc" }, files },
    context(),
  );
  expect(await engine.call("set.unreadable", { set: id }, context())).toMatchObject({
    count: 1,
    examples: [{ target: "hdfs://x/three.nc" }],
  });
  expect(asked).toEqual([]);
});
