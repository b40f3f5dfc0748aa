import { describe, expect, it } from "vitest";
import { NO_LOCATIONS, type Locations } from "../../core/location.ts";
import type { JsonValue } from "../../core/json.ts";
import { targetReader } from "../target-reader.ts";
import { containerTargets } from "./container-targets.ts";

const BASE = { kind: "url", url: "https://public.example/repo/" } as const;

function resolved(
  target: string,
  store: string,
  options: readonly (readonly [string, JsonValue])[],
  locations: Locations = NO_LOCATIONS,
) {
  const container = { name: undefined, prefix: "s3://bucket/", store, options: new Map(options) };
  const reader = targetReader({ base: BASE, files: undefined, path: undefined }, locations, {});
  const targets = containerTargets(reader, BASE, { stored: null, containers: [container] });
  const resolution = targets.resolve(target);
  return resolution.kind === "url" ? [resolution.url, targets.hostOf(target)] : [resolution.kind];
}

describe("targets of containers", () => {
  it("lie at the container's endpoint, in its region", () => {
    const endpoint = ["endpoint_url", "https://objects.example"] as const;
    const host = "https://bucket.objects.example";
    expect(resolved("s3://bucket/a b/c", "s3_compatible", [endpoint])).toEqual([`${host}/a%20b/c`, host]);
    const [byPath] = resolved("s3://bucket/a", "s3_compatible", [endpoint, ["force_path_style", true]]);
    expect(byPath).toBe("https://objects.example/bucket/a");
    const regional = "https://bucket.s3.eu-west-1.amazonaws.com";
    expect(resolved("s3://bucket/a", "s3", [["region", "eu-west-1"]])).toEqual([`${regional}/a`, regional]);
  });

  it("may not be private ones unasked, and are where the user says", () => {
    const local = ["endpoint_url", "http://localhost:9000"] as const;
    expect(resolved("s3://bucket/a", "s3_compatible", [local])).toEqual(["unresolved"]);
    const rewrites = [{ from: "s3://bucket/", to: "https://mirror.example/" }];
    const [mirrored] = resolved("s3://bucket/a", "s3_compatible", [local], { ...NO_LOCATIONS, rewrites });
    expect(mirrored).toBe("https://mirror.example/a");
  });

  it("outside the container stay what they were", () => {
    const [url] = resolved("s3://other/a", "s3", [["region", "eu-west-1"]]);
    expect(url).toBe("https://other.s3.amazonaws.com/a");
  });
});
