/** Attributes are anybody's: whatever stands there is read or said, never thrown on. */
import { runs } from "../testing/runs.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { explained } from "../findings/explain.ts";
import { parseJson } from "../json/parse-json.ts";
import { georeferenceOf } from "./georeference.ts";
import { isJsonObject } from "../json/json.ts";
import { geoMusts } from "./geo-musts.ts";
import { omeMusts, omePlace } from "./ome-musts.ts";
import { elementSizeWords, levelWords } from "./level-labels.ts";
import { levelsOf } from "./read-levels.ts";

const any = fc.jsonValue({ maxDepth: 3 });
const numbers = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), any), { maxLength: 7 });
const transforms = fc.oneof(
  any,
  fc.array(fc.record({ type: fc.constantFrom("scale", "translation"), scale: numbers })),
);
const dataset = fc.oneof(any, fc.record({ path: fc.oneof(fc.string(), any), coordinateTransformations: transforms }));
const image = fc.record(
  { axes: any, version: fc.oneof(fc.string(), any), datasets: fc.oneof(any, fc.array(dataset)) },
  { requiredKeys: [] },
);
const level = fc.record({
  asset: fc.oneof(fc.string(), any),
  derived_from: any,
  transform: fc.record({ scale: numbers }),
});
const attributes = fc.record(
  {
    multiscales: fc.oneof(any, fc.array(image), fc.record({ layout: fc.oneof(any, fc.array(level)) })),
    ome: fc.oneof(any, fc.record({ version: any, multiscales: fc.oneof(any, fc.array(image)) })),
    plate: fc.record({ rows: any, columns: any, wells: fc.array(fc.record({ path: any })) }),
    well: any,
    "image-label": any,
    omero: fc.record({ channels: any }),
    zarr_conventions: fc.array(any),
    "proj:code": any,
    "proj:wkt2": fc.oneof(fc.string(), any),
    "proj:projjson": any,
    "spatial:dimensions": any,
    "spatial:transform": numbers,
    "spatial:bbox": numbers,
  },
  { requiredKeys: [] },
);

it("whatever the attributes are", () => {
  fc.assert(
    fc.property(attributes, (written) => {
      const { value } = parseJson(JSON.stringify(written));
      const { sets, findings } = levelsOf("g", value);
      const georeference = georeferenceOf("g", value, ["y", "x"]);
      const place = omePlace(value);
      if (place !== undefined) omeMusts(place, 3);
      if (isJsonObject(value)) geoMusts(value, { above: new Set(), hasCrsNear: false, isGroup: true });
      for (const found of [...findings, ...georeference.findings]) expect(explained(found).message).not.toBe("");
      for (const set of sets) {
        for (const [index, one] of set.levels.entries()) {
          expect(one.path.startsWith("g")).toBe(true);
          expect(levelWords({ index, ...one })).toMatch(/^level \d+/);
          elementSizeWords(one, set);
        }
      }
    }),
    { numRuns: runs(500) },
  );
});
