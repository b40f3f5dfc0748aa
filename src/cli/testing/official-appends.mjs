/**
 * For tests: Icechunk's own library on a repository; an answer of JSON. `node official-appends.mjs FOLDER ACT REPOSITORY …`,
 * where FOLDER has node_modules/@earthmover/icechunk. `state`: ancestors and chunks; `step FIRST`: one more step along
 * time; `commits END`: groups, one a commit, until that time.
 */
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";

const [, , folder, act, repository, value] = process.argv;
const { Repository, Storage } = createRequire(`${folder}/x.js`)("@earthmover/icechunk");
const HOST = "https://data.example.org/";
const repo = await Repository.open(await Storage.newLocalFilesystem(repository), undefined, {
  [HOST]: { type: "HttpAccess" },
});
const answer = (found) => process.stdout.write(`${JSON.stringify(found)}\n`);

async function state() {
  const chunks = {};
  let asked;
  await repo.setHttpVirtualChunkFetcher(async (_, { url, rangeStart, rangeEnd, etag }) => {
    asked = [url, rangeStart, rangeEnd - rangeStart];
    return { data: Buffer.alloc(rangeEnd - rangeStart), ...(etag && { etag }) };
  });
  const { store } = await repo.readonlySession({ branch: "main" });
  for (const key of await store.list()) {
    asked = undefined;
    const bytes = await store.get(key);
    if (!key.endsWith("zarr.json")) chunks[key] = asked ?? Buffer.from(bytes).toString("base64");
  }
  return { ids: (await repo.ancestry({ branch: "main" })).map(({ id }) => id), chunks };
}

async function step() {
  const session = await repo.writableSession("main");
  for (const key of await session.store.list()) {
    const name = key.slice(0, -"/zarr.json".length);
    if (!/^(?:time|v\d*)\/zarr\.json$/.test(key)) continue;
    const metadata = JSON.parse(Buffer.from(await session.store.get(key)).toString());
    const [steps] = metadata.shape;
    metadata.shape[0] += 1;
    await session.store.set(key, Buffer.from(JSON.stringify(metadata)));
    if (name === "time") await session.store.set(`time/c/${steps}`, Buffer.from(Int32Array.of(Number(value)).buffer));
    else
      await session.store.setVirtualRef(`${name}/c/${steps}/0`, `${HOST}theirs-${value}.bin`, 8, 6, '"e"', null, true);
  }
  return session.commit(`step ${value}`);
}

async function commits() {
  const made = [];
  for (let count = 0; Date.now() < Number(value); count += 1) {
    await pause(Math.random() * 400);
    try {
      const session = await repo.writableSession("main");
      await session.store.set(
        `theirs-${count}/zarr.json`,
        Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{}}'),
      );
      made.push(await session.commit(`theirs ${count}`));
    } catch (error) {
      if (!/conflict/.test(error.message)) throw error;
    }
  }
  return made;
}

answer(await { state, step, commits }[act]().catch((error) => ({ error: error.message })));
process.exit(0);
