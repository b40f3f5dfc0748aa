/**
 * Makes public/samples/ocean-broken.json: the sample's references with one error of each common kind, to
 * learn from and to test with. `node tools/make-broken-sample.mjs`; a test compares the file with what this makes.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SAMPLES = new URL("../public/samples/", import.meta.url);

export function brokenSample() {
  const set = JSON.parse(readFileSync(new URL("ocean.v1.json", SAMPLES), "utf8"));
  const { refs } = set;
  const [target, offset, length] = refs["sst/0.0.1"];
  const fileSize = statSync(new URL("ocean-b.nc", SAMPLES)).size;

  refs["sst/0.0.1"] = [target, offset + 7, length]; // a shifted offset
  refs["sst/1.0.0"] = ["ocean-z.nc", ...refs["sst/1.0.0"].slice(1)]; // a target that does not exist
  refs["sst/5.2.2"] = ["ocean-b.nc", fileSize - 1000, 44_516]; // a range past the end of the file
  refs["sst/2.0.1"] = refs["sst/2.0.1"].with(2, Math.floor(refs["sst/2.0.1"][2] * 0.6)); // a truncated length
  refs["sst/6.0.0"] = refs["sst/5.0.0"]; // a key outside the grid of 6 × 3 × 3 chunks
  refs["ice/0.0.0"] = refs["u/0.0.0"]; // a chunk declared zlib that is not compressed
  return `${JSON.stringify(set, null, 1)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("ocean-broken.json", SAMPLES), brokenSample());
}
