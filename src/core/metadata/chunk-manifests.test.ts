import { expect, it } from "vitest";
import { withoutManifest } from "./chunk-manifests.ts";

it("metadata of what is handed on name no manifest, and stay as they are otherwise", () => {
  const of = (transformers: string) => `{"zarr_format":3,"fill_value":1.0,"storage_transformers":${transformers}}`;
  expect(withoutManifest(of('[{"name":"chunk-manifest-json","configuration":{"manifest":"./m.json"}}]'))).toBe(
    of("[]"),
  );
  for (const other of ["[]", '[{"name":"encrypted"}]', '[{"name":"chunk-manifest"},{"name":"encrypted"}]', "7", "[{"])
    expect(withoutManifest(of(other))).toBe(of(other));
});
