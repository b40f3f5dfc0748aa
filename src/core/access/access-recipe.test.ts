import { describe, expect, it } from "vitest";
import { accessRecipe, type AccessPlace } from "./access-recipe.ts";

const fsspec = (...places: readonly AccessPlace[]) => accessRecipe({ kind: "fsspec", location: "refs.json", places });

describe("the access recipe for fsspec", () => {
  it("says what the references cannot: anonymous, requester pays, endpoint, region", () => {
    const anonymous = fsspec({ scheme: "s3", prefix: "ocean", need: "anonymous", region: "eu-west-1" });
    expect(anonymous).toContain('"remote_protocol": "s3"');
    expect(anonymous).toContain(
      '"remote_options": {"anon": True, "asynchronous": True, "client_kwargs": {"region_name": "eu-west-1"}}',
    );
    expect(anonymous).toContain('# pip install kerchunk xarray "zarr>=3" "fsspec>=2025.2" s3fs\n');
    const paid = fsspec({ scheme: "s3", prefix: "ocean", need: "requester-pays", endpoint: "https://o.example" });
    expect(paid).toContain(
      '"anon": False, "asynchronous": True, "requester_pays": True, "endpoint_url": "https://o.example"',
    );
  });

  it.each([
    ["gs", "anonymous", '{"token": "anon", "asynchronous": True}'],
    ["gs", "account", '{"token": "google_default", "asynchronous": True}'],
    ["az", "anonymous", '{"anon": True, "account_name": "ACCOUNT", "asynchronous": True}'],
    ["https", "anonymous", '{"asynchronous": True}'],
    ["https", "token", '"client_kwargs": {"headers": {"Authorization": "Bearer TOKEN"}}'],
  ] as const)("for %s that needs %s", (scheme, need, options) => {
    expect(fsspec({ scheme, prefix: "x", need })).toContain(options);
  });

  it("names a filesystem a protocol where there are several, and says what cannot be said", () => {
    const text = fsspec(
      { scheme: "s3", prefix: "a", need: "anonymous", region: "us-east-1" },
      { scheme: "s3", prefix: "b", need: "account", region: "us-west-2" },
      { scheme: "https", prefix: "h.example", need: "anonymous" },
      { scheme: "", prefix: "", need: "anonymous" },
    );
    expect(text).toContain('"fs": {\n        "s3": {"anon": False');
    expect(text).toContain('"https": {"asynchronous": True},');
    expect(text).toContain('# s3: targets differ by region ("us-east-1", "us-west-2"); fsspec takes one for all.');
    expect(text).toContain("# Local paths beside remote targets");
    const relative = { scheme: "", prefix: "", need: "anonymous" } as const;
    expect(fsspec(relative)).toContain('"remote_protocol": "file"');
    const remote = accessRecipe({ kind: "fsspec", location: "https://h.example/d/refs.json", places: [relative] });
    expect(remote).toContain('"fs": fsspec.filesystem("dir", path="https://h.example/d", fs=');
    expect(remote).not.toContain('"file"');
  });

  it("escapes what a set writes", () => {
    const text = accessRecipe({ kind: "fsspec", location: 'a"\n+x', places: [], needsRendering: true });
    expect(text).toContain('    "a\\"\\n+x",');
    expect(text).toContain('"simple_templates": False');
  });
});

describe("the access recipe for Icechunk", () => {
  const icechunk = (...places: readonly AccessPlace[]) =>
    accessRecipe({ kind: "icechunk", location: "https://h.example/repo", places });

  it("opens containers with the credentials that each needs", () => {
    const text = icechunk(
      { scheme: "s3", prefix: "s3://open/", need: "anonymous", store: "s3", region: "us-west-2" },
      { scheme: "s3", prefix: "s3://own/", need: "account", store: "s3_compatible", endpoint: "https://o.example" },
      { scheme: "https", prefix: "https://h.example/d/", need: "anonymous", store: "http" },
      { scheme: "file", prefix: "file:///data/", need: "anonymous", store: "local_file_system" },
      { scheme: "gs", prefix: "gs://g/", need: "anonymous", store: "gcs" },
    );
    for (const line of [
      'VirtualChunkContainer("s3://open/", icechunk.s3_store(region="us-west-2", anonymous=True))',
      '"s3://open/": icechunk.s3_anonymous_credentials(),',
      's3_store(endpoint_url="https://o.example", s3_compatible=True, force_path_style=True))',
      '"s3://own/": icechunk.s3_from_env_credentials(),',
      '"https://h.example/d/": None,',
      'VirtualChunkContainer("file:///data/", icechunk.local_filesystem_store("/data/"))',
      '"gs://g/": icechunk.gcs_anonymous_credentials(),',
      'storage = icechunk.http_storage("https://h.example/repo")',
    ])
      expect(text).toContain(line);
  });

  it("needs nothing where nothing is virtual", () => {
    expect(icechunk()).toContain("repo = icechunk.Repository.open(storage)\n");
  });
});
