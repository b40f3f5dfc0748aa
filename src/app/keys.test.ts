import { describe, expect, it } from "vitest";
import type { AppState } from "../store/state.ts";
import { availableCommands, chunkCommands, COMMANDS } from "./commands.ts";
import { commandOfKey, keyText } from "./keys.ts";

const press = (key: string, part = {}) => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, ...part });

describe("keys", () => {
  it("mean their command, with Ctrl or ⌘ also while one types", () => {
    expect(commandOfKey(press("k", { ctrlKey: true }), true)?.id).toBe("commands");
    expect(commandOfKey(press("K", { metaKey: true }), false)?.id).toBe("commands");
    expect(commandOfKey(press("?"), false)?.id).toBe("keys");
    expect(commandOfKey(press("f"), false)?.id).toBe("full-screen");
    expect(commandOfKey(press("2", { code: "Digit2" }), false)?.id).toBe("view-check");
    expect(commandOfKey(press("™", { altKey: true, code: "Digit2" }), false)?.id).toBe("view-check");
    expect(commandOfKey(press("p", { altKey: true, code: "KeyP" }), true)?.id).toBe("problems");
  });

  it("mean nothing bare in a field, or with AltGr", () => {
    expect(commandOfKey(press("?"), true)).toBeUndefined();
    expect(commandOfKey(press("2", { code: "Digit2" }), true)).toBeUndefined();
    expect(commandOfKey(press("f"), true)).toBeUndefined();
    expect(commandOfKey(press("k", { ctrlKey: true, altKey: true, code: "KeyK" }), false)).toBeUndefined();
  });

  it("are unique, and written as the system writes them", () => {
    const keys = COMMANDS.flatMap(({ key }) => (key === undefined ? [] : [key]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
    expect([keyText("Mod+k", true), keyText("Mod+k", false), keyText("Alt+2", false), keyText("/", true)]).toEqual([
      "⌘K",
      "Ctrl+K",
      "Alt+2",
      "/",
    ]);
  });
});

describe("commands", () => {
  const nodes = [{ kind: "array", path: "sst", name: "sst", grid: [2, 3], dimensionNames: ["time", undefined] }];
  const state = {
    set: { nodes, url: undefined },
    node: "sst",
    chunk: [0, 1],
    view: "data",
    theme: "dark",
  } as unknown as AppState;

  it("step to the chunks beside the selected one, within the grid", () => {
    expect(chunkCommands(state).map(({ title }) => title)).toEqual([
      "Next chunk along time",
      "Next chunk along dimension 1",
      "Previous chunk along dimension 1",
    ]);
    expect(chunkCommands({ ...state, chunk: undefined })).toEqual([]);
  });

  it("are offered only where they can do something", () => {
    const ids = availableCommands(state).map(({ id }) => id);
    expect(ids).toContain("view-chunks");
    expect(ids).toEqual(expect.arrayContaining(["save-slice", "save-series", "full-screen"]));
    expect(ids).not.toContain("copy-link"); // files have no link
    expect(ids).not.toContain("theme-dark");
    const nothing = availableCommands({ ...state, set: undefined }).map(({ id }) => id);
    expect(nothing).not.toContain("close");
  });
});
