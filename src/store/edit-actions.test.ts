import { describe, expect, it, vi } from "vitest";
import type { SetSummary } from "../core/open-set.ts";
import type { EditAnswer } from "../core/studio.ts";
import type { Client } from "../worker/client.ts";
import type { Operation, Request } from "../worker/protocol.ts";
import { createApp } from "./app-store.ts";
import type { EditKeeper, KeptEdit } from "./kept-edits.ts";

const NO_STATES = { missing: 0, inline: 0, whole: 0, range: 0, native: 0, bad: 0, unknown: 0, virtual: 0 };

function summary(id: number): SetSummary {
  const node = { kind: "array", path: "sst", name: "sst", shape: [4], chunks: [2], grid: [2] } as const;
  const counts = { bytesReceived: 1, documentBytes: 1, references: 4, metadataKeys: 1, chunkReferences: 3, arrays: 1 };
  const sizes = { groups: 0, bytesReferenced: 0, targets: 0, tableBytes: 0, openMilliseconds: 1 };
  const about = {
    isDocument: true,
    revision: 0,
    id,
    name: "a.json",
    url: "https://h/a.json",
    choice: undefined,
    format: "x",
    states: NO_STATES,
  };
  return { ...about, ...counts, ...sizes, nodes: [{ kind: "group", path: "", name: "/" }, node], findings: [] };
}

const answerOf = (set: SetSummary | undefined): EditAnswer => ({
  set,
  diagnostics: [],
  changes: { added: 0, removed: 0, changed: 0 },
  references: 4,
  milliseconds: 1,
  refused: undefined,
  parts: { templates: 0, gens: 0, refs: 4 },
});

/** An engine whose drafts count up from 10; texts that begin with "bad" cannot be read. */
function engine() {
  const closed: number[] = [];
  const edited: string[] = [];
  let next = 10;
  const answers: Partial<Record<Operation, (request: never) => unknown>> = {
    "set.open": () => ({ kind: "set", set: summary(1) }),
    "set.close": ({ set }: Request<"set.close">) => void closed.push(set),
    "edit.source": () => ({ kind: "whole", text: "{}", kept: 0, documentId: "a" }),
    "edit.render": ({ text }: Request<"edit.render">) => {
      edited.push(text);
      if (text.startsWith("bad")) return answerOf(undefined);
      next += 1;
      return answerOf(summary(next));
    },
    "edit.javascriptDocument": () => ({ unavailable: "not here" }),
  };
  const call = (operation: Operation, request: never) => Promise.resolve(answers[operation]?.(request));
  const client = {
    call,
    pending: 0,
    onPending: () => undefined,
    listen: () => undefined,
    fail: () => undefined,
  } as unknown as Client;
  return { client, closed, edited };
}

function memoryKeeper(...first: readonly KeptEdit[]): EditKeeper & { readonly kept: Map<string, KeptEdit> } {
  const kept = new Map(first.map((edit) => [edit.documentId, edit]));
  return {
    kept,
    get: (id) => Promise.resolve(kept.get(id)),
    put: (edit) => Promise.resolve(void kept.set(edit.documentId, edit)),
    remove: (id) => Promise.resolve(void kept.delete(id)),
    list: () => Promise.resolve([...kept.values()]),
  };
}

const settled = () => vi.waitFor(() => undefined, { timeout: 10 }).then(() => new Promise((go) => setTimeout(go, 450)));

async function editing(keeper = memoryKeeper()) {
  const { client, closed, edited } = engine();
  const app = createApp(client, keeper);
  await app.actions.open({ kind: "url", url: "https://h/a.json" });
  await app.actions.beginEdit();
  await settled();
  return { app, keeper, closed, edited, edit: () => app.store.getState().edit };
}

describe("editing", () => {
  it("shows the edited set in place of the opened one, and keeps that to compare with", async () => {
    const { app, closed, edit } = await editing();
    expect(app.store.getState().set?.id).toBe(11);
    expect(edit()?.base.id).toBe(1);
    app.actions.setText('{"a": 1}');
    await settled();
    expect(app.store.getState().set?.id).toBe(12);
    expect(closed).toEqual([11]);
  });

  it("renders the newest text only, when typing has come to rest", async () => {
    const { app, edited } = await editing();
    for (const text of ["1", "12", "123"]) app.actions.setText(text);
    await settled();
    expect(edited).toEqual(["{}", "123"]);
  });

  it("keeps the last result while the text cannot be read", async () => {
    const { app, edit } = await editing();
    app.actions.setText("bad");
    await settled();
    expect(app.store.getState().set?.id).toBe(11);
    expect(edit()?.answer?.set).toBeUndefined();
    expect(edit()?.answered).toBe("bad");
  });

  it("keeps edits in the browser, also when something else is opened at once", async () => {
    const { app, keeper, closed } = await editing();
    app.actions.setText('{"kept": 1}');
    await app.actions.open({ kind: "url", url: "https://h/b.json" });
    await settled();
    expect(keeper.kept.get("a")?.text).toBe('{"kept": 1}');
    expect(app.store.getState().edit).toBeUndefined();
    expect(closed).toEqual(expect.arrayContaining([1, 11]));
  });

  it("takes up edits from before, and forgets them when they are discarded", async () => {
    const before: KeptEdit = {
      documentId: "a",
      name: "a.json",
      url: "https://h/a.json",
      choice: undefined,
      text: "from before",
      edits: [],
      original: undefined,
      when: 1,
    };
    const { app, keeper, edited, edit } = await editing(memoryKeeper(before));
    expect(edited).toEqual(["from before"]);
    expect(edit()).toMatchObject({ restored: true, kept: "kept" });
    await app.actions.discardEdits();
    await settled();
    expect(edit()).toMatchObject({ text: "{}", kept: "nothing" });
    expect(keeper.kept.size).toBe(0);
  });

  it("undoes and redoes edits of the table", async () => {
    const { app, edit } = await editing();
    const remove = { kind: "remove-reference", key: "k" } as const;
    app.actions.editTable(remove);
    expect(edit()?.edits).toEqual([remove]);
    app.actions.undoTableEdit();
    expect(edit()).toMatchObject({ edits: [], undone: [remove] });
    app.actions.redoTableEdit();
    expect(edit()).toMatchObject({ edits: [remove], undone: [] });
  });

  it("says when the browser keeps nothing", async () => {
    const failing = { ...memoryKeeper(), put: () => Promise.reject(new Error("no room")) };
    const { app, edit } = await editing(failing);
    app.actions.setText("1");
    await settled();
    expect(edit()?.kept).toBe("failed");
  });
});
