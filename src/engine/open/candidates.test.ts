import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ALL_TOGETHER } from "#core/open-set.ts";
import { droppedFiles } from "#io/local-files.ts";
import { writeZipArchive } from "#io/write-zip.ts";
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

it("of references in an archive and their sources, only the references; data files in the order of their numbers", async () => {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "../preflight/fixtures/files/lastp_0.nc")));
  const data = ["a_10.nc", "a_2.nc"].map((path) => ({ path, blob: new Blob([bytes]) }));
  const archive = async (path: string, inside: string, text: string) => {
    return { path, blob: new Blob([await writeZipArchive(new Map([[inside, text]]))]) };
  };
  const idsOf = async (given: Parameters<typeof droppedFiles>[0]) =>
    (await candidatesIn(droppedFiles(given), CONTEXT)).map(({ id }) => id);
  expect(await idsOf([...data, await archive("refs.zip", "r.parq/.zgroup", "{}")])).toEqual(["refs.zip!/"]);
  expect(await idsOf(data)).toEqual([ALL_TOGETHER, "a_2.nc\n", "a_10.nc\n"]);
  expect(await idsOf([...data, await archive("notes.zip", "readme.txt", "Read me.")])).toEqual([
    "a_2.nc\n",
    "a_10.nc\n",
    "notes.zip!/",
  ]);
});
