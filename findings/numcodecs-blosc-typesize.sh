#!/usr/bin/env bash
# Expected: Blosc of numcodecs for JavaScript shuffles by the size of the elements, or can be told it: Zarr v3 has `typesize`.
# Found: it writes typesize 4 into every header, whatever the elements are; float64 is shuffled in halves, bytes in fours. The
# chunk decodes, but is larger than need be, and its header says another element size than zarr.json.
# Package: numcodecs 0.3.2 (npm), src/blosc: encode has no typesize.
# Source: c-blosc, "Blosc header", byte 3; Zarr v3 codec blosc, "typesize".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts numcodecs@0.3.2
cat > run.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
import Blosc from "numcodecs/blosc";

const of = (type) => new Uint8Array(type.from({ length: 4000 }, (_, i) => i).buffer);
const blosc = Blosc.fromConfig({ cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 });
const seen = [];
for (const type of [Uint8Array, Int16Array, Float64Array]) {
  const typesize = (await blosc.encode(of(type)))[3];
  seen.push(typesize);
  console.log(`${type.name}: elements of ${type.BYTES_PER_ELEMENT} bytes, typesize in the header ${typesize}`);
}
console.log("numcodecs", JSON.parse(readFileSync("node_modules/numcodecs/package.json")).version);
process.exit(seen.every((typesize) => typesize === 4) ? 0 : 1);
PROGRAM
node run.mjs
