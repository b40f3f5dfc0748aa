import { describe, expect, it } from "vitest";
import { addressOf, type Locations, NO_LOCATIONS } from "#core/byte-source.ts";
import type { JsonValue } from "#core/json/json.ts";
import { droppedFiles } from "#io/local-files.ts";
import { targetReader } from "../chunk/sources.ts";
import { containerTargets } from "./container-targets.ts";

const BASE = { kind: "url", url: "https://public.example/repo/" } as const;

function resolved(
  target: string,
  store: string,
  options: readonly (readonly [string, JsonValue])[],
  locations: Locations = NO_LOCATIONS,
) {
  const container = { name: undefined, prefix: "s3://bucket/", store, options: new Map(options), stored: new Map() };
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

type Options = readonly (readonly [string, JsonValue])[];

/** Address in a repository with these containers, each a prefix, a store and its options. */
function addressIn(
  containers: readonly (readonly [prefix: string, store: string, options?: Options])[],
  target: string,
  locations: Locations = NO_LOCATIONS,
  files?: readonly string[],
) {
  const dropped = files === undefined ? undefined : droppedFiles(files.map((path) => ({ path, blob: new Blob([]) })));
  const place = { base: BASE, files: dropped, path: undefined };
  const all = containers
    .map(([prefix, store, options = []]) => ({
      name: undefined,
      prefix,
      store,
      options: new Map(options),
      stored: new Map(),
    }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const targets = containerTargets(targetReader(place, locations, {}), BASE, { stored: null, containers: all });
  const resolution = targets.resolve(target);
  if (resolution.kind === "unresolved") return resolution.finding.code;
  return resolution.kind === "file" ? `file ${resolution.path}` : addressOf(resolution);
}

describe("addresses of stores", () => {
  it("of Azure have the container's account, or its endpoint", () => {
    const account = ["account", "myacct"] as const;
    const url = "https://myacct.blob.core.windows.net/cont/a%20b/c+d.nc";
    for (const scheme of ["az", "azure", "abfs"]) {
      expect(addressIn([[`${scheme}://cont/`, "azure", [account]]], `${scheme}://cont/a b%2Fc+d.nc`)).toBe(url);
    }
    const endpoint = ["endpoint", "https://blob.example/"] as const;
    expect(addressIn([["az://cont/", "azure", [account, endpoint]]], "az://cont/x")).toBe(
      "https://blob.example/cont/x",
    );
    expect(addressIn([], "az://cont/x")).toBe("target-account-missing");
  });

  it("of Google and Tigris need nothing", () => {
    expect(addressIn([["gcs://bkt/", "gcs"]], "gcs://bkt/a%20b.nc?generation=7")).toBe(
      "https://storage.googleapis.com/bkt/a%20b.nc",
    );
    expect(addressIn([["tigris://tbk/", "tigris"]], "tigris://tbk/x")).toBe("https://tbk.t3.storage.dev/x");
  });

  it("of S3 endpoints have the bucket in the path where no host can have its name", () => {
    const endpoint = [["endpoint_url", "https://objects.example/f/"]] as const;
    const at = (bucket: string) => addressIn([[`s3://${bucket}/`, "s3_compatible", endpoint]], `s3://${bucket}/x//y`);
    expect(at("plain")).toBe("https://plain.objects.example/f/x//y");
    for (const bucket of ["dot.ted", "under_score", "Capital"]) {
      expect(at(bucket)).toBe(`https://objects.example/f/${bucket}/x//y`);
    }
  });

  it("are those of the longest container, also where that says less", () => {
    const endpoint = [["endpoint_url", "https://objects.example"]] as const;
    const both = [
      ["s3://bucket/", "s3_compatible", endpoint],
      ["s3://bucket/in/", "s3"],
    ] as const;
    expect(addressIn(both, "s3://bucket/%69n/x")).toBe("https://bucket.s3.amazonaws.com/in/x");
    expect(addressIn(both, "s3://bucket/out/x")).toBe("https://bucket.objects.example/out/x");
  });

  it("keep keys apart that differ in escapes, and refuse what the official reader refuses", () => {
    expect(addressIn([], "s3://b-1/a%2520b")).toBe("https://b-1.s3.amazonaws.com/a%2520b");
    expect(addressIn([], "s3://b-1/a%20b?version=1")).toBe("https://b-1.s3.amazonaws.com/a%20b");
    for (const target of [
      "https://a.example/x//y",
      "https://a.example/x/%2E%2E/y",
      "https://a.example/%FF",
      "s3://b-1/../x",
    ]) {
      expect([target, addressIn([], target)]).toEqual([target, "icechunk-key-refused"]);
    }
  });
});

describe("the user's rules", () => {
  const rule = (from: string, to: string): Locations => ({ ...NO_LOCATIONS, rewrites: [{ from, to }] });

  it("fit locations with escapes or without; the rest is escaped for an address", () => {
    const to = "https://mirror.example/m/";
    expect(addressIn([], "file:///my%20data/a%20b%23.nc", rule("file:///my%20data/", to))).toBe(`${to}a%20b%23.nc`);
    expect(addressIn([], "file:///my%20data/a%20b%23.nc", rule("file:///my data/", to))).toBe(`${to}a%20b%23.nc`);
    expect(addressIn([], "s3://b/a%2Fb?x", rule("s3://b/", to))).toBe(`${to}a/b`);
    expect(addressIn([], "s3://b/x/../y", rule("s3://b/", to))).toBe("icechunk-key-refused");
  });

  it("lead to the very file among those given", () => {
    const files = ["ext/a b.nc", "ext/a%20b.nc"];
    expect(addressIn([], "file:///d/a%20b.nc", NO_LOCATIONS, files)).toBe("file ext/a b.nc");
    expect(addressIn([], "file:///d/a%2520b.nc", NO_LOCATIONS, files)).toBe("file ext/a%20b.nc");
    expect(addressIn([], "file:///d/a%2520b.nc", NO_LOCATIONS, files.slice(0, 1))).toBe("target-is-local");
  });
});
