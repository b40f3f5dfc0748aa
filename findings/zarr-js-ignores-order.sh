#!/usr/bin/env bash
# Expected: a chunk of order "F" is read column by column, or refused.
# Found: zarr-js returns the elements as they lie, with the strides of C order, so that a 2 × 3 array comes out scrambled
# without an error.
# Package: zarr-js 3.3.0 (npm, carbonplan), src/v2.js: parseChunk does not look at order.
# Source: Zarr storage specification 2, "order".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts zarr-js@3.3.0
cat > run.mjs <<'PROGRAM'
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import zarr from "zarr-js";

const metadata = { zarr_format: 2, shape: [2, 3], chunks: [2, 3], dtype: "<i4", order: "F", fill_value: 0, compressor: null, filters: null };
const objects = new Map([
  ["/a/.zarray", Buffer.from(JSON.stringify(metadata))],
  ["/a/0.0", Buffer.from(Int32Array.of(1, 4, 2, 5, 3, 6).buffer)],
]);
const server = createServer((request, response) => {
  if (!objects.has(request.url)) response.statusCode = 404;
  response.end(objects.get(request.url));
});
server.listen(0, "127.0.0.1", () => {
  zarr(fetch).load(`http://127.0.0.1:${server.address().port}/a`, (error, array) => {
    const seen = error ? String(error) : JSON.stringify([[...array.data], array.shape, array.stride]);
    console.log("zarr-js", JSON.parse(readFileSync("node_modules/zarr-js/package.json")).version, "stored [[1,2,3],[4,5,6]] in order F, read (data, shape, stride)", seen);
    process.exit(seen === "[[1,4,2,5,3,6],[2,3],[3,1]]" ? 0 : 1);
  });
});
PROGRAM
node run.mjs
