import { describe, expect, it } from "vitest";
import { RefscopeError, targetAt, WHOLE_SET } from "../core/findings/finding.ts";
import { createApp, followAddress } from "./app-store.ts";
import type { PageCommand } from "./command-bus.ts";
import { heldEngine } from "./testing/held-engine.ts";
import { summaryOf } from "./testing/set-summary.ts";

const url = (name: string) => ({ kind: "url", url: `https://h/${name}` }) as const;

describe("opening", () => {
  it("shows what the address says, as far as it exists", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const following = followAddress(app, "#url=https://h/a.json&array=sst&chunk=1.1&view=chunks");
    calls[0]!.resolve({ kind: "set", set: summaryOf(1, "https://h/a.json") });
    await following;
    expect(app.store.getState()).toMatchObject({ node: "sst", chunk: [1, 1], view: "chunks" });
    await followAddress(app, "#url=https://h/a.json&array=nowhere&chunk=7");
    expect(app.store.getState()).toMatchObject({ node: "", chunk: undefined, view: "chunks" });
    expect(app.store.getState().addressFindings).toMatchObject([{ code: "address-no-array" }]);
    await followAddress(app, "#url=https://h/a.json&array=sst&chunk=7");
    expect(app.store.getState()).toMatchObject({ node: "sst", chunk: undefined });
    expect(app.store.getState().addressFindings).toMatchObject([{ code: "address-no-chunk" }]);
    expect(calls.filter(({ operation }) => operation === "set.open")).toHaveLength(1);
  });

  it("drops commands that wait for a view of the set that was open", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const asked: PageCommand[] = [];
    const rows = () => app.commands.receive("find-row", (command) => void asked.push(command))();
    for (const [at, name] of ["a.json", "b.json"].entries()) {
      const opening = app.actions.open(url(name));
      calls.findLast(({ operation }) => operation === "set.open")!.resolve({ kind: "set", set: summaryOf(at, name) });
      await opening;
      if (at === 0) app.commands.send({ kind: "find-row", node: "sst", key: "sst/9.9" });
    }
    rows();
    expect(asked).toEqual([]);
    app.commands.send({ kind: "find-row", node: "sst", key: "sst/9.9" });
    app.actions.selectNode("sst");
    rows();
    expect(asked).toHaveLength(1);
  });

  it("asks before it follows a link into a private network, once for a host", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const near = "http://192.168.1.1:8080/a.json";
    const page = "https://page.example/";
    await followAddress(app, `#url=${near}&array=sst`, page);
    expect(calls).toEqual([]);
    expect(app.store.getState().openError?.error).toMatchObject({
      code: "link-private-address",
      place: targetAt(near),
    });
    const again = app.actions.reopen();
    expect(calls[0]).toMatchObject({ operation: "set.open", request: { source: { kind: "url", url: near } } });
    calls[0]!.resolve({ kind: "set", set: summaryOf(1, near) });
    await again;
    expect(app.store.getState()).toMatchObject({ node: "sst", openError: undefined });
    void followAddress(app, "#url=http://192.168.1.1:8080/b.json", page);
    expect(calls.filter(({ operation }) => operation === "set.open")).toHaveLength(2);
    await followAddress(app, "#url=http://192.168.1.1:8081/b.json", page);
    expect(calls.filter(({ operation }) => operation === "set.open")).toHaveLength(2);
  });

  it("follows private links without asking on a page that is private itself, and where the user allows them", async () => {
    const near = "#url=http://localhost:8000/a.json";
    for (const page of ["http://127.0.0.1:5173/", undefined]) {
      const { client, calls } = heldEngine();
      void followAddress(createApp(client), near, page);
      expect(calls).toMatchObject([{ operation: "set.open" }]);
    }
    const { client, calls } = heldEngine();
    const app = createApp(client);
    await app.actions.setLocations({ ...app.store.getState().locations, allowPrivate: true });
    void followAddress(app, near, "https://page.example/");
    expect(calls).toMatchObject([{ operation: "set.open" }]);
  });

  it("asks for the groups that a link names, but not for a thousand levels of them", async () => {
    const { client, calls, last } = heldEngine();
    const app = createApp(client);
    void followAddress(app, "#url=https://h/s&array=a/b");
    expect(calls[0]?.request).toMatchObject({ paths: ["a", "a/b"] });
    const deep = `${"a/".repeat(1500)}x`;
    const following = followAddress(app, `#url=https://h/t&array=${deep}`);
    expect(last("set.open").request).toMatchObject({ paths: [] });
    last("set.open").resolve({ kind: "set", set: summaryOf(1, "https://h/t") });
    await following;
    const [finding] = app.store.getState().addressFindings;
    const place = { kind: "node", path: deep };
    expect(finding).toMatchObject({ code: "address-no-array", place, facts: { levels: 1501, limit: 32 } });
  });

  it("shows the view Sources, and its target", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const following = followAddress(app, "#url=https://h/a.json&view=sources");
    calls[0]!.resolve({ kind: "set", set: summaryOf(1, "https://h/a.json") });
    await following;
    expect(app.store.getState()).toMatchObject({ view: "sources", target: undefined, addressFindings: [] });
    app.actions.showView("chunks");
    await followAddress(app, "#url=https://h/a.json&array=sst&view=sources&target=s3://b/x%20y.nc");
    expect(app.store.getState()).toMatchObject({ view: "sources", node: "sst", target: "s3://b/x y.nc" });
    app.actions.selectChunk("sst", [0, 1]);
    expect(app.store.getState()).toMatchObject({ view: "sources", chunk: [0, 1] });
    app.actions.showTarget("s3://b/z.nc");
    expect(app.store.getState()).toMatchObject({ target: "s3://b/z.nc", chunk: undefined });
    app.actions.showInSources("sst", [2, 0]);
    expect(app.store.getState()).toMatchObject({ view: "sources", target: undefined, chunk: [2, 0] });
    app.actions.noteTarget("s3://b/y.nc");
    expect(app.store.getState()).toMatchObject({ target: "s3://b/y.nc", chunk: [2, 0] });
  });

  it("a place that says nothing of a dimension is on the slice that is shown", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const opening = app.actions.open(url("a.json"));
    const array = { ...summaryOf(1, "a.json").nodes[1]!, shape: [6, 4, 4], chunks: [2, 2, 2], grid: [3, 2, 2] };
    const set = { ...summaryOf(1, "a.json"), nodes: [array] };
    calls[0]!.resolve({ kind: "set", set });
    await opening;
    app.actions.selectNode("sst");
    const seen = new Map();
    app.actions.showPlace({ slice: { plane: { row: 1, column: 2, at: [5, 0, 0] }, seen, given: seen } });
    app.actions.goToPlace(array, new Map([[1, 3]]));
    expect(app.store.getState()).toMatchObject({ point: [5, 3, 0], chunk: [2, 1, 0] });
  });

  it("keeps what is open when the next set fails", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const first = app.actions.open(url("a"));
    calls[0]!.resolve({ kind: "set", set: summaryOf(1, "https://h/a") });
    await first;
    const second = app.actions.open(url("b"));
    calls[1]!.reject(new RefscopeError({ code: "document-empty", place: WHOLE_SET, facts: {}, count: 1 }));
    await second;
    expect(app.store.getState().set?.id).toBe(1);
    expect(app.store.getState().openError?.error.code).toBe("document-empty");
    expect(app.store.getState().tasks).toEqual([]);
    const again = app.actions.reopen();
    expect(calls[2]).toMatchObject({ operation: "set.open", request: { source: url("b") } });
    calls[2]!.resolve({ kind: "set", set: summaryOf(2, "https://h/b") });
    await again;
    expect(app.store.getState()).toMatchObject({ set: { id: 2 }, openError: undefined });
  });

  it("aborts the older of two, and only the newer counts", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const older = app.actions.open(url("a"));
    const newer = app.actions.open(url("b"));
    calls[1]!.resolve({ kind: "set", set: summaryOf(2, "https://h/b") });
    await Promise.all([older, newer]);
    expect(app.store.getState().set?.id).toBe(2);
    expect(app.store.getState().openError).toBeUndefined();
  });

  it("a cancelled opening is not an error", async () => {
    const { client } = heldEngine();
    const app = createApp(client);
    const opening = app.actions.open(url("a"));
    app.actions.cancel(app.store.getState().tasks[0]!.id);
    await opening;
    expect(app.store.getState()).toMatchObject({ openError: undefined, tasks: [] });
  });

  it("asks which of several sets, and opens the one chosen", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    const opening = app.actions.open(url("list"));
    calls[0]!.resolve({ kind: "choose", title: "15 sets", choices: [{ id: "3", label: "u", detail: "" }] });
    await opening;
    expect(app.store.getState().choosing?.choices).toHaveLength(1);
    const choosing = app.actions.choose("3");
    expect(calls[1]!.request).toMatchObject({ choice: "3", source: url("list") });
    calls[1]!.resolve({ kind: "set", set: summaryOf(1, "https://h/list") });
    await choosing;
    expect(app.store.getState().choosing).toBeUndefined();
  });

  it("closes the set before when a new one is there", async () => {
    const { client, calls } = heldEngine();
    const app = createApp(client);
    for (const [at, name] of ["a", "b"].entries()) {
      const opening = app.actions.open(url(name));
      calls
        .findLast(({ operation }) => operation === "set.open")!
        .resolve({ kind: "set", set: summaryOf(at + 1, name) });
      await opening;
    }
    expect(calls.at(-1)).toMatchObject({ operation: "set.close", request: { set: 1 } });
  });
});
