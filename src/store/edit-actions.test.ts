import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SetSummary } from "../core/open-set.ts";
import type { EditAnswer } from "../core/studio.ts";
import type { Operation, Request } from "../worker/protocol.ts";
import { createApp } from "./app-store.ts";
import { inTheWay, type EditKeeper, type KeptEdit } from "./kept-edits.ts";
import { clientOf } from "./testing/held-engine.ts";
import { summaryOf } from "./testing/set-summary.ts";

const answerOf = (set: SetSummary | undefined): EditAnswer => ({
  set,
  diagnostics: [],
  changes: { added: 0, removed: 0, changed: 0 },
  references: 4,
  milliseconds: 1,
  refused: undefined,
  parts: { templates: 0, gens: 0, refs: 4 },
});

/**
 * An engine whose drafts count up from 10; texts that begin with "bad" cannot be read, of "slow" ones rendering is
 * cancelled.
 */
function engine() {
  const closed: number[] = [];
  const edited: string[] = [];
  const shown: unknown[] = [];
  let next = 10;
  const answers: Partial<Record<Operation, (request: never) => unknown>> = {
    "set.open": () => ({ kind: "set", set: summaryOf(1, "https://h/a.json") }),
    "set.close": ({ set }: Request<"set.close">) => void closed.push(set),
    "edit.source": () => ({ kind: "whole", text: "{}", kept: 0, documentId: "a" }),
    "edit.render": ({ text, shown: last }: Request<"edit.render">) => {
      edited.push(text);
      if (text.startsWith("bad")) return answerOf(undefined);
      if (text.startsWith("slow")) throw new DOMException("Cancelled by the user.", "AbortError");
      next += 1;
      const refused = text.startsWith("refused") ? "fsspec refuses the whole set" : undefined;
      shown.push(last);
      return { ...answerOf(summaryOf(next, "https://h/a.json")), refused };
    },
    "edit.javascriptDocument": () => ({ unavailable: "not here" }),
  };
  const call = (operation: Operation, request: never) => Promise.resolve().then(() => answers[operation]?.(request));
  const client = clientOf(call);
  return { client, closed, edited, shown };
}

function memoryKeeper(...first: readonly KeptEdit[]): EditKeeper & { readonly kept: Map<string, KeptEdit> } {
  const kept = new Map(first.map((edit) => [edit.documentId, edit]));
  return {
    kept,
    get: (id) => Promise.resolve(kept.get(id)),
    put(edit, known) {
      const found = inTheWay(kept.get(edit.documentId), known);
      if (found === undefined) kept.set(edit.documentId, edit);
      return Promise.resolve(found);
    },
    remove(id, known) {
      const found = inTheWay(kept.get(id), known);
      if (found === undefined) kept.delete(id);
      return Promise.resolve(found);
    },
    list: () => Promise.resolve([...kept.values()]),
  };
}

const KEPT: KeptEdit = {
  documentId: "a",
  name: "a.json",
  url: "https://h/a.json",
  choice: undefined,
  text: "",
  edits: [],
  original: undefined,
  when: 1,
};

/** Typing has come to rest, and what it caused is done. */
const settled = () => vi.advanceTimersByTimeAsync(450);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function editing(keeper = memoryKeeper()) {
  const { client, closed, edited, shown } = engine();
  const app = createApp(client, keeper);
  await app.actions.open({ kind: "url", url: "https://h/a.json" });
  await app.actions.beginEdit();
  await settled();
  return { app, keeper, closed, edited, shown, edit: () => app.store.getState().edit };
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

  it("asks with the edition that is shown, whose readings may still hold", async () => {
    const { app, shown } = await editing();
    app.actions.setText('{"a": 1}');
    await settled();
    expect(shown).toEqual([1, 11]);
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

  it("keeps the last result where rendering is cancelled, and says so", async () => {
    const { app, edit } = await editing();
    app.actions.setText("slow");
    await settled();
    expect(app.store.getState().set?.id).toBe(11);
    expect(edit()).toMatchObject({ rendering: false, error: { code: "render-cancelled" } });
  });

  it("keeps the last sound result while fsspec refuses the text, and closes what it made of it", async () => {
    const { app, closed, edit } = await editing();
    app.actions.setText("refused");
    await settled();
    expect(app.store.getState().set?.id).toBe(11);
    expect(edit()?.answer).toMatchObject({ set: undefined, refused: "fsspec refuses the whole set" });
    expect(closed).toEqual([12]);
    app.actions.setText("{ }");
    await settled();
    expect(app.store.getState().set?.id).toBe(13);
    expect(closed).toEqual([12, 11]);
  });

  it("shows what could be made of a text that was refused from the beginning", async () => {
    const { app, edit } = await editing(memoryKeeper({ ...KEPT, text: "refused" }));
    expect(app.store.getState().set?.id).toBe(11);
    expect(edit()?.answer?.set?.id).toBe(11);
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
    const { app, keeper, edited, edit } = await editing(memoryKeeper({ ...KEPT, text: "from before" }));
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

  it("says so where another window has kept edits of the same document, and writes over neither unasked", async () => {
    const { app, keeper, edit } = await editing();
    const theirs = { ...KEPT, text: "theirs", when: 5, writer: "another window" };
    keeper.kept.set("a", theirs);
    app.actions.setText("mine");
    await settled();
    expect(keeper.kept.get("a")).toBe(theirs);
    expect(edit()).toMatchObject({ kept: "conflict", text: "mine", theirs });
    app.actions.setText("mine, and more");
    await settled();
    expect(keeper.kept.get("a")).toBe(theirs);
    await app.actions.keepMine();
    expect(keeper.kept.get("a")?.text).toBe("mine, and more");
    expect(edit()).toMatchObject({ kept: "kept", theirs: undefined });
    app.actions.setText("mine once more");
    await settled();
    expect(keeper.kept.get("a")?.text).toBe("mine once more");
  });

  it("takes the other window's edits when asked to", async () => {
    const { app, keeper, edit } = await editing();
    keeper.kept.set("a", { ...KEPT, text: "theirs", when: 5 });
    app.actions.setText("mine");
    await settled();
    app.actions.takeTheirs();
    await settled();
    expect(edit()).toMatchObject({ text: "theirs", kept: "kept", theirs: undefined });
    expect(keeper.kept.get("a")?.text).toBe("theirs");
  });

  it("discards its own edits only", async () => {
    const { app, keeper, edit } = await editing();
    keeper.kept.set("a", { ...KEPT, text: "theirs", when: 5 });
    app.actions.setText("mine");
    await settled();
    await app.actions.discardEdits();
    expect(keeper.kept.get("a")?.text).toBe("theirs");
    expect(edit()).toMatchObject({ text: "{}", kept: "nothing", theirs: undefined });
  });

  it("begins without what is kept where the browser does not say", async () => {
    const { edit } = await editing({ ...memoryKeeper(), get: () => Promise.reject(new Error("no answer")) });
    expect(edit()).toMatchObject({ text: "{}", kept: "failed" });
  });
});
