#!/usr/bin/env bash
# Expected: `diff` between two snapshots lists every chunk that reads otherwise in the later one: of an array that was made shorter and
# as long again, the chunks that were cut off.
# Found: they read as missing, and `diff` lists no chunk at all, only the array: what was cut off by a shorter shape is in no
# transaction log. A chunk that is deleted is listed.
# Package: @earthmover/icechunk 2.2.2 (npm), Repository.diff.
# Source: https://icechunk.io/en/latest/spec/ ("Transaction logs": keep track of the operations done in a commit, to detect conflicts and to
# provide diffs).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @earthmover/icechunk@2.2.2
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import { Repository, Storage } from "@earthmover/icechunk";

const repo = await Repository.create(await Storage.newLocalFilesystem("repository"));
const array = (length) => Buffer.from(JSON.stringify({
  zarr_format: 3, node_type: "array", shape: [length], data_type: "uint8", fill_value: 0, attributes: {}, codecs: [{ name: "bytes" }],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } }, chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
}));
async function commit(message, change) {
  const session = await repo.writableSession("main");
  await change(session.store);
  return session.commit(message);
}
const first = await commit("four chunks", async (store) => {
  await store.set("zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{}}'));
  await store.set("a/zarr.json", array(4));
  for (const at of [0, 1, 2, 3]) await store.set(`a/c/${at}`, Buffer.of(at + 1));
});
await commit("shorter", (store) => store.set("a/zarr.json", array(2)));
const last = await commit("as long again", (store) => store.set("a/zarr.json", array(4)));
const deleted = await commit("one deleted", (store) => store.delete("a/c/1"));
const { store } = await repo.readonlySession({ snapshotId: last });
const chunks = [];
for (const at of [0, 1, 2, 3]) chunks.push((await store.get(`a/c/${at}`))?.[0] ?? null);
const between = async (from, to) => JSON.stringify((await repo.diff({ fromSnapshotId: from, toSnapshotId: to })).updatedChunks);
const seen = [chunks, await between(first, last), await between(last, deleted)];
console.log("@earthmover/icechunk", JSON.parse(readFileSync("node_modules/@earthmover/icechunk/package.json")).version);
console.log("chunks after", JSON.stringify(chunks), "diff", seen[1], "diff of the deletion", seen[2]);
process.exit(JSON.stringify(chunks) === "[1,2,null,null]" && seen[1] === "{}" && seen[2] === '{"/a":[[1]]}' ? 0 : 1);
PROGRAM
if ! node -e 'require("@earthmover/icechunk")' 2> error.txt && grep -q __isoc23 error.txt; then
  # The addon wants glibc 2.38, of which it needs two names.
  cat > shim.c <<'SHIM'
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
long __isoc23_strtol(const char *s, char **e, int b) { return strtol(s, e, b); }
int __isoc23_sscanf(const char *s, const char *f, ...) { va_list a; va_start(a, f); int r = vsscanf(s, f, a); va_end(a); return r; }
SHIM
  gcc -shared -fPIC -o shim.so shim.c
  export LD_PRELOAD="$folder/shim.so"
fi
node run.mjs
