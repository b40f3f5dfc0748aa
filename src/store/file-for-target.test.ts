import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "../core/byte-source.ts";
import { droppedFiles } from "../io/local-files.ts";
import { resolveTarget } from "../io/resolve.ts";
import { fileForTarget, prefixOf } from "./file-for-target.ts";

const blob = new Blob(["x"]);

/** Locations once a file was chosen for the first target. */
function chosen(target: string | null, ...others: readonly string[]) {
  const { path, locations } = fileForTarget(NO_LOCATIONS, target, "download (1).nc");
  const base = { kind: "url", url: "https://sets.example/refs.json" } as const;
  const files = droppedFiles([{ path, blob }]);
  return [target, ...others].map((one) => resolveTarget(one, base, locations, files));
}

describe("a file chosen for a target", () => {
  it.each([
    "/data/2020/ocean.nc",
    String.raw`C:\data\ocean.nc`,
    "file:///data/ocean.nc",
    "ocean.nc",
    "../other/ocean.nc",
    "https://gone.example/a/ocean.nc?sig=1#x",
    "s3://bucket/a/ocean.nc",
    "gs://bucket/ocean.nc",
    null,
  ])("is what %j reads from, whatever it is called", (target) => {
    expect(chosen(target)[0]).toMatchObject({ kind: "file" });
  });

  it("leaves other addresses as they were", () => {
    const [one, other] = chosen("https://gone.example/a/ocean.nc", "https://gone.example/b/ocean.nc");
    expect(one?.kind).toBe("file");
    expect(other).toMatchObject({ kind: "url", url: "https://gone.example/b/ocean.nc" });
  });

  it("takes the place of the rule of the one chosen before", () => {
    const first = fileForTarget(NO_LOCATIONS, "https://h.example/x.nc", "a").locations;
    expect(fileForTarget(first, "https://h.example/x.nc", "b").locations.rewrites).toHaveLength(1);
  });
});

it.each([
  ["/data/2020/ocean.nc", "/data/2020/"],
  ["https://h.example/a/ocean.nc", "https://h.example/a/"],
  [String.raw`C:\data\x.nc`, "C:\\data\\"],
  ["ocean.nc", "ocean.nc"],
  ["s3://bucket", "s3://bucket"],
])("the prefix of %j is %j", (target, prefix) => {
  expect(prefixOf(target)).toBe(prefix);
});
