import { expect, it } from "vitest";
import { droppedFiles } from "#io/local-files.ts";
import { candidatesIn } from "./candidates.ts";
import { repositoryFolders } from "./drivers.ts";

it.each(["repo", "refs/branch.main/ref.json", "refs/branch.main/ZZZZZZZY.json", "refs/branch:main/ZZZZZZZY.json"])(
  "a folder with %s and snapshots is an Icechunk repository",
  (path) => {
    const files = [`data/${path}`, "data/snapshots/X5CWMD85X7QVEJG9XRFG", "other/readme"];
    expect([...repositoryFolders(files)]).toEqual(["data"]);
  },
);

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

it.each([
  [["a.zarr/zarr.json", "a.zarr/x/zarr.json", "a.nc"], ["a.zarr/"]],
  [["sets.zip", "a.nc"], ["sets.zip!/"]],
  [["refs.0.parq", "a.nc"], ["refs.0.parq\n"]],
  [["a.nc"], ["a.nc\n"]],
])("of %j only what can be a set is offered, not the one target beside it", async (paths, expected) => {
  const files = droppedFiles(paths.map((path) => ({ path, blob: new Blob(["\x89HDF\r\n\x1a\n"]) })));
  const found = await candidatesIn(files, CONTEXT);
  expect(found.map(({ id }) => id)).toEqual(expected);
});
