import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { TableEdit, TextEdit } from "../core/studio.ts";
import type { Client } from "../worker/client.ts";
import type { Request } from "../worker/protocol.ts";
import { applyActions, canUndoApplied, readApplied } from "./apply-edits.ts";
import type { AppState, EditState } from "./state.ts";
import type { TaskRunner } from "./tasks.ts";

/** An engine for which each set-reference replaces the key's name by its value wherever it stands. */
function engine(): Client {
  const textEdits = ({ text, edit }: Request<"edit.textEdits">): readonly TextEdit[] => {
    if (edit.kind !== "set-reference") return [];
    const places = [...text.matchAll(new RegExp(edit.key.replaceAll(".", String.raw`\.`), "g"))];
    return places.map(({ index }) => ({ start: index, end: index + edit.key.length, text: edit.value }));
  };
  return { call: (_: string, request: never) => Promise.resolve(textEdits(request)) } as unknown as Client;
}

const tasks = {
  run: (_key: string, _label: string, work: (options: object) => Promise<unknown>) => work({}),
} as unknown as TaskRunner;

function setUp(kind: "whole" | "reduced", text: string) {
  const edit = { source: { kind }, text, edits: [], undone: [], generation: 3 } as unknown as EditState;
  const store = createStore<AppState>(() => ({ edit: undefined }) as unknown as AppState);
  const begin = () => {
    if (store.getState().edit === undefined) store.setState({ edit });
    return Promise.resolve();
  };
  const change = (part: Partial<EditState>) => store.setState({ edit: { ...store.getState().edit!, ...part } });
  return {
    store,
    now: () => store.getState().edit!,
    ...applyActions({ engine: engine(), store, tasks }, begin, change),
  };
}

const about = { label: "Mend it", array: "a", chunks: [{ coordinates: [0] }] };
const set = (key: string, value: string): TableEdit => ({ kind: "set-reference", key, value });

describe("applying edits from outside the editor", () => {
  it("begins editing, changes the text in all places as one step, and takes that back", async () => {
    const { now, applyEdits, undoApplied } = setUp("whole", "k1 k2 k1");
    await applyEdits([set("k1", "longer"), set("k2", "x")], about);
    expect(now()).toMatchObject({ text: "longer x longer", generation: 4, applied: about });
    expect(canUndoApplied(now())).toBe(true);
    undoApplied();
    expect(now()).toMatchObject({ text: "k1 k2 k1", generation: 5, applied: undefined });
  });

  it("replaces a prefix in the text and in the table of a large document", async () => {
    const { now, applyEdits } = setUp("reduced", "{{u}}");
    const replace = { kind: "replace-prefix", from: "a", to: "b" } as const;
    await applyEdits([replace], { ...about, chunks: [] });
    expect(now()).toMatchObject({ text: "{{u}}", edits: [replace] });
  });

  it("puts references of a large document into the table, its metadata into the text", async () => {
    const { now, applyEdits, undoApplied } = setUp("reduced", "a/.zarray");
    const shift = { kind: "shift-ranges", path: "a", shift: 4, lengthen: 0 } as const;
    await applyEdits([set("a/.zarray", "{}"), shift, set("a/0", "[]")], about);
    expect(now()).toMatchObject({ text: "{}", edits: [shift, set("a/0", "[]")] });
    undoApplied();
    expect(now()).toMatchObject({ text: "a/.zarray", edits: [] });
  });

  it("does not take back what was edited since", async () => {
    const { store, now, applyEdits, undoApplied } = setUp("whole", "k1");
    await applyEdits([set("k1", "x")], about);
    store.setState({ edit: { ...now(), text: "x and more" } });
    expect(canUndoApplied(now())).toBe(false);
    undoApplied();
    expect(now().text).toBe("x and more");
  });

  it("gives way to what is typed at the same time", async () => {
    const { store, now, applyEdits } = setUp("whole", "k1");
    const applying = applyEdits([set("k1", "x")], about);
    await Promise.resolve();
    store.setState({ edit: { ...now(), text: "k1, typed" } });
    await expect(applying).rejects.toMatchObject({ code: "edited-meanwhile" });
    expect(now().text).toBe("k1, typed");
  });

  it("says when nothing in the document is concerned", async () => {
    const { applyEdits } = setUp("whole", "k1");
    await expect(applyEdits([set("other", "x")], about)).rejects.toMatchObject({ code: "edit-without-effect" });
  });

  it("says when the document cannot be edited", async () => {
    const { store } = setUp("whole", "k1");
    const actions = applyActions(
      { engine: engine(), store, tasks },
      () => Promise.resolve(),
      () => undefined,
    );
    await expect(actions.applyEdits([set("k1", "x")], about)).rejects.toMatchObject({ code: "not-editable" });
  });
});

describe("what was applied", () => {
  /** The edited set 12 is shown; reading again answers as given. */
  function applied(answer: () => Promise<unknown>, more: Partial<EditState> = {}) {
    const calls: unknown[] = [];
    const after = { text: "x", edits: [] };
    const repair = { ...about, before: { text: "k1", edits: [] }, after };
    const edit = { ...after, answer: { set: { id: 12 } }, applied: repair, ...more } as unknown as EditState;
    const store = createStore<AppState>(() => ({ edit, set: { id: 12 } }) as unknown as AppState);
    const call = (operation: string, request: unknown) => {
      calls.push([operation, request]);
      return answer();
    };
    const engine = { call } as unknown as Client;
    return { calls, around: { engine, store, tasks }, again: () => store.getState().edit?.applied?.again };
  }

  it("is read in the edited set, and nothing is claimed before", async () => {
    const result = { read: 1, wrong: [] };
    const { around, calls, again } = applied(() => Promise.resolve(result));
    expect(again()).toBeUndefined();
    const reading = readApplied(around);
    expect(again()).toEqual({ kind: "reading" });
    await reading;
    expect(again()).toEqual({ kind: "read", result });
    expect(calls).toEqual([["repair.readAgain", { set: 12, array: "a", chunks: about.chunks }]]);
  });

  it("is not read where the document was edited since, and says when reading failed or was cancelled", async () => {
    const since = applied(() => Promise.resolve(undefined), { text: "x and more" });
    await readApplied(since.around);
    expect([since.calls, since.again()]).toEqual([[], undefined]);
    const failing = applied(() => Promise.reject(new Error("no network")));
    await readApplied(failing.around);
    expect(failing.again()).toMatchObject({ kind: "not-read", error: { facts: { message: "no network" } } });
    const cancelled = applied(() => Promise.reject(new DOMException("Cancelled by the user.", "AbortError")));
    await readApplied(cancelled.around);
    expect(cancelled.again()).toMatchObject({ kind: "not-read", error: { code: "read-again-cancelled" } });
  });
});
