#!/usr/bin/env bash
# Expected: ol/source/GeoZarr, which says that it follows the convention spatial:, places the first pixel of a store with
# spatial:registration "node" about the origin of spatial:transform: with pixels of 1 m its edge lies at -0.5, 3.5.
# Found: the registration is not read. The edge lies at the origin, 0, 3: half a pixel to the south-east, and the extent lacks a row
# and a column.
# Package: ol 10.11.0 (npm), source/GeoZarr.
# Source: https://github.com/zarr-conventions/spatial, "spatial:registration".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ol@10.11.0
cat > run.mjs <<'PROGRAM'
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import GeoZarr from "ol/source/GeoZarr.js";

const band = {
  zarr_format: 3, node_type: "array", shape: [4, 4], data_type: "uint8", dimension_names: ["y", "x"], fill_value: 255,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } }, chunk_key_encoding: { name: "default" },
  codecs: [{ name: "bytes" }], attributes: {},
};
async function placed(registration) {
  const attributes = {
    "proj:code": "EPSG:3857", "spatial:dimensions": ["y", "x"], "spatial:shape": [4, 4], "spatial:bbox": [0, 0, 3, 3],
    "spatial:transform": [1, 0, 0, 0, -1, 3], "spatial:registration": registration,
  };
  const metadata = { kind: "inline", must_understand: false, metadata: { band } };
  const files = { "/zarr.json": { zarr_format: 3, node_type: "group", attributes, consolidated_metadata: metadata }, "/band/zarr.json": band };
  const server = createServer(({ url }, answer) => answer.writeHead(url in files ? 200 : 404).end(JSON.stringify(files[url])));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const source = new GeoZarr({ url: `http://127.0.0.1:${server.address().port}`, bands: ["band"] });
  await new Promise((resolve) => source.on("change", () => source.getState() !== "loading" && resolve()));
  server.closeAllConnections();
  server.close();
  return source.getState() === "ready" ? { origin: source.tileGrid.getOrigin(0), extent: source.tileGrid.getExtent() } : String(source.error_);
}
const seen = await placed("node");
console.log("ol", JSON.parse(readFileSync("node_modules/ol/package.json")).version, JSON.stringify(seen));
process.exit(JSON.stringify(seen) === '{"origin":[0,3],"extent":[0,0,3,3]}' ? 0 : 1);
PROGRAM
node run.mjs
