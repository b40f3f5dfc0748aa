import { describe, expect, it } from "vitest";
import { RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import type { NodeSummary, SetSummary } from "../core/open-set.ts";
import { SOME_WORDS } from "../core/testing/format-words.ts";
import type { SnapshotChanges } from "../core/repository.ts";
import { createApp, followAddress } from "./app-store.ts";
import { historyActions } from "./history-actions.ts";
import { heldEngine } from "./testing/held-engine.ts";

const REPO = "https://h/repo";

const array = (path: string, grid: readonly number[]): NodeSummary => ({
  kind: "array",
  path,
  name: path,
  shape: grid.map((count) => count * 2),
  chunks: grid.map(() => 2),
  grid,
});

/** A snapshot of a repository, or with `ref` absent and `repository` false any set. */
function summary(id: number, nodes: readonly NodeSummary[], ref?: string, isRepository = true): SetSummary {
  const states = { missing: 0, inline: 0, whole: 0, range: 0, native: 0, bad: 0, unknown: 0, virtual: 0 };
  const counts = { bytesReceived: 1, documentBytes: 1, references: 4, metadataKeys: 1, chunkReferences: 3, arrays: 1 };
  const sizes = { groups: 0, bytesReferenced: 0, targets: 0, tableBytes: 0, openMilliseconds: 1, isCounted: true };
  const shown = { kind: "branch", name: "main", snapshot: "S" } as const;
  const about = {
    id,
    name: "repo",
    url: REPO,
    choice: undefined,
    format: "Icechunk",
    isDocument: false,
    words: SOME_WORDS,
    revision: 0,
    states,
  };
  return {
    ...about,
    ...counts,
    ...sizes,
    recognised: { kind: "references" },
    ...(ref === undefined ? {} : { ref }),
    ...(isRepository ? { repository: { format: "2", shown } } : {}),
    nodes: [{ kind: "group", path: "", name: "/" }, ...nodes],
    findings: [],
    coverage: [],
  };
}

/** With the repository open at main, `sst` selected. */
async function opened(hash = `#url=${REPO}&array=sst&chunk=1.1&view=history`) {
  const { client, calls, last } = heldEngine();
  const app = createApp(client);
  const opening = followAddress(app, hash);
  last("set.open").resolve({ kind: "set", set: summary(1, [array("sst", [2, 2])]) });
  await opening;
  return { app, calls, last, state: () => app.store.getState() };
}

const PICKED = { id: "A", message: "first" };

const CHANGES: SnapshotChanges = {
  from: "A",
  to: "B",
  method: "logs",
  because: { kind: "as-asked" },
  uncompared: 0,
  nodes: [],
  arrays: [],
  findings: [],
};

/** Waits for everything that the actions await. */
const settled = () => new Promise((done) => setTimeout(done));

describe("opening another snapshot", () => {
  it("keeps view, array and chunk, and what belongs to the repository", async () => {
    const { app, last, state } = await opened();
    historyActions(app).chooseHistory({ from: PICKED });
    const before = state().opened;
    const opening = app.actions.openRef("tag:v1");
    expect(last("set.open").request).toMatchObject({ source: { kind: "url", url: REPO }, ref: "tag:v1" });
    last("set.open").resolve({ kind: "set", set: summary(2, [array("sst", [3, 2])], "tag:v1") });
    await opening;
    expect(state()).toMatchObject({ set: { id: 2, ref: "tag:v1" }, node: "sst", chunk: [1, 1], view: "history" });
    expect(state()).toMatchObject({ opened: before, history: { from: PICKED }, addressFindings: [] });
    expect(last("set.close").request).toEqual({ set: 1 });
  });

  it("keeps the slice and the point that Data shows", async () => {
    const { app, last, state } = await opened(`#url=${REPO}&array=sst&slice=0:2,:&point=1,3&values=raw&view=data`);
    const { slice, point } = state();
    expect(point).toEqual([1, 3]);
    const opening = app.actions.openRef("tag:v1");
    last("set.open").resolve({ kind: "set", set: summary(2, [array("sst", [2, 2])], "tag:v1") });
    await opening;
    expect(state()).toMatchObject({ set: { id: 2 }, view: "data", slice, point, rawValues: true });
  });

  it("says which array or chunk is not there, in words for snapshots", async () => {
    const { app, last, state } = await opened();
    const smaller = app.actions.openRef("tag:v1");
    last("set.open").resolve({ kind: "set", set: summary(2, [array("sst", [1, 2])], "tag:v1") });
    await smaller;
    expect(state()).toMatchObject({ node: "sst", chunk: undefined });
    expect(state().addressFindings).toMatchObject([
      { code: "address-no-chunk", place: { path: "sst" }, facts: { before: "snapshot", chunk: [1, 1], grid: [1, 2] } },
    ]);
    const without = app.actions.openRef("snapshot:OLD");
    last("set.open").resolve({ kind: "set", set: summary(3, [array("other", [1])], "snapshot:OLD") });
    await without;
    expect(state()).toMatchObject({ node: "", chunk: undefined, view: "history" });
    expect(state().addressFindings).toMatchObject([
      { code: "address-no-array", facts: { before: "snapshot", path: "sst", node: "array" } },
    ]);
  });

  it("that is not there leaves the open one, and may be tried again", async () => {
    const { app, last, state } = await opened();
    const opening = app.actions.openRef("nowhere");
    last("set.open").reject(new RefscopeError({ code: "icechunk-ref-missing", place: WHOLE_SET, facts: {}, count: 1 }));
    await opening;
    expect(state()).toMatchObject({ set: { id: 1 }, node: "sst", chunk: [1, 1], view: "history" });
    expect(state().openError).toMatchObject({
      error: { code: "icechunk-ref-missing" },
      attempt: { at: { ref: "nowhere" } },
    });
  });

  it("by the address, as Back does it: with what that address selects", async () => {
    const { app, calls, last, state } = await opened();
    const there = followAddress(app, `#url=${REPO}&ref=branch:dev&array=sst&view=chunks`);
    expect(last("set.open").request).toMatchObject({ ref: "branch:dev" });
    last("set.open").resolve({ kind: "set", set: summary(2, [array("sst", [2, 2])], "branch:dev") });
    await there;
    expect(state()).toMatchObject({ set: { ref: "branch:dev" }, node: "sst", chunk: undefined, view: "chunks" });
    const opens = () => calls.filter(({ operation }) => operation === "set.open").length;
    await followAddress(app, `#url=${REPO}&ref=branch:dev&array=sst&chunk=0.1`);
    expect(opens()).toBe(2);
    const back = followAddress(app, `#url=${REPO}&array=sst&chunk=1.1&view=history`);
    expect(opens()).toBe(3);
    expect(last("set.open").request).not.toHaveProperty("ref");
    last("set.open").resolve({ kind: "set", set: summary(3, [array("sst", [2, 2])]) });
    await back;
    expect(state()).toMatchObject({ chunk: [1, 1], view: "history" });
  });

  it("of a dropped repository, whose address has no URL", async () => {
    const { client, last } = heldEngine();
    const app = createApp(client);
    const source = { kind: "files", files: [] } as const;
    const { url: _, ...dropped } = summary(1, [array("sst", [2, 2])]);
    const opening = app.actions.open(source);
    last("set.open").resolve({ kind: "set", set: { ...dropped, url: undefined } });
    await opening;
    const there = followAddress(app, "#ref=branch:dev&array=sst&view=history");
    expect(last("set.open").request).toMatchObject({ source, ref: "branch:dev" });
    last("set.open").resolve({ kind: "set", set: { ...dropped, id: 2, url: undefined, ref: "branch:dev" } });
    await there;
    expect(app.store.getState()).toMatchObject({ set: { id: 2 }, node: "sst", view: "history", opened: 1 });
  });
});

describe("a set that is not a repository", () => {
  it("has no view History, and forgets that of the one before", async () => {
    const { app, last, state } = await opened();
    historyActions(app).chooseHistory({ from: PICKED });
    const before = state().opened;
    const opening = followAddress(app, "#url=https://h/other&view=history");
    last("set.open").resolve({ kind: "set", set: { ...summary(2, [], undefined, false), url: "https://h/other" } });
    await opening;
    expect(state()).toMatchObject({ view: "overview", opened: before + 1, history: { from: undefined } });
    await followAddress(app, "#url=https://h/other&view=history");
    expect(state().view).toBe("overview");
  });
});

describe("comparing two snapshots", () => {
  const asked = { from: "A", to: "B", method: "auto" } as const;

  it("reaches the map of the grid, and is forgotten with the set", async () => {
    const { app, last, state } = await opened();
    void historyActions(app).compareSnapshots(asked);
    expect(state()).toMatchObject({ comparison: undefined, history: { asked } });
    expect(state().tasks).toHaveLength(1);
    last("repository.compare").resolve(CHANGES);
    await settled();
    expect(state()).toMatchObject({ comparison: CHANGES, tasks: [] });
    const opening = app.actions.openRef("tag:v1");
    last("set.open").resolve({ kind: "set", set: summary(2, [], "tag:v1") });
    await opening;
    expect(state()).toMatchObject({ comparison: undefined, history: { asked } });
  });

  it("drops what a newer one overtook", async () => {
    const { app, calls, last, state } = await opened();
    void historyActions(app).compareSnapshots(asked);
    void historyActions(app).compareSnapshots({ from: "B", to: "A", method: "auto" });
    calls.find(({ operation }) => operation === "repository.compare")!.resolve(CHANGES);
    await settled();
    expect(state()).toMatchObject({ comparison: undefined, history: { asked: { from: "B" }, failed: undefined } });
    last("repository.compare").resolve({ ...CHANGES, from: "B", to: "A" });
    await settled();
    expect(state().comparison).toMatchObject({ from: "B" });
  });

  it("cancelled asks nothing any more; failed says why", async () => {
    const { app, last, state } = await opened();
    void historyActions(app).compareSnapshots(asked);
    app.actions.cancel(state().tasks[0]!.id);
    await settled();
    expect(state()).toMatchObject({ comparison: undefined, history: { asked: undefined, failed: undefined } });
    void historyActions(app).compareSnapshots(asked);
    last("repository.compare").reject(
      new RefscopeError({ code: "icechunk-object-missing", place: WHOLE_SET, facts: {}, count: 1 }),
    );
    await settled();
    expect(state().history).toMatchObject({ asked, failed: { code: "icechunk-object-missing" } });
    historyActions(app).closeComparison();
    expect(state().history).toMatchObject({ asked: undefined, failed: undefined });
  });
});
