import { describe, expect, it } from "vitest";
import type { SetSummary } from "../core/open-set.ts";
import { formatAddress, parseAddress } from "../store/address.ts";
import type { AppState } from "../store/state.ts";
import { addressOf, changesAddress } from "./address-bar.ts";

const SET = { id: 1, url: "https://a.example/x.json", choice: "3" } as SetSummary;
const STATE = {
  set: SET,
  node: "sst",
  chunk: [2, 0, 1],
  view: "manifest",
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
      view: "manifest",
    });
  });

  it("has no URL for files, and is empty while nothing is open", () => {
    const fromFile = { ...SET, url: undefined, choice: undefined };
    expect(formatAddress(addressOf({ ...STATE, set: fromFile }))).toBe("#array=sst&chunk=2.0.1&view=manifest");
    expect(formatAddress(addressOf({ ...STATE, set: undefined }))).toBe("");
  });
});

describe("when it is written", () => {
  it("is when the selection or the set changes, not while another set is being opened", () => {
    expect(changesAddress({ ...STATE, node: "u" }, STATE)).toBe(true);
    expect(changesAddress({ ...STATE, chunk: undefined }, STATE)).toBe(true);
    expect(changesAddress({ ...STATE, tasks: [{ id: 1, label: "Opening", progress: undefined }] }, STATE)).toBe(false);
    expect(changesAddress({ ...STATE, set: undefined }, STATE)).toBe(true);
  });

  it("names the open set again when opening another failed; keeps what was tried when nothing is open", () => {
    const openError = { name: "x", error: { code: "x", doing: "Opening" } };
    expect(changesAddress({ ...STATE, openError }, STATE)).toBe(true);
    const nothing = { ...STATE, set: undefined };
    expect(changesAddress({ ...nothing, openError }, nothing)).toBe(false);
  });
});
