import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { createEngine } from "../engine.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

it("rows are given only of a list that is still kept", async () => {
  const engine = createEngine();
  const source = { kind: "text", text: '{"version":1,"refs":{"a":"x"}}', name: "set.json" } as const;
  const opened = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (opened.kind !== "set") throw new Error("no set");
  const set = opened.set.id;
  const { view } = await engine.call("table.view", { set, spec: { scope: "", filter: {} } }, CONTEXT);
  const rows = () => engine.call("table.rows", { set, view, from: 0, to: 1 }, CONTEXT);
  expect((await rows()).rows).toHaveLength(1);
  await engine.call("table.closeView", { set, view }, CONTEXT);
  await expect(rows()).rejects.toMatchObject({ code: "view-closed" });
});
