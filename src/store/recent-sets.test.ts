import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { SetSummary } from "../core/open-set.ts";
import { forgetAllRecentSets, forgetRecentSet, recentOf, recentSets, rememberRecentSets } from "./recent-sets.ts";
import type { AppState } from "./state.ts";

const summary = (url: string | undefined, name = "a.json") =>
  ({ name, url, choice: undefined, format: "Kerchunk JSON" }) as SetSummary;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("recent sets", () => {
  it("are those opened by address, the latest first, each once", () => {
    const store = createStore<AppState>(() => ({ set: undefined, opened: 0 }) as AppState);
    rememberRecentSets(store);
    const open = (url: string | undefined, opened: number) => store.setState({ set: summary(url), opened });
    open("https://example.org/a.json", 1);
    open("https://example.org/b.json", 2);
    open(undefined, 3);
    open("https://example.org/a.json", 4);
    store.setState({ set: summary("https://example.org/edited.json") });
    expect(recentSets().map(({ url }) => url)).toEqual(["https://example.org/a.json", "https://example.org/b.json"]);
  });

  it("never keep an address with a credential in it", () => {
    for (const url of [
      "https://me:secret@example.org/a.json",
      "https://example.org/a.json?X-Amz-Signature=1",
      "https://example.org/a.json?sv=2022&sig=1",
      "https://example.org/a.json?access_token=1",
    ]) {
      expect(recentOf(summary(url), 0)).toBeUndefined();
    }
    expect(recentOf(summary("https://example.org/a.json?version=2"), 0)).toBeDefined();
  });

  it("are forgotten one by one, and all", () => {
    const sets = ["a", "b", "c"].map((name) => recentOf(summary(`https://example.org/${name}`), 1));
    localStorage.setItem("refscope.recent.1", JSON.stringify({ sets }));
    const [first] = recentSets();
    if (first !== undefined) forgetRecentSet(first);
    expect(recentSets().map(({ url }) => url)).toEqual(["https://example.org/b", "https://example.org/c"]);
    forgetAllRecentSets();
    expect(recentSets()).toEqual([]);
  });

  it("leave out what cannot be understood", () => {
    localStorage.setItem("refscope.recent.1", JSON.stringify({ sets: [1, null, { name: "a", url: 2 }, { url: "x" }] }));
    expect(recentSets()).toEqual([]);
    localStorage.setItem("refscope.recent.1", "no JSON");
    expect(recentSets()).toEqual([]);
  });
});
