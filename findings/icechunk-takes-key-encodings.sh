#!/usr/bin/env bash
# Expected: an array whose metadata name the chunk key encoding "v2", or "default" with the separator ".", is either refused when its
# metadata are written, or its chunks are found by those keys (a/0, b/c.0).
# Found: the metadata are taken, committed and given back, and every chunk under the keys that they name raises "invalid zarr key
# format", when it is written and when it is read; only a/c/0 and b/c/0 are chunks, whatever the metadata say. A reader that follows the
# metadata (zarr-python, zarrita) reads no chunk of such an array.
# Package: @earthmover/icechunk 2.2.2 (npm), Store.set and Store.get.
# Source: Zarr v3 core specification, "Chunk key encoding" (default with "/" or ".", and v2).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @earthmover/icechunk@2.2.2
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import { Repository, Storage } from "@earthmover/icechunk";

const array = (name, separator) => Buffer.from(JSON.stringify({
  zarr_format: 3, node_type: "array", shape: [4], data_type: "uint8", fill_value: 0, attributes: {}, codecs: [{ name: "bytes" }],
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } }, chunk_key_encoding: { name, configuration: { separator } },
}));
const keys = ["slash/c/0", "dot/c.0", "dot/c/0", "old/0", "old/c/0"];
const outcome = (promise) => promise.then((value) => (value === null ? "missing" : "ok"), (error) => error.message.split("`")[0].trim());

const repo = await Repository.create(await Storage.newLocalFilesystem("repository"));
const session = await repo.writableSession("main");
await session.store.set("zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group","attributes":{}}'));
await session.store.set("slash/zarr.json", array("default", "/"));
await session.store.set("dot/zarr.json", array("default", "."));
await session.store.set("old/zarr.json", array("v2", "."));
const written = [];
for (const key of keys) written.push([key, await outcome(session.store.set(key, Buffer.of(1, 2)))]);
await session.commit("three encodings");
const { store } = await repo.readonlySession({ branch: "main" });
const read = [];
for (const key of keys) read.push([key, await outcome(store.get(key))]);
const kept = JSON.parse(Buffer.from(await store.get("old/zarr.json")).toString()).chunk_key_encoding.name;
console.log("@earthmover/icechunk", JSON.parse(readFileSync("node_modules/@earthmover/icechunk/package.json")).version);
console.log("encoding given back:", kept);
console.log("written", JSON.stringify(written));
console.log("read   ", JSON.stringify(read));
const refused = "invalid zarr key format";
const wanted = JSON.stringify(["ok", refused, "ok", refused, "ok"]);
const same = [written, read].every((list) => JSON.stringify(list.map(([, what]) => what)) === wanted);
process.exit(same && kept === "v2" ? 0 : 1);
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
