import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderOf } from "#core/access/kerchunk-open.ts";
import { pythonString } from "#core/json/python-json.ts";
import { kerchunkSnippet, pythonSnippet, type SnippetInput } from "./reference-snippet.ts";

const PLAIN: SnippetInput = {
  location: "refs.json",
  targetSchemes: ["s3"],
  needsTarget: false,
  hasTemplates: false,
};

/** The arguments of the reference filesystem, one a line. */
function options(change: Partial<SnippetInput>): readonly string[] {
  const text = pythonSnippet({ ...PLAIN, ...change });
  const inside = /"reference",\n([^]*?)\n\)/.exec(text)?.[1] ?? "";
  return inside.split("\n").map((line) => line.trim().replace(/,$/, ""));
}

describe("pythonSnippet", () => {
  it("is a whole script", () => {
    expect(pythonSnippet({ ...PLAIN, location: "https://example.org/a b.json" }))
      .toBe(`# pip install "zarr>=3" xarray "fsspec>=2025.2" aiohttp s3fs
# With zarr 2, leave out "asynchronous" and "zarr_format", and use the store of the comment below.
import fsspec
import xarray as xr
import zarr

fs = fsspec.filesystem(
    "reference",
    fo="https://example.org/a b.json",
    remote_protocol="s3",
    remote_options={"anon": True, "asynchronous": True},
    asynchronous=True,
)
store = zarr.storage.FsspecStore(fs, read_only=True, path="")  # zarr 2: store = fs.get_mapper("")

group = zarr.open(store, mode="r", zarr_format=2)
ds = xr.open_dataset(store, engine="zarr", consolidated=False, zarr_format=2)
`);
  });

  it("is five lines where kerchunk's engine reads the set, wherever Python runs", () => {
    expect(kerchunkSnippet({ ...PLAIN, location: "https://example.org/a.json" }))
      .toBe(`# pip install kerchunk "zarr>=3" xarray "fsspec>=2025.2" aiohttp s3fs
import xarray as xr

ds = xr.open_dataset(
    "https://example.org/a.json",
    engine="kerchunk",
    storage_options={
        "remote_protocol": "s3",
        "remote_options": {"anon": True},
    },
)
`);
    const folder = folderOf("https://example.org/d/a.json?x=1");
    const relative = { ...PLAIN, location: "https://example.org/d/a.json?x=1", targetSchemes: [""], folder };
    expect(kerchunkSnippet(relative)).toContain('"fs": fsspec.filesystem("dir", path="https://example.org/d", fs=');
    expect(pythonSnippet(relative)).toContain('fs=fsspec.filesystem("dir", path="https://example.org/d", fs=');
    expect(pythonSnippet(relative)).not.toContain("Relative targets");
    for (const other of [
      { targetSchemes: ["s3", "https"] },
      { targetSchemes: ["zip"] },
      { zarrFormat: 3 as const },
      { isText: true },
    ]) {
      expect(kerchunkSnippet({ ...PLAIN, ...other })).toBeUndefined();
    }
  });

  it("says that pasted references are to be saved first", () => {
    const text = pythonSnippet({ ...PLAIN, location: "references.json", isText: true });
    expect(text).toContain("# The references were pasted: save them as references.json first.\n");
  });

  it.each([
    [{ targetSchemes: [] }, ['fo="refs.json"', "asynchronous=True"]],
    [{ targetSchemes: [""] }, ['fo="refs.json"', 'remote_protocol="file"', "asynchronous=True"]],
    [
      { targetSchemes: ["gs"] },
      [
        'fo="refs.json"',
        'remote_protocol="gs"',
        'remote_options={"token": "anon", "asynchronous": True}',
        "asynchronous=True",
      ],
    ],
    [
      { targetSchemes: ["http", "https"] },
      ['fo="refs.json"', 'fs={"http": {"asynchronous": True}, "https": {"asynchronous": True}}', "asynchronous=True"],
    ],
    [
      { targetSchemes: ["s3", "", "file"] },
      [
        'fo="refs.json"',
        'fs={"s3": {"anon": True, "asynchronous": True}, "file": local, None: local}',
        "asynchronous=True",
      ],
    ],
    [
      { targetSchemes: [], needsTarget: true, target: 'a"b.nc', hasTemplates: true },
      ['fo="refs.json"', 'target="a\\"b.nc"', "simple_templates=False", "asynchronous=True"],
    ],
    [
      { targetSchemes: [], location: "s3://bucket/refs.json.zst" },
      ['fo="s3://bucket/refs.json.zst"', 'target_options={"anon": True, "compression": "zstd"}', "asynchronous=True"],
    ],
    [
      { targetSchemes: [], location: "refs.json.gz" },
      ['fo="refs.json.gz"', 'target_options={"compression": "gzip"}', "asynchronous=True"],
    ],
    [{ targetSchemes: [], location: "refs.parq", isFolder: true }, ['fo="refs.parq"', "asynchronous=True"]],
  ] as const)("for %j passes what fsspec needs", (change, expected) => {
    expect(options(change)).toEqual(expected);
  });

  // Run with fsspec 2026.9: all of them read what they name.
  it("brings a filesystem that follows chains into archives", () => {
    const text = pythonSnippet({
      ...PLAIN,
      targetSchemes: ["zip"],
      archiveSchemes: ["s3", undefined],
      target: "a.zip",
    });
    expect(text).toContain(" s3fs\n");
    expect(text).toContain('        path = path if "::" in path else path + "::" + "a.zip"\n');
    expect(text).toContain('        with fsspec.open(path, s3={"anon": True}) as file:\n');
    expect(text).toContain('    fs={"zip": archives},\n');
  });

  it("has a filesystem of its own for data, beside others", () => {
    expect(options({ targetSchemes: ["data"] })).toContain('remote_protocol="data"');
    expect(options({ targetSchemes: ["data", "s3", "zip"] })).toContain(
      'fs={"data": data, "s3": {"anon": True, "asynchronous": True}, "zip": archives}',
    );
    const text = pythonSnippet({ ...PLAIN, targetSchemes: ["data", "zip"] });
    expect(text).toContain('data = AsyncFileSystemWrapper(fsspec.filesystem("data"), asynchronous=True)');
    expect(text).toContain("archives = AsyncFileSystemWrapper(Archives(), asynchronous=True)");
  });

  it("names the packages and the local filesystem it uses", () => {
    const text = pythonSnippet({ ...PLAIN, targetSchemes: ["s3", ""], hasTemplates: true, location: "r.json.zst" });
    expect(text).toContain("s3fs jinja2 zstandard\n");
    expect(text.indexOf("local = ")).toBeLessThan(text.indexOf("None: local"));
  });
});

describe("pythonString", () => {
  it("is one line of one string literal, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const literal = pythonString(text);
        expect(literal).toMatch(/^"(?:[^"\\\p{Cc}\p{Zl}\p{Zp}]|\\["\\bfnrt]|\\u[0-9a-f]{4})*"$/u);
        expect(JSON.parse(literal)).toBe(text);
      }),
    );
  });

  it("shows characters that hide or turn text", () => {
    expect(pythonString("a\u202eb\u0085\ufeff")).toBe('"a\\u202eb\\u0085\\ufeff"');
  });
});
