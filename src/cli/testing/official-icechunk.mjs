/**
 * For tests: asks the official library about repositories, one a line of stdin: `{dir, prefixes}`; answers a line of JSON each.
 * Started with the addon's folder as argument; for chunks behind http the reader's request is the answer, no network is used.
 */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Repository, Storage } = createRequire(`${process.argv[2]}/x.js`)("@earthmover/icechunk");

/** Chunks that are read of a repository, spread over it, and their bytes. */
const MOST_READ = 1000;
const MOST_BYTES = 100e6;

function access(prefix) {
  if (prefix.startsWith("http")) return { type: "HttpAccess" };
  if (prefix.startsWith("s3")) return { type: "S3", field0: { type: "Anonymous" } };
  return null;
}

async function describe({ dir, prefixes, commit }) {
  const authorized = Object.fromEntries(prefixes.map((prefix) => [prefix, access(prefix)]));
  const repo = await Repository.open(await Storage.newLocalFilesystem(dir), undefined, authorized);
  let asked;
  await repo.setHttpVirtualChunkFetcher((_, request) => {
    asked = request;
    const data = new Uint8Array(request.rangeEnd - request.rangeStart);
    return Promise.resolve({
      data,
      ...(request.etag && { etag: request.etag }),
      ...(request.lastModified && { lastModified: request.lastModified }),
    });
  });
  const session = await repo.readonlySession({ branch: "main" });
  const { store } = session;
  const keys = (await store.list()).toSorted();
  const metadata = {};
  const chunks = {};
  const wanted = keys.filter((key) => !key.endsWith("zarr.json"));
  const each = Math.max(1, Math.ceil(wanted.length / MOST_READ));
  for (const key of keys.filter((one) => one.endsWith("zarr.json")))
    metadata[key] = Buffer.from(await store.get(key)).toString();
  let left = MOST_BYTES;
  for (const key of wanted.filter((_, at) => at % each === 0)) {
    asked = undefined;
    try {
      const size = await store.getsize(key);
      if (size > left) continue;
      left -= size;
      const bytes = await store.get(key);
      const { url, rangeStart, rangeEnd, etag, lastModified } = asked ?? {};
      chunks[key] = asked
        ? { url, offset: rangeStart, length: rangeEnd - rangeStart, etag, seconds: lastModified }
        : { sha256: createHash("sha256").update(bytes).digest("hex"), length: bytes.length };
    } catch (error) {
      chunks[key] = { error: error.message.split("\n")[0] };
    }
  }
  const locations = [...new Set(await session.allVirtualChunkLocations())].toSorted((a, b) => (a < b ? -1 : 1));
  const [{ id, message, parentId }] = await repo.ancestry({ branch: "main" });
  const { newGroups, newArrays, updatedChunks } = await repo.diff({ fromSnapshotId: parentId, toBranch: "main" });
  const counts = Object.fromEntries(Object.entries(updatedChunks ?? {}).map(([path, all]) => [path, all.length]));
  const answer = { keys, metadata, chunks, locations, id, message, newGroups, newArrays, counts };
  if (commit !== true) return answer;
  const writing = await repo.writableSession("main");
  await writing.store.set("official/zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{}}'));
  return { ...answer, next: await writing.commit("by the official library") };
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await describe(JSON.parse(line)).catch((error) => ({ failed: error.message }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
