import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { SetSummary } from "../core/open-set.ts";
import { applyOwnerFiles, ownerActions } from "./owner-files.ts";
import { type AppState, NOTHING_WRITTEN } from "./state.ts";

const PLACE = "refscope.owner.1";
const KNOWN = { code: "chunks-missing", array: "sst", reason: "not delivered", date: "2026-11-23" };

let room = Infinity;
beforeEach(() => {
  const kept = new Map<string, string>();
  room = Infinity;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function visit() {
  const store = createStore<AppState>(() => ({ set: undefined, opened: 0, owner: NOTHING_WRITTEN }) as AppState);
  applyOwnerFiles(store);
  const open = async (url: string | undefined) => {
    store.setState({ set: { url, choice: undefined } as SetSummary, opened: store.getState().opened + 1 });
    await vi.dynamicImportSettled();
  };
  return { store, open, actions: ownerActions(store), owner: () => store.getState().owner };
}

describe("what the owner of a set wrote down", () => {
  it("is there again when the set is opened again, and at no other", async () => {
    const first = visit();
    await first.open("https://example.org/a.json");
    first.actions.expect({ name: "a.expected.json", text: "{" });
    first.actions.setAside(KNOWN);
    expect(first.owner()).toMatchObject({ kept: "kept", restored: false });
    const second = visit();
    await second.open("https://example.org/b.json");
    expect(second.owner()).toEqual(NOTHING_WRITTEN);
    await second.open("https://example.org/a.json");
    // Text that cannot be read is the user's all the same.
    expect(second.owner()).toEqual({
      expectation: { name: "a.expected.json", text: "{" },
      accepted: [KNOWN],
      kept: "kept",
      restored: true,
    });
    const [known] = second.owner().accepted;
    if (known !== undefined) second.actions.bringBack(known);
    second.actions.expect(undefined);
    expect(second.owner()).toEqual(NOTHING_WRITTEN);
    expect(localStorage.getItem(PLACE)).toBe('{"sets":[]}');
  });

  it("stays with the set while that is edited", async () => {
    const { store, open, actions, owner } = visit();
    await open("https://example.org/a.json");
    actions.setAside(KNOWN);
    store.setState({
      set: { url: undefined } as SetSummary,
      edit: { base: { url: "https://example.org/a.json" } } as NonNullable<AppState["edit"]>,
    });
    expect(owner().accepted).toEqual([KNOWN]);
    actions.acceptNothing();
    expect(localStorage.getItem(PLACE)).toBe('{"sets":[]}');
  });

  it("is not kept without an address, with a credential in it, or without room", async () => {
    const { open, actions, owner } = visit();
    for (const url of [undefined, "https://example.org/a.json?X-Amz-Signature=1"]) {
      await open(url);
      actions.setAside(KNOWN);
      expect(owner()).toMatchObject({ kept: "no-address", accepted: [KNOWN] });
    }
    expect(localStorage.getItem(PLACE)).toBe(null);
    await open("https://example.org/a.json");
    actions.expect({ name: "large.json", text: "x".repeat(1_100_000) });
    expect(owner().kept).toBe("no-room");
    room = 10;
    actions.expect({ name: "small.json", text: "{}" });
    expect(owner().kept).toBe("no-room");
  });

  it("gives way to what was written later, where there is not room for all", async () => {
    const { open, actions, owner } = visit();
    for (const name of ["a", "b", "c"]) {
      await open(`https://example.org/${name}.json`);
      actions.expect({ name, text: "x".repeat(450_000) });
      expect(owner().kept).toBe("kept");
    }
    await open("https://example.org/a.json");
    expect(owner().expectation).toBeUndefined();
    await open("https://example.org/b.json");
    expect(owner().expectation?.name).toBe("b");
  });

  it("takes a file's acceptances beside those that there are, and one in another's place", async () => {
    const { open, actions, owner } = visit();
    await open("https://example.org/a.json");
    actions.setAside(KNOWN);
    const other = { ...KNOWN, array: "ice" };
    expect(actions.acceptAll([{ ...KNOWN }, other])).toBe(1);
    expect(owner().accepted).toEqual([KNOWN, other]);
    const larger = { ...KNOWN, affected: 9 };
    actions.setAside(larger, owner().accepted[0]);
    expect(owner().accepted).toEqual([other, larger]);
  });

  it("is nothing where what is stored cannot be understood", async () => {
    for (const stored of ["no JSON", "[]", '{"sets": [1, {"address": 3}]}']) {
      localStorage.setItem(PLACE, stored);
      const { open, owner } = visit();
      await open("https://example.org/a.json");
      expect(owner()).toEqual(NOTHING_WRITTEN);
    }
    const address = JSON.stringify(["https://example.org/a.json", ""]);
    localStorage.setItem(PLACE, JSON.stringify({ sets: [{ address, expectation: "x", accepted: [{ code: 1 }] }] }));
    const { open, owner } = visit();
    await open("https://example.org/a.json");
    expect(owner()).toMatchObject({ expectation: undefined, accepted: [] });
  });
});
