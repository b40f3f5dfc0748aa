import { describe, expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { keyAt, nodeOf } from "../findings/fact.ts";
import { notFound } from "../fixtures/not-found.ts";
import { buildHierarchy, type BuiltHierarchy } from "./build-hierarchy.ts";

const ARRAY_V3 = {
  zarr_format: 3,
  node_type: "array",
  shape: [4],
  data_type: "int16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: "default",
  fill_value: 0,
  codecs: [{ name: "bytes", configuration: { endian: "little" } }],
};
const GROUP_V3 = { zarr_format: 3, node_type: "group" };
const ARRAY_V2 =
  '{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i2","order":"C","fill_value":0,"compressor":null,"filters":null}';

function build(documents: Record<string, unknown>, chunksOnly: readonly string[] = []): BuiltHierarchy {
  const texts = Object.entries(documents).map(([key, value]) => {
    if (value === undefined) return { key, text: undefined, problem: notFound(key) };
    return { key, text: typeof value === "string" ? value : JSON.stringify(value) };
  });
  return buildHierarchy(texts, chunksOnly, codecTraits);
}

function shown({ hierarchy }: BuiltHierarchy): readonly string[] {
  return [...hierarchy.nodes.values()].map((node) => `${node.kind} ${node.path}`);
}

function codes({ findings }: BuiltHierarchy): readonly string[] {
  return findings.map((finding) => finding.code);
}

const inline = (metadata: unknown): object => ({ kind: "inline", must_understand: false, metadata });

describe("zarr.json", () => {
  it("makes groups and arrays with their attributes and dimension names", () => {
    const built = build({
      "zarr.json": { ...GROUP_V3, attributes: { title: "T" } },
      "g/zarr.json": GROUP_V3,
      "g/x/zarr.json": { ...ARRAY_V3, attributes: { units: "K" }, dimension_names: ["t"] },
    });
    expect(shown(built)).toEqual(["group ", "group g", "array g/x"]);
    expect(built.hierarchy.nodes.get("")).toMatchObject({ declared: true, attributes: new Map([["title", "T"]]) });
    expect(built.hierarchy.nodes.get("g")).toMatchObject({ declared: true, attributes: undefined });
    expect(built.hierarchy.nodes.get("g/x")).toMatchObject({
      attributes: new Map([["units", "K"]]),
      metadata: { zarrFormat: 3, dimensionNames: ["t"] },
    });
    expect(built.findings).toEqual([]);
  });

  it("may be the whole set: a bare array", () => {
    const built = build({ "zarr.json": ARRAY_V3 });
    expect([shown(built), codes(built)]).toEqual([["array "], []]);
  });

  it.each([
    ["{", "metadata-broken"],
    ["[]", "metadata-broken"],
    ["{}", "metadata-broken"],
    [{ ...GROUP_V3, zarr_format: 4 }, "metadata-broken"],
    [{ ...ARRAY_V3, shape: 4 }, "metadata-broken"],
    [undefined, "metadata-broken"],
    [{ zarr_format: "https://purl.org/zarr/spec/protocol/core/3.0", metadata_encoding: "x" }, "zarr-v3-draft"],
    [{ ...ARRAY_V3, codecs: [uneven()] }, "shard-chunks-uneven"],
  ])("that cannot be understood (%j) is shown where it stands", (text, code) => {
    const built = build({ "zarr.json": GROUP_V3, "x/zarr.json": text });
    expect(shown(built)).toEqual(["group ", "broken x"]);
    expect(built.findings).toMatchObject([{ code }]);
    expect(nodeOf(built.findings[0]!.place)).toBe("x");
  });

  it("that is broken keeps its attributes, and what lies below it", () => {
    const built = build({
      "zarr.json": { ...GROUP_V3, node_type: "grupo", attributes: { title: "T" } },
      "x/zarr.json": { ...ARRAY_V3, attributes: [] },
    });
    expect(shown(built)).toEqual(["group ", "array x"]);
    expect(built.hierarchy.nodes.get("")?.attributes).toEqual(new Map([["title", "T"]]));
    expect(codes(built)).toEqual(["metadata-broken", "attributes-broken", "group-implied"]);
  });

  it("counts where Zarr v2 stands beside it", () => {
    const built = build({
      "zarr.json": GROUP_V3,
      ".zgroup": '{"zarr_format":2}',
      "x/zarr.json": { ...ARRAY_V3, data_type: "int8" },
      "x/.zarray": ARRAY_V2,
      "x/.zattrs": '{"units":"K"}',
    });
    expect(built.hierarchy.nodes.get("x")).toMatchObject({ attributes: undefined, metadata: { zarrFormat: 3 } });
    expect(codes(built)).toEqual(["zarr-v2-and-v3", "zarr-v2-and-v3"]);
    expect(built.findings[1]?.facts).toEqual({ documents: [".zarray", ".zattrs"] });
  });

  it("passes findings on with their place, and unknown members of groups", () => {
    const built = build({ "zarr.json": { ...GROUP_V3, extra: 1 }, "x/zarr.json": { ...ARRAY_V3, codecs: ["bytes"] } });
    expect(built.findings).toMatchObject([
      { code: "metadata-must-understand", place: { kind: "node", path: "", pointer: "/extra" } },
      { code: "codec-endian-missing", place: { kind: "node", path: "x", pointer: "/codecs/0" } },
    ]);
  });

  it("is what is missing where a group of such arrays is only implied", () => {
    const [implied] = build({ "g/x/zarr.json": ARRAY_V3 }).findings;
    expect(implied?.code).toBe("group-implied");
    expect(implied).toMatchObject({ place: { kind: "node", path: "" }, facts: { document: "zarr.json" } });
    const mixed = build({ "g/x/zarr.json": ARRAY_V3, "g/y/.zarray": ARRAY_V2 }).findings[0];
    expect(mixed?.facts).toMatchObject({ document: ".zgroup or zarr.json" });
  });

  it("distinguishes documents of the draft from others", () => {
    const built = build({ "zarr.json": GROUP_V3, "meta/root/a.array.json": "{}", "meta/root.group.json": "{}" });
    expect(codes(built).filter((code) => code === "zarr-v3-draft")).toHaveLength(2);
  });

  it("keeps groups with chunk keys groups", () => {
    expect(codes(build({ "zarr.json": GROUP_V3, "g/zarr.json": GROUP_V3 }, ["g"]))).toEqual(["chunks-without-array"]);
  });
});

function uneven(): object {
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  return {
    name: "sharding_indexed",
    configuration: { chunk_shape: [3], codecs: [bytes], index_codecs: [bytes, "crc32c"] },
  };
}

describe("consolidated metadata in zarr.json", () => {
  it("is used where the plain documents are absent", () => {
    const metadata = { g: GROUP_V3, "g/x": ARRAY_V3, __proto__x: GROUP_V3, y: JSON.stringify(ARRAY_V3) };
    const built = build({ "zarr.json": { ...GROUP_V3, consolidated_metadata: inline(metadata) } });
    expect(shown(built)).toEqual(["group ", "group __proto__x", "group g", "array g/x", "array y"]);
    expect(built.findings).toEqual([]);
  });

  it("holds below a group for what lies below it", () => {
    const built = build({
      "zarr.json": GROUP_V3,
      "g/zarr.json": { ...GROUP_V3, consolidated_metadata: inline({ x: ARRAY_V3 }) },
    });
    expect(shown(built)).toEqual(["group ", "group g", "array g/x"]);
  });

  it("gives way to the plain document, and a difference in meaning is said", () => {
    const built = build({
      "zarr.json": {
        ...GROUP_V3,
        consolidated_metadata: inline({ g: GROUP_V3, x: { ...ARRAY_V3, data_type: "int8" }, y: ARRAY_V3 }),
      },
      "g/zarr.json": { ...GROUP_V3, consolidated_metadata: inline({}) },
      "x/zarr.json": ARRAY_V3,
      "y/zarr.json": JSON.stringify(ARRAY_V3, null, 4),
    });
    expect(built.hierarchy.nodes.get("x")).toMatchObject({ metadata: { dataType: { text: "int16" } } });
    expect(built.findings).toMatchObject([{ code: "consolidated-metadata-differs", place: keyAt("x/zarr.json") }]);
  });

  it.each([[[]], [{ kind: "inline" }], [{ kind: "external", metadata: {} }], ["x"]])(
    "that is broken (%j) is a finding",
    (consolidated_metadata) => {
      const built = build({ "zarr.json": { ...GROUP_V3, consolidated_metadata } });
      expect(shown(built)).toEqual(["group "]);
      expect(built.findings).toMatchObject([{ code: "consolidated-metadata-broken", place: keyAt("zarr.json") }]);
    },
  );

  it("may be null, as zarr-python has written it", () => {
    expect(codes(build({ "zarr.json": { ...GROUP_V3, consolidated_metadata: null } }))).toEqual([]);
  });
});
