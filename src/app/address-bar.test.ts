import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { SetSummary } from "../core/open-set.ts";
import { formatAddress, parseAddress, type Address } from "../store/address.ts";
import { createApp } from "../store/app-store.ts";
import type { AppState } from "../store/state.ts";
import type { CallOptions, Client } from "../worker/client.ts";
import { addressOf, changesAddress, isStep, mirrorAddress } from "./use-shell.ts";
import { WHOLE_SET } from "../core/findings/fact.ts";

const SET = { id: 1, url: "https://a.example/x.json", choice: "3" } as SetSummary;
const STATE = {
  set: SET,
  node: "sst",
  chunk: [2, 0, 1],
  view: "chunks",
  openError: undefined,
} as unknown as AppState;

describe("the address of a state", () => {
  it("comes back as what was selected", () => {
    const address = addressOf(STATE);
    expect(parseAddress(formatAddress(address))).toEqual({
      url: SET.url,
      set: "3",
      array: "sst",
      chunk: [2, 0, 1],
      view: "chunks",
    });
  });

  it("has no URL for files, and is empty while nothing is open", () => {
    const fromFile = { ...SET, url: undefined, choice: undefined };
    expect(formatAddress(addressOf({ ...STATE, set: fromFile }))).toBe("#array=sst&chunk=2.0.1&view=chunks");
    expect(formatAddress(addressOf({ ...STATE, set: undefined }))).toBe("");
  });

  it("names the tab of the Chunk region that was chosen, where a chunk is shown", () => {
    expect(formatAddress(addressOf({ ...STATE, tab: "hex" }))).toMatch(/&view=chunks&tab=hex$/);
    expect(addressOf({ ...STATE, chunk: undefined, tab: "hex" })).not.toHaveProperty("tab");
  });
});

describe("when it is written", () => {
  it("is when the selection or the set changes, not while another set is being opened", () => {
    expect(changesAddress({ ...STATE, node: "u" }, STATE)).toBe(true);
    expect(changesAddress({ ...STATE, chunk: undefined }, STATE)).toBe(true);
    expect(changesAddress({ ...STATE, tab: "decode" }, STATE)).toBe(true);
    expect(changesAddress({ ...STATE, tasks: [{ id: 1, label: "Opening", progress: undefined }] }, STATE)).toBe(false);
    expect(changesAddress({ ...STATE, set: undefined }, STATE)).toBe(true);
  });

  it("names the open set again when opening another failed; keeps what was tried when nothing is open", () => {
    const openError = { name: "x", error: { code: "x", place: WHOLE_SET, facts: {}, count: 1 } };
    expect(changesAddress({ ...STATE, openError }, STATE)).toBe(true);
    const nothing = { ...STATE, set: undefined };
    expect(changesAddress({ ...nothing, openError }, nothing)).toBe(false);
  });
});

describe("what Back undoes", () => {
  const here = { url: "https://a.example/x.json", array: "sst", chunk: [2, 0, 1], view: "chunks" } as const;
  const step = (from: Address, to: Address, marks: readonly [unknown, unknown] = [null, null]) =>
    isStep({ address: from, mark: marks[0] }, { address: to, mark: marks[1] });

  it("is opening, closing, another array and another view", () => {
    expect(step({}, here)).toBe(true);
    expect(step(here, {})).toBe(true);
    expect(step(here, { ...here, url: "https://a.example/y.json" })).toBe(true);
    expect(step(here, { ...here, array: "u" })).toBe(true);
    expect(step(here, { ...here, view: "data" })).toBe(true);
    expect(step({ ...here, set: "1" }, { ...here, set: "2" })).toBe(true);
  });

  it("is not another chunk, nor what the address had left open", () => {
    expect(step(here, { ...here, chunk: [2, 0, 2] })).toBe(false);
    expect(step({ url: here.url }, { url: here.url, set: "3", array: "", view: "overview" })).toBe(false);
    expect(step({}, {})).toBe(false);
  });

  it("is another set without a URL, which only the mark tells apart", () => {
    const local = { array: "", view: "overview" } as const;
    expect(step(local, local, ["1", "2"])).toBe(true);
    expect(step(local, local, ["1", "1"])).toBe(false);
    expect(step(local, here)).toBe(true);
    expect(step({}, local, [null, "1"])).toBe(true);
  });
});

const ARRAY = { grid: [4, 4], shape: [40, 40], chunks: [10, 10] };
const NODES = ["", "sst", "u"].map((path) => ({ kind: path === "" ? "group" : "array", path, ...ARRAY }));
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** The parts of a browser that the address needs. */
function fakeBrowser(hash: string) {
  const entries: { hash: string; state: unknown }[] = [{ hash, state: null }];
  let at = 0;
  const listeners = new Set<() => void>();
  const hashOf = (address: string) => (address.startsWith("#") ? address : "");
  vi.stubGlobal("location", {
    pathname: "/",
    search: "",
    get hash() {
      return entries[at]!.hash;
    },
  });
  vi.stubGlobal("history", {
    get state() {
      return entries[at]!.state;
    },
    pushState: (state: unknown, _: string, address: string) => {
      entries.splice(at + 1, Infinity, { hash: hashOf(address), state });
      at += 1;
    },
    replaceState: (state: unknown, _: string, address: string) => {
      entries[at] = { hash: hashOf(address), state };
    },
  });
  vi.stubGlobal("window", {
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  });
  const go = async (steps: number) => {
    at += steps;
    for (const listener of listeners) listener();
    await settled();
  };
  return { go, hashes: () => entries.map((entry) => entry.hash), at: () => at };
}

interface OpenRequest {
  readonly source?: { readonly kind: string; readonly url?: string };
}

async function pageAt(hash: string) {
  const browser = fakeBrowser(hash);
  let sets = 0;
  const call = (operation: string, request: OpenRequest, { signal }: CallOptions = {}) => {
    if (operation !== "set.open") return Promise.resolve(undefined);
    if (request.source?.url?.endsWith("bad") === true) return Promise.reject(new Error("bad"));
    if (request.source?.url?.endsWith("slow") === true) {
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          reject(signal.reason);
        });
      });
    }
    sets += 1;
    return Promise.resolve({ kind: "set", set: { id: sets, url: request.source?.url, nodes: NODES, findings: [] } });
  };
  const app = createApp({ call, pending: 0, listen: () => undefined } as unknown as Client);
  const stop = mirrorAddress(app, () => undefined);
  onTestFinished(() => {
    stop();
    vi.unstubAllGlobals();
  });
  await settled();
  return { ...browser, app, actions: app.actions, state: () => app.store.getState() };
}

describe("Back and Forward", () => {
  const url = (name: string) => ({ kind: "url", url: `https://h/${name}` }) as const;
  const text = { kind: "text", name: "pasted", text: "{}" } as const;

  it("go through what was opened, selected and shown, and never write a step themselves", async () => {
    const page = await pageAt("");
    await page.actions.open(url("a"));
    await settled();
    page.actions.selectNode("sst");
    await settled();
    page.actions.selectChunk("sst", [0, 1]);
    page.actions.selectChunk("sst", [0, 2]);
    await settled();
    page.actions.showView("chunks");
    const hashes = page.hashes();
    expect(hashes).toHaveLength(4);
    await page.go(-1);
    expect(page.state()).toMatchObject({ node: "sst", chunk: [0, 2], view: "data" });
    await page.go(-1);
    expect(page.state()).toMatchObject({ node: "", chunk: undefined });
    await page.go(-1);
    expect(page.state().set).toBeUndefined();
    await page.go(3);
    expect(page.state()).toMatchObject({ set: { url: "https://h/a" }, node: "sst", chunk: [0, 2], view: "chunks" });
    expect(page.hashes()).toEqual(hashes);
  });

  it("take what one press changes as one step", async () => {
    const page = await pageAt("#url=https://h/a");
    expect(page.hashes()).toEqual(["#url=https://h/a&view=overview"]);
    page.actions.selectNode("u");
    page.actions.showView("chunks");
    expect(page.hashes()).toHaveLength(2);
    await page.go(-1);
    expect(page.state()).toMatchObject({ node: "", view: "overview" });
  });

  it("close a set without a URL, and do not take another one for it", async () => {
    const page = await pageAt("");
    await page.actions.open(text);
    await settled();
    page.actions.selectNode("sst");
    await page.go(-1);
    expect(page.state()).toMatchObject({ set: { id: 1 }, node: "" });
    await page.actions.open(text);
    await settled();
    await page.go(-1);
    expect(page.state().set).toBeUndefined();
    expect(page.hashes()[page.at()]).toBe("");
  });

  it("name the open set where another could not be opened", async () => {
    const page = await pageAt("#url=https://h/bad");
    expect(page.state().openError).toBeDefined();
    expect(page.hashes()).toEqual(["#url=https://h/bad"]);
    await page.actions.open(url("a"));
    await page.go(-1);
    expect(page.state()).toMatchObject({ set: { url: "https://h/a" }, openError: {} });
    expect(page.hashes()[0]).toBe("#url=https://h/a&view=overview");
  });

  it("name the open set where opening another was cancelled", async () => {
    const page = await pageAt("#url=https://h/slow");
    page.actions.cancel(page.state().tasks[0]!.id);
    await settled();
    expect(page.hashes()).toEqual(["#url=https://h/slow"]);
    await page.actions.open(url("a"));
    void page.go(-1);
    await settled();
    page.actions.cancel(page.state().tasks[0]!.id);
    await settled();
    expect(page.state()).toMatchObject({ set: { url: "https://h/a" }, tasks: [] });
    expect(page.hashes()[page.at()]).toBe("#url=https://h/a&view=overview");
  });

  it("lead to the slice and element that were looked at, which are written when they rest or are left", async () => {
    const page = await pageAt("#url=https://h/a&array=sst&view=data&slice=0,5:9");
    const slice = page.state().slice!;
    expect(slice.plane).toEqual({ row: undefined, column: 1, at: [0, 0] });
    for (const row of [6, 7]) {
      page.actions.showPlace({ slice: { ...slice, plane: { ...slice.plane, at: [row, 0] } }, point: [row, 6] });
    }
    const moved = page.state().slice;
    expect(page.hashes()).toEqual(["#url=https://h/a&array=sst&view=data&slice=0,5:9"]);
    page.actions.showView("chunks");
    expect(page.hashes()).toEqual([
      "#url=https://h/a&array=sst&view=data&slice=7,5:9&point=7,6",
      "#url=https://h/a&array=sst&view=chunks&point=7,6",
    ]);
    page.actions.showPlace({ point: [8, 6] });
    await vi.waitFor(() => expect(page.hashes()[1]).toMatch(/&point=8,6$/));
    await page.go(-1);
    expect(page.state()).toMatchObject({ view: "data", point: [7, 6] });
    expect(page.state().slice?.plane).toEqual(moved?.plane);
    page.actions.selectChunk("sst", [2, 0]);
    expect(page.state()).toMatchObject({ slice: { plane: { at: [20, 0] }, seen: moved?.seen }, point: [20, 6] });
    expect(page.hashes()[0]).toMatch(/chunk=2.0&view=data&slice=20,5:9&point=20,6$/);
  });
});
