#!/usr/bin/env bash
# One would expect: a missing chunk of a Zarr v3 array reads as the fill value, however the specification lets it be
#   written; for a float "0x3f800000" are the bits of 1.0 (Zarr v3 core, "Fill value representation", float:
#   https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html).
# What is so: zarrita takes the text for a number: the missing chunk reads as 1065353216, without an error. Written as
#   1.0 the same array reads as 1.
# Package: zarrita 0.7.5 (npm).
# Source: runs of this script, 2026-11-28.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" zarrita@0.7.5 >/dev/null

cat > run.mjs <<'JS'
import { readFileSync } from "node:fs";
import { get, open, root } from "zarrita";

const { version } = JSON.parse(readFileSync("node_modules/zarrita/package.json", "utf8"));
console.log(`zarrita ${version}`);

/** An array of four floats in two chunks; the second was never written. */
async function read(fill_value) {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value,
    attributes: {},
  };
  const objects = new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
    ["/c/0", new Uint8Array(new Float32Array([5, 6]).buffer)],
  ]);
  const array = await open.v3(root(objects), { kind: "array" });
  return [...(await get(array)).data].join(" ");
}

const [bits, plain] = [await read("0x3f800000"), await read(1)];
console.log(`fill_value "0x3f800000": ${bits}; 1: ${plain}`);
process.exit(bits === "5 6 1065353216 1065353216" && plain === "5 6 1 1" ? 0 : 1);
JS
if node run.mjs; then
  echo "As described: zarrita reads the bits of a float's fill value as a number."
else
  echo "Changed: not as described above."
  exit 1
fi
