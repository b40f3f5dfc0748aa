#!/usr/bin/env bash
# Expected: an array whose attributes have a bare NaN, as json.dumps of Python and therefore zarr-python 2 write it, opens, or
# the error says that its attributes are no JSON.
# Found: zarrita.open says that there is no array: "Not found: v3 array or group". With text in place of NaN it opens: it takes
# the failure to read .zattrs for a store of the other version, which it tries next.
# Package: zarrita 0.7.5 (npm), open.
# Source: Zarr v2 specification, "Attributes"; RFC 8259, section 6; https://docs.python.org/3/library/json.html (allow_nan).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarrita@0.7.5
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import * as zarr from "zarrita";

const array = { zarr_format: 2, shape: [2], chunks: [2], dtype: "<f8", compressor: null, filters: null, order: "C", fill_value: null };
async function opened(attributes) {
  const store = new Map([["/.zarray", JSON.stringify(array)], ["/.zattrs", attributes]].map(([key, text]) => [key, new TextEncoder().encode(text)]));
  store.set("/0", new Uint8Array(Float64Array.of(1, 2).buffer));
  try {
    return `opens: ${[...(await zarr.get(await zarr.open(store, { kind: "array" }))).data]}`;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}
const seen = [await opened('{"missing_value": NaN}'), await opened('{"missing_value": "NaN"}')];
console.log("zarrita", JSON.parse(readFileSync("node_modules/zarrita/package.json")).version, seen);
process.exit(/Not found: v3/.test(seen[0]) && seen[1] === "opens: 1,2" ? 0 : 1);
PROGRAM
node run.mjs
