// What Icechunk's own library does with a repository, a line of JSON a step: `node library-steps.mjs FOLDER REPOSITORY`,
// where FOLDER has node_modules/@earthmover/icechunk. Commits to it.
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , folder, repository] = process.argv;
const { Repository, Storage } = createRequire(join(folder, "x.js"))("@earthmover/icechunk");
const hex = (bytes) => (bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString("hex"));

async function step(name, run) {
  let seen;
  try {
    seen = await run();
  } catch (error) {
    seen = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify([name, seen ?? null])}\n`);
}

/** Any bytes, with the checksum that is asked for. */
const fetched = async (_, { rangeStart, rangeEnd, etag, lastModified }) => ({
  data: Buffer.alloc(Math.min(64, rangeEnd - rangeStart), rangeStart),
  ...(etag === undefined ? {} : { etag }),
  ...(lastModified === undefined ? {} : { lastModified }),
});

let [repo, session] = [];
await step("open", async () => {
  const access = { "https://data.example.org/": { type: "HttpAccess" } };
  repo = await Repository.open(await Storage.newLocalFilesystem(repository), undefined, access);
  await repo.setHttpVirtualChunkFetcher(fetched);
  session = await repo.readonlySession({ branch: "main" });
});
if (session === undefined) process.exit(0);
await step("tags", async () => [(await repo.listTags()).sort(), await repo.lookupTag("v1")]);
await step("list", async () => (await session.store.list()).sort());
const chunks = [...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `a/c/${at}`), "g/n/c/0/0", "g/n/c/1/0"];
for (const key of ["zarr.json", "g/zarr.json", "a/zarr.json", "g/n/zarr.json", ...chunks])
  await step("read", async () => hex(await session.store.get(key)));
await step("history", async () => (await repo.ancestry({ branch: "main" })).map(({ id, message }) => [id, message]));
await step("diff", () => repo.diff({ fromBranch: "dev", toBranch: "main" }));
await step("branch", async () => void (await repo.createBranch("zz", await repo.lookupBranch("main"))));
await step("commit", async () => {
  const writable = await repo.writableSession("main");
  await writable.store.set("zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{"a":1}}'));
  await writable.commit("attributes");
});
await step("commit", async () => {
  const writable = await repo.writableSession("main");
  for (const key of ["a/c/1", "a/c/7"]) await writable.store.set(key, Buffer.from([9, 9, 9, 9]));
  await writable.store.set("g/n/c/1/0", Buffer.alloc(32, 9));
  await writable.commit("chunks");
  const { store } = await repo.readonlySession({ branch: "main" });
  return [hex(await store.get("a/c/1")), hex(await store.get("a/c/7"))];
});
process.exit(0);
