import { worstFirst } from "../findings/explained.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { type Finding, nodeOf } from "../findings/finding.ts";
import { explained } from "../findings/explain.ts";
import { notFound } from "../fixtures/not-found.ts";
import { buildHierarchy, type BuiltHierarchy, MAX_DEPTH, MAX_NODES } from "./build-hierarchy.ts";
import { isOddPath, nodeName, parentPath } from "./hierarchy-path.ts";
import { corpus, corpusFiles } from "../testing/corpus.ts";

const ARRAY =
  '{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"<i2","order":"C","fill_value":0,"compressor":null,"filters":null}';
const GROUP = '{"zarr_format":2}';

function build(texts: Record<string, string | undefined>, chunksOnly: readonly string[] = []): BuiltHierarchy {
  const documents = Object.entries(texts).map(([key, text]) =>
    text === undefined ? { key, text, problem: notFound(key) } : { key, text },
  );
  return buildHierarchy(documents, chunksOnly, codecTraits);
}

function shown({ hierarchy }: BuiltHierarchy): readonly string[] {
  return [...hierarchy.nodes.values()].map((node) => `${node.kind} ${node.path}`);
}

function codes({ findings }: BuiltHierarchy): readonly string[] {
  return worstFirst(findings, explained).map((finding) => finding.code);
}

describe("buildHierarchy", () => {
  it("builds the tree, parents first, children in natural order", () => {
    const built = build({
      "b/10/.zarray": ARRAY,
      "b/2/.zarray": ARRAY,
      "b/.zgroup": GROUP,
      ".zgroup": GROUP,
      ".zattrs": '{"title": "T"}',
      "a/.zarray": ARRAY,
      "a/.zattrs": '{"_ARRAY_DIMENSIONS": ["x"]}',
    });
    expect(shown(built)).toEqual(["group ", "array a", "group b", "array b/2", "array b/10"]);
    expect(built.hierarchy.childrenOf("b")).toEqual(["b/2", "b/10"]);
    expect(built.hierarchy.childrenOf("nowhere")).toEqual([]);
    expect(built.hierarchy.nodes.get("")).toMatchObject({
      name: "/",
      declared: true,
      attributes: new Map([["title", "T"]]),
    });
    expect(built.hierarchy.nodes.get("a")).toMatchObject({ name: "a", metadata: { dimensionNames: ["x"] } });
    expect(built.findings).toEqual([]);
  });

  it("knows a bare root array, and an empty set", () => {
    expect(shown(build({ ".zarray": ARRAY }))).toEqual(["array "]);
    expect(codes(build({ ".zarray": ARRAY }))).toEqual([]);
    expect(shown(build({}))).toEqual(["group "]);
    expect(build({}).hierarchy.nodes.get("")).toMatchObject({ declared: false });
    expect(codes(build({}))).toEqual([]);
  });

  it("infers groups that nothing declares and says so once", () => {
    const built = build({ "g/h/x/.zarray": ARRAY, "g/y/.zarray": ARRAY });
    expect(shown(built)).toEqual(["group ", "group g", "group g/h", "array g/h/x", "array g/y"]);
    expect(built.hierarchy.nodes.get("g")).toMatchObject({ declared: false, attributes: undefined });
    expect(built.findings).toMatchObject([
      { code: "group-implied", place: { kind: "node", path: "" }, facts: { others: 2 } },
    ]);
  });

  it.each([
    ["{", "closing"],
    ['{"zarr_format": 2}', "/shape"],
    ["[]", "an object"],
    [undefined, "The server returned 404"],
  ])("shows broken array metadata %j where it stands", (text, reason) => {
    const built = build({ ".zgroup": GROUP, "x/.zarray": text, "x/.zattrs": '{"units": "K"}' });
    const node = built.hierarchy.nodes.get("x");
    expect(node).toMatchObject({ kind: "broken", attributes: new Map([["units", "K"]]) });
    expect(built.findings).toMatchObject([{ code: "metadata-broken", place: { kind: "key", key: "x/.zarray" } }]);
    if (reason !== "closing") expect(node?.kind === "broken" && explained(node.reason).message).toContain(reason);
  });

  it("keeps a node whose attributes or group document are broken", () => {
    const built = build({
      ".zgroup": '{"zarr_format": 3}',
      ".zattrs": "nonsense",
      "x/.zarray": ARRAY,
      "x/.zattrs": "[1]",
    });
    expect(shown(built)).toEqual(["group ", "array x"]);
    expect(built.hierarchy.nodes.get("x")?.attributes).toBeUndefined();
    expect(codes(built)).toEqual(["metadata-broken", "attributes-broken", "attributes-broken", "group-implied"]);
  });

  it("shows chunks without metadata as broken arrays, unless a group stands there", () => {
    const built = build({ ".zgroup": GROUP, "g/.zgroup": GROUP, "h/x/.zarray": ARRAY }, ["lost", "g", "h"]);
    expect(shown(built)).toEqual(["group ", "group g", "group h", "array h/x", "broken lost"]);
    expect(codes(built)).toEqual([
      "array-metadata-missing",
      "chunks-without-array",
      "chunks-without-array",
      "group-implied",
    ]);
    const lost = built.hierarchy.nodes.get("lost");
    expect(lost?.kind === "broken" && lost.reason.code).toBe("array-metadata-missing");
  });

  it("finds arrays below arrays, arrays that are groups too, and an empty zarr.json", () => {
    const built = build({
      ".zgroup": GROUP,
      "a/.zarray": ARRAY,
      "a/.zgroup": GROUP,
      "a/b/c/.zarray": ARRAY,
      "v/zarr.json": "{}",
    });
    expect(shown(built)).toEqual(["group ", "array a", "group a/b", "array a/b/c", "broken v"]);
    expect(codes(built)).toEqual(["metadata-broken", "array-and-group", "array-inside-array", "group-implied"]);
  });

  it("keeps names as they are written", () => {
    const paths = [
      "with space",
      "Ünï",
      "__proto__",
      "constructor",
      "/lead",
      "a//b",
      "..",
      "../up",
      "a/./b",
      "x/",
      "a\\b",
    ];
    const built = build(Object.fromEntries([[".zgroup", GROUP], ...paths.map((path) => [`${path}/.zarray`, ARRAY])]));
    for (const path of paths) expect(built.hierarchy.nodes.get(path)).toMatchObject({ kind: "array", path });
    expect(built.hierarchy.childrenOf("")).toContain("__proto__");
    expect(built.hierarchy.nodes.get("a//b")?.name).toBe("/b");
    expect(built.findings.filter((finding) => finding.code === "path-odd").map(({ place }) => nodeOf(place))).toEqual(
      expect.arrayContaining(["/lead", "a//b", "..", "../up", "a/./b", "x/", "a\\b"]),
    );
    const backslash = built.findings.find(({ place }) => nodeOf(place) === "a\\b");
    expect(backslash?.facts).toEqual({ problem: "backslash" });
  });

  it("names what LINDI leaves out", () => {
    const built = build({
      ".zgroup": GROUP,
      "x/.zarray": ARRAY,
      "x/.zattrs": '{"_EXTERNAL_ARRAY_LINK": {"link_type": "hdf5_dataset"}}',
      "s/.zgroup": GROUP,
      "s/.zattrs": '{"_SOFT_LINK": {"path": "/x"}}',
    });
    expect(codes(built)).toEqual(["lindi-external-array-link", "lindi-soft-link"]);
  });

  it("passes findings of array metadata on with their place", () => {
    const built = build({ "x/.zarray": ARRAY.replace('"fill_value":0,', "") });
    expect(built.findings[0]).toMatchObject({
      code: "fill-value-missing",
      place: { kind: "node", path: "x", pointer: "/fill_value" },
    });
  });

  it("looks up none of the paths that are too deep, and lie in each other", () => {
    const paths = Array.from({ length: 1000 }, (_, depth) => `${"d/".repeat(depth + 1)}.zgroup`);
    const has = vi.spyOn(Map.prototype, "has");
    try {
      build(Object.fromEntries(paths.map((path) => [path, GROUP])));
      const deep = has.mock.calls.filter(([key]) => typeof key === "string" && key.length > 3 * MAX_DEPTH);
      expect(deep.length).toBeLessThan(3 * paths.length);
    } finally {
      has.mockRestore();
    }
  });

  it("stays within its budgets", () => {
    const deep = `${"d/".repeat(MAX_DEPTH + 10)}.zarray`;
    const tooDeep = build({ ".zgroup": GROUP, [deep]: ARRAY, [`${"/x".repeat(1_000_000)}/.zarray`]: ARRAY });
    expect(tooDeep.findings).toMatchObject([{ code: "hierarchy-too-deep", count: 2, facts: { limit: MAX_DEPTH } }]);
    expect(build({ [`${"d/".repeat(MAX_DEPTH)}.zarray`]: ARRAY }).hierarchy.nodes.size).toBe(MAX_DEPTH + 1);
    const many = function* (): Generator<{ key: string; text: string }> {
      for (let index = 0; index < MAX_NODES + 5; index += 1) yield { key: `n${index}/.zgroup`, text: GROUP };
    };
    const built = buildHierarchy(many(), [], codecTraits);
    expect(built.hierarchy.nodes.size).toBe(MAX_NODES);
    expect(built.findings).toMatchObject([{ code: "hierarchy-too-large", count: 6 }, { code: "group-implied" }]);
  });
});

describe("consolidated metadata", () => {
  const consolidated = (metadata: Record<string, unknown>): string =>
    JSON.stringify({ zarr_consolidated_format: 1, metadata });

  it("is used where the plain documents are absent, its values objects or text", () => {
    const built = build({
      ".zmetadata": consolidated({ ".zgroup": { zarr_format: 2 }, "x/.zarray": JSON.parse(ARRAY), "y/.zarray": ARRAY }),
    });
    expect(shown(built)).toEqual(["group ", "array x", "array y"]);
    expect(built.findings).toEqual([]);
  });

  it("holds below a group for what lies below it", () => {
    const built = build({
      ".zgroup": GROUP,
      "g/.zmetadata": consolidated({ ".zgroup": { zarr_format: 2 }, "x/.zarray": ARRAY }),
    });
    expect(shown(built)).toEqual(["group ", "group g", "array g/x"]);
  });

  it("gives way to the plain document, and a difference in meaning is said", () => {
    const other = ARRAY.replace('"<i2"', '"<f4"');
    const spaced = JSON.stringify(JSON.parse(ARRAY), null, 4);
    const built = build({
      ".zgroup": GROUP,
      "x/.zarray": ARRAY,
      "y/.zarray": ARRAY,
      ".zmetadata": consolidated({ "x/.zarray": JSON.parse(other), "y/.zarray": spaced }),
    });
    expect(built.hierarchy.nodes.get("x")).toMatchObject({ metadata: { dataType: { text: "<i2" } } });
    expect(built.findings).toMatchObject([
      {
        code: "consolidated-metadata-differs",
        place: { kind: "key", key: "x/.zarray" },
        facts: { consolidated: ".zmetadata", differs: { member: "dtype", plain: '"<i2"', copy: '"<f4"' } },
      },
    ]);
  });

  it("says which arrays it lacks", () => {
    const built = build({
      ".zgroup": GROUP,
      "x/.zarray": ARRAY,
      "y/.zarray": ARRAY,
      ".zmetadata": consolidated({ ".zgroup": { zarr_format: 2 }, "x/.zarray": ARRAY }),
    });
    expect(built.findings).toMatchObject([
      { code: "consolidated-lacks-array", place: { key: "y/.zarray" }, facts: { consolidated: ".zmetadata" } },
    ]);
  });

  it.each(["[", "{}", '{"metadata": []}', undefined])("that is broken (%j) is a finding", (text) => {
    const built = build({ ".zgroup": GROUP, ".zmetadata": text });
    expect(shown(built)).toEqual(["group "]);
    expect(codes(built)).toEqual(["consolidated-metadata-broken"]);
  });
});

describe("scale_factor", () => {
  const ARRAY_V3 =
    '"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int16","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},"chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]';

  it.each([
    ["10", true],
    ["10.0", undefined],
    ["1e1", undefined],
    ['"10"', undefined],
  ])("of %s is known as it was written, whichever document has it", (scale, integerScale) => {
    const attributes = `{"scale_factor":${scale}}`;
    const inV3 = `{${ARRAY_V3},"attributes":${attributes}}`;
    const sets = [
      { "a/.zarray": ARRAY, "a/.zattrs": attributes },
      { ".zmetadata": `{"metadata":{"a/.zarray":${ARRAY},"a/.zattrs":${attributes}}}` },
      { "a/zarr.json": inV3 },
      {
        "zarr.json": `{"zarr_format":3,"node_type":"group","consolidated_metadata":{"kind":"inline","metadata":{"a":${inV3}}}}`,
      },
    ];
    for (const texts of sets) {
      const node = build(texts).hierarchy.nodes.get("a");
      expect(node?.kind).toBe("array");
      expect(node?.integerScale).toBe(integerScale);
    }
  });
});

describe("paths", () => {
  it("are put together again from their parts, and every part is named", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("/", "a", "."), minLength: 1 }), (path) => {
        const parent = parentPath(path) ?? "";
        const name = nodeName(path);
        expect(name.length).toBeGreaterThan(0);
        expect(parent === "" ? name : `${parent}/${name}`).toBe(path);
        expect(parent.endsWith("/")).toBe(false);
        if (!isOddPath(path)) expect([...parent.split("/"), name].filter(Boolean)).toEqual(path.split("/"));
      }),
    );
  });
});

describe(corpus.title, () => {
  it("gives a hierarchy for every Kerchunk JSON, with a reason for every broken node", () => {
    let arrays = 0;
    const broken: string[] = [];
    for (const [file, refs] of referenceSets()) {
      const { hierarchy, findings } = buildHierarchy(documentsOf(refs), [], codecTraits);
      for (const node of hierarchy.nodes.values()) {
        if (node.kind === "array") arrays += 1;
        if (node.kind === "broken") broken.push(`${file} ${node.path}: ${node.reason.code}`);
      }
      expect(findings.every(({ place, facts }) => place !== undefined && facts !== undefined)).toBe(true);
    }
    expect(arrays).toBeGreaterThan(corpus.isWhole ? 650 : 30);
    // Two whose .zarray is a reference to a file of its own, which this test does not fetch.
    expect(broken.filter((line) => !line.startsWith("gen-zarr-of-zarr/tiny.inline0.json"))).toEqual([]);
  });
});

function referenceSets(): readonly (readonly [string, Map<string, unknown>])[] {
  return corpusFiles()
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const refs = refsOf(join(corpus.folder, file));
      return refs === undefined ? [] : [[file, refs] as const];
    });
}

function refsOf(file: string): Map<string, unknown> | undefined {
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as { refs?: Record<string, unknown> };
    const refs = Object.entries(value.refs ?? value);
    return refs.some(([key]) => /(?:^|\/)\.z(?:array|group)$/.test(key)) ? new Map(refs) : undefined;
  } catch {
    return undefined;
  }
}

function documentsOf(refs: Map<string, unknown>): { key: string; text: string | undefined; problem?: Finding }[] {
  return [...refs]
    .filter(([key]) => /(?:^|\/)\.z(?:array|group|attrs|metadata)$/.test(key))
    .map(([key, value]) => {
      if (Array.isArray(value)) return { key, text: undefined, problem: notFound(key) };
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return { key, text: text.startsWith("base64:") ? Buffer.from(text.slice(7), "base64").toString() : text };
    });
}
