import { expect, it } from "vitest";
import type { Listing } from "#io/http/list-folder.ts";
import { filesStore, type Store } from "#io/store.ts";
import { droppedFiles } from "#io/local-files.ts";
import { CONTEXT } from "../testing/open.ts";
import { countOf, isUnfinished, isWithin, listFiles } from "./files.ts";

/** A store behind an address, whose server lists these folders. */
function listed(folders: Readonly<Record<string, Partial<Listing>>>) {
  const asked: string[] = [];
  const store: Store = {
    ...filesStore(droppedFiles([]), ""),
    keys: undefined,
    list: (folder) => {
      asked.push(folder);
      const one = folders[folder];
      return Promise.resolve(one && { files: new Map(), folders: new Set(), isCut: false, ...one });
    },
  };
  return { store, asked };
}

it("lists the folders of a repository, with sizes where the server says them, and no other folder", async () => {
  const { store, asked } = listed({
    "": {
      files: new Map([
        ["config.yaml", 3],
        ["repo#lock", 30],
      ]),
      folders: new Set(["chunks", "refs", "elsewhere"]),
    },
    "chunks/": {
      files: new Map([
        ["A", 24],
        ["B#1", undefined],
      ]),
    },
    "refs/": { folders: new Set(["branch.main"]) },
    "refs/branch.main/": { files: new Map([["ref.json", 35]]) },
  });
  const files = await listFiles(store, CONTEXT);
  expect([...(files ?? [])]).toEqual([
    ["config.yaml", 3],
    ["repo#lock", 30],
    ["chunks/A", 24],
    ["chunks/B#1", undefined],
    ["refs/branch.main/ref.json", 35],
  ]);
  expect(asked).not.toContain("elsewhere/");
  expect(countOf(files ?? new Map(), isWithin("chunks/"))).toEqual({ files: 2, bytes: 24 });
  expect([...(files?.keys() ?? [])].filter(isUnfinished)).toEqual(["repo#lock", "chunks/B#1"]);
});

it("knows nothing where a folder is not listed, or not to its end", async () => {
  const root = { folders: new Set(["chunks"]) };
  expect(await listFiles(listed({ "": root }).store, CONTEXT)).toBeUndefined();
  expect(await listFiles(listed({ "": root, "chunks/": { isCut: true } }).store, CONTEXT)).toBeUndefined();
  expect(await listFiles(listed({}).store, CONTEXT)).toBeUndefined();
});
