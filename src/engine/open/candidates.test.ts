import { expect, it } from "vitest";
import { repositoryFolders } from "./candidates.ts";

it.each(["repo", "refs/branch.main/ref.json", "refs/branch.main/ZZZZZZZY.json", "refs/branch:main/ZZZZZZZY.json"])(
  "a folder with %s and snapshots is an Icechunk repository",
  (path) => {
    const files = [`data/${path}`, "data/snapshots/X5CWMD85X7QVEJG9XRFG", "other/readme"];
    expect([...repositoryFolders(files)]).toEqual(["data"]);
  },
);
