import { describe, expect, it } from "vitest";
import { chunkAt, finding, keyAt, nodeAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding, Place } from "#core/findings/finding.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import { placeOfFinding } from "./use-go-to.ts";
import { explained } from "#core/findings/explain.ts";

const NODES = nodesByPath([
  { kind: "group", path: "", name: "/" },
  { kind: "array", path: "sst", name: "sst", grid: [2, 2] },
]);
const leads = (found: Finding, place: Place = found.place) =>
  placeOfFinding({ found, said: explained(found), place }, NODES);
const aboutReferences = (place: Place) => leads(finding("target-has-template", place, {}));
const aboutMetadata = (place: Place) => leads(finding("no-such-array", place, { found: "group" }));

describe("where a finding leads", () => {
  it("goes to the chunk, the array's manifest or its metadata", () => {
    expect(aboutReferences(chunkAt("sst", [1, 1]))).toEqual({ kind: "chunk", array: "sst", coordinates: [1, 1] });
    expect(aboutReferences(chunkAt("sst", [7, 7]))).toEqual({ kind: "node", path: "sst", view: "chunks" });
    expect(aboutReferences(keyAt("sst/1.1"))).toEqual({ kind: "chunk", array: "sst", coordinates: [1, 1] });
    expect(aboutReferences(keyAt("sst/7.7"))).toEqual({ kind: "node", path: "sst", view: "chunks", key: "sst/7.7" });
    expect(aboutReferences(keyAt("sst/.zarray"))).toEqual({ kind: "node", path: "sst", view: "metadata" });
    expect(aboutReferences(nodeAt("sst"))).toEqual({ kind: "node", path: "sst", view: "chunks" });
    expect(aboutMetadata(nodeAt("sst"))).toEqual({ kind: "node", path: "sst", view: "metadata" });
  });

  it("goes to the locations where those fix it, else to the set", () => {
    expect(leads(finding("target-null", WHOLE_SET, {}))).toEqual({ kind: "locations" });
    const status = (value: number) =>
      finding("http-status", targetAt("s3://x/y"), { status: value, expected: [200], attempts: 1 });
    expect(leads(status(404))).toEqual({ kind: "locations" });
    expect(leads(status(500))).toEqual({ kind: "set" });
    expect(aboutMetadata(nodeAt("gone"))).toEqual({ kind: "set" });
  });

  it("goes to the chunk for which a target was read", () => {
    const past = finding("range-past-end", targetAt("s3://x/y"), { end: 9, size: 8 });
    const place = { kind: "chunk", array: "sst", coordinates: [1, 1] };
    expect(leads(past, keyAt("sst/1.1"))).toEqual(place);
  });
});
