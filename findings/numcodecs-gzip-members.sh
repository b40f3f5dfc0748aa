#!/usr/bin/env bash
# Expected: a gzip chunk of several members decodes to all of them, as Python (numcodecs.GZip, gzip) and zlib do: RFC 1952 says
# that a file is a sequence of members.
# Found: GZip of numcodecs for JavaScript, the decoder of zarrita, returns the first member alone and no error.
# Package: numcodecs 0.3.2 (npm), dist/gzip.js: fflate.gunzipSync.
# Source: RFC 1952, section 2.2; bgzip and parallel writers make such files.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts numcodecs@0.3.2
cat > run.mjs <<'PROGRAM'
import { gunzipSync, gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import GZip from "numcodecs/gzip";

const members = Buffer.concat([gzipSync("first "), gzipSync("second")]);
const seen = Buffer.from(await new GZip().decode(members)).toString();
console.log("numcodecs", JSON.parse(readFileSync("node_modules/numcodecs/package.json")).version, JSON.stringify(seen), "zlib", JSON.stringify(gunzipSync(members).toString()));
process.exit(seen === "first " && gunzipSync(members).toString() === "first second" ? 0 : 1);
PROGRAM
node run.mjs
