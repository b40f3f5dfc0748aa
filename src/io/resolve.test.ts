import { runs } from "../core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { targetAt, WHOLE_SET } from "../core/findings/fact.ts";
import { type Locations, NO_LOCATIONS, type Resolution } from "../core/byte-source.ts";
import { droppedFiles, type LocalFiles } from "./local-files.ts";
import { resolveTarget, type BaseLocation } from "./resolve.ts";

const web: BaseLocation = { kind: "url", url: "https://data.example/sets/refs.json?v=1" };
const pasted: BaseLocation = { kind: "text" };

function resolve(
  target: string | null,
  locations: Partial<Locations> = {},
  base: BaseLocation = web,
  files?: LocalFiles,
): Resolution {
  return resolveTarget(target, base, { ...NO_LOCATIONS, ...locations }, files);
}

function urlOf(resolution: Resolution): string {
  return resolution.kind === "url"
    ? resolution.url
    : `${resolution.kind} ${"finding" in resolution ? resolution.finding.code : ""}`;
}

const files = (...paths: string[]): LocalFiles => droppedFiles(paths.map((path) => ({ path, blob: new Blob([path]) })));

describe("public addresses", () => {
  it.each([
    ["https://a.example/x/y.nc", "https://a.example/x/y.nc"],
    ["http://a.example/a b.nc", "http://a.example/a%20b.nc"],
    ["https://a.example/a?list=1&x=2", "https://a.example/a?list=1&x=2"],
    ["HTTPS://A.example/X", "https://a.example/X"],
    ["s3://bucket/some/key.nc", "https://bucket.s3.amazonaws.com/some/key.nc"],
    ["s3a://bucket/key", "https://bucket.s3.amazonaws.com/key"],
    ["s3://my.bucket/key", "https://s3.amazonaws.com/my.bucket/key"],
    ["s3://Old_Bucket/key", "https://s3.amazonaws.com/Old_Bucket/key"],
    ["s3://bucket/time=2020/a:b,c@d.nc", "https://bucket.s3.amazonaws.com/time=2020/a:b,c@d.nc"],
    ["s3://bucket/a#b?c d%20+é.nc", "https://bucket.s3.amazonaws.com/a%23b%3Fc%20d%2520%2B%C3%A9.nc"],
    ["s3://bucket//double//slash", "https://bucket.s3.amazonaws.com//double//slash"],
    ["gs://bucket/k/ey", "https://storage.googleapis.com/bucket/k/ey"],
    ["gcs://my.bucket/key", "https://storage.googleapis.com/my.bucket/key"],
    ["az://box@acc.blob.core.windows.net/a/b c", "https://acc.blob.core.windows.net/box/a/b%20c"],
    ["abfs://box@acc.dfs.core.windows.net/a/b", "https://acc.blob.core.windows.net/box/a/b"],
    ["abfss://box@acc/a/b", "https://acc.blob.core.windows.net/box/a/b"],
    ["az://acc.blob.core.windows.net/box/a/b", "https://acc.blob.core.windows.net/box/a/b"],
    ["simplecache::s3://bucket/key", "https://bucket.s3.amazonaws.com/key"],
    ["filecache::blockcache::gs://bucket/key", "https://storage.googleapis.com/bucket/key"],
    ["https://a.example/x::y", "https://a.example/x::y"],
    ["s3://bucket/x::y", "https://bucket.s3.amazonaws.com/x::y"],
    ["https://[2606:4700::1111]/x", "https://[2606:4700::1111]/x"],
  ])("%s → %s", (target, url) => {
    expect(urlOf(resolve(target))).toBe(url);
  });

  it("in the region given", () => {
    expect(urlOf(resolve("s3://bucket/k", { region: "eu-west-1" }))).toBe(
      "https://bucket.s3.eu-west-1.amazonaws.com/k",
    );
    expect(urlOf(resolve("s3://a.b/k", { region: "us-west-2" }))).toBe("https://s3.us-west-2.amazonaws.com/a.b/k");
    expect(urlOf(resolve("s3://bkt/k", { region: "cn-north-1" }))).toBe("https://bkt.s3.cn-north-1.amazonaws.com.cn/k");
    expect(urlOf(resolve("s3://bucket/k", { region: "evil.example/" }))).toBe("unresolved target-malformed");
  });

  it("say their step", () => {
    expect(resolve("s3://bucket/k").steps).toEqual(["s3://bucket/… → public HTTPS address of the bucket"]);
    expect(resolve("simplecache::https://a.example/x").steps).toEqual([
      "simplecache:: is only a cache, and is left out",
    ]);
    expect(resolve("https://a.example/x#frag")).toMatchObject({ url: "https://a.example/x" });
    expect(resolve("https://a.example/x#frag").steps.join()).toContain("#frag");
  });

  it("whatever the key, it comes back from the URL's path, and the host is the bucket's", () => {
    const key = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const law = fc.property(key, (key) => {
      const resolution = resolve(`s3://bucket/${key}`);
      if (resolution.kind !== "url") {
        expect(key).toMatch(/(^|\/)\.{1,2}(\/|$)|\{\{/);
        return;
      }
      const url = new URL(resolution.url);
      expect([url.host, url.search, url.hash]).toEqual(["bucket.s3.amazonaws.com", "", ""]);
      expect(decodeURIComponent(url.pathname.slice(1))).toBe(key);
    });
    fc.assert(law, { numRuns: runs(500) });
  });

  it("whatever the text, nothing throws, and only http(s) comes out", () => {
    const head = fc.constantFrom(
      "",
      "s3://",
      "gs://",
      "az://",
      "https://",
      "file://",
      "x::",
      "/",
      "//",
      "C:\\",
      "data:",
      "ftp://",
    );
    const law = fc.property(head, fc.string({ unit: "binary", maxLength: 40 }), (head, tail) => {
      const resolution = resolve(head + tail);
      if (resolution.kind === "url") expect(["http:", "https:"]).toContain(new URL(resolution.url).protocol);
      else expect(resolution).toMatchObject({ finding: { code: expect.stringMatching(/^target-/) as string } });
    });
    fc.assert(law, { numRuns: runs(1000) });
  });
});

describe("what cannot be resolved is named, at its place", () => {
  it.each([
    [null, "target-null"],
    ["", "target-malformed"],
    ["https://", "target-malformed"],
    ["https://user:pass@a.example/x", "target-has-credentials"],
    ["https://a.example/{{u}}/x", "target-has-template"],
    ["s3://-data/x", "target-malformed"],
    ["s3:///key", "target-malformed"],
    ["s3://evil.example#/key", "target-malformed"],
    ["s3://a@evil.example/key", "target-malformed"],
    ["s3://bucket/a/../b", "target-malformed"],
    ["az://box/a/b", "target-account-missing"],
    ["abfs://box@acc.evil.example/a", "target-malformed"],
    ["zip://inner.nc::zip://b.zip::s3://bucket/all.zip", "target-chained"],
    ["zip://inner.nc::data:,x", "target-chained"],
    ["zip://inner.nc::tar://a.zip::s3://bucket/all.tar", "target-chained"],
    ["zip://inner.nc::", "target-malformed"],
    ["zip://::s3://bucket/all.zip", "target-malformed"],
    ["zip://inner.nc::ftp://a.example/all.zip", "target-scheme-unsupported"],
    ["zip://inner.nc::/data/all.zip", "target-is-local"],
    ["zip://inner.nc::http://10.0.0.1/all.zip", "target-private-address"],
    ["zip://inner.nc", "target-archive-unnamed"],
    ["zip:///folder/inner.nc", "target-archive-unnamed"],
    ["data:text/plain", "target-data-malformed"],
    ["data:,see://there", "target-data-malformed"],
    ["DATA:,x", "target-scheme-unsupported"],
    ["reference://::s3://bucket/refs.json", "target-chained"],
    ["tar::https://a.example/x.tar", "target-chained"],
    ["memory://x", "target-scheme-unsupported"],
    ["ftp://a.example/x", "target-scheme-unsupported"],
    ["hdfs://a/x", "target-scheme-unsupported"],
    ["javascript:alert(1)", "target-scheme-unsupported"],
    ["file:///etc/passwd", "target-is-local"],
    ["/badc/data/x.nc", "target-is-local"],
    ["C:\\data\\x.nc", "target-is-local"],
    ["\\\\server\\share\\x.nc", "target-is-local"],
  ])("%s: %s", (target, code) => {
    const resolution = resolve(target);
    const place = target === null ? WHOLE_SET : targetAt(target);
    expect(resolution).toMatchObject({ kind: "unresolved", finding: { code, place } });
  });
});

describe("data in a URL", () => {
  it("is what it is, templates and all", () => {
    for (const url of ["data:,x", "data:;base64,AAAA", "data:,{{a}}::b", "data:///;base64,AAAA"]) {
      expect(resolve(url)).toMatchObject({ kind: "data", url });
    }
  });
});

describe("a file in a zip archive", () => {
  const given = droppedFiles([
    { path: "set/refs.json", blob: new Blob([]) },
    { path: "set/all.zip", blob: new Blob([]) },
  ]);

  it.each([
    ["zip://in/a.nc::https://a.example/all.zip", "https://a.example/all.zip"],
    ["zip:///in/a.nc::simplecache::https://a.example/all.zip", "https://a.example/all.zip"],
    ["simplecache::zip://in/a.nc::s3://bucket/all.zip", "https://bucket.s3.amazonaws.com/all.zip"],
    ["zip://in/a.nc::all.zip", "https://data.example/sets/all.zip"],
  ])("%s", (target, url) => {
    expect(resolve(target)).toMatchObject({ kind: "member", path: "in/a.nc", archive: { kind: "url", url } });
  });

  it("of which the archive is among the files", () => {
    const archive = { kind: "file", path: "set/all.zip" };
    const base = { kind: "file", path: "set/refs.json" } as const;
    for (const target of ["zip://a::all.zip", "zip://a::file:///data/all.zip", "zip://a", "zip:///a"]) {
      expect(resolve(target, {}, base, given)).toMatchObject({ kind: "member", path: "a", archive });
    }
  });

  it("of which the archive is the set's target, or is rewritten", () => {
    const target = "https://a.example/all.zip";
    expect(resolve("zip://a", { target })).toMatchObject({ kind: "member", archive: { url: target } });
    const rewrites = [{ from: "s3://bucket/", to: "https://a.example/" }];
    expect(resolve("zip://a::s3://bucket/all.zip", { rewrites })).toMatchObject({ archive: { url: target } });
  });
});

describe("relative targets", () => {
  it.each([
    ["a.nc", "https://data.example/sets/a.nc"],
    ["./a.nc", "https://data.example/sets/a.nc"],
    ["../up/a.nc", "https://data.example/up/a.nc"],
    ["sub/a b#1?.nc", "https://data.example/sets/sub/a%20b%231%3F.nc"],
    ["12:00.nc", "https://data.example/sets/12:00.nc"],
  ])("%s beside the document's URL", (target, url) => {
    expect(urlOf(resolve(target))).toBe(url);
  });

  it("have nothing beside them in a paste", () => {
    expect(resolve("era5-pds/2020/x.nc", {}, pasted)).toMatchObject({ finding: { code: "target-relative" } });
  });

  it("are found beside a dropped reference file before anywhere else", () => {
    const given = files("set/refs/r.json", "set/data/a.nc", "other/data/a.nc");
    const base: BaseLocation = { kind: "file", path: "set/refs/r.json" };
    expect(resolve("../data/a.nc", {}, base, given)).toMatchObject({ kind: "file", path: "set/data/a.nc" });
    expect(resolve("../data/b.nc", {}, base, given)).toMatchObject({ finding: { code: "target-relative" } });
  });
});

describe("a relative path that a URL parser would take elsewhere", () => {
  const SIGNED = "?sig=SECRET";
  const folder = "https://data.example/sets/";
  const bases: readonly (readonly [string, BaseLocation])[] = [
    ["of a plain set", { kind: "url", url: `${folder}refs.json?sig=SECRET` }],
    ["of a manifest", { kind: "url", url: folder, query: SIGNED }],
    ["of a store", { kind: "url", url: folder, query: SIGNED, exact: true }],
  ];
  const paths: readonly (readonly [string, string])[] = [
    ["\\/evil.example:9903/x", "%5C/evil.example:9903/x"],
    ["\t//evil.example/x", "%09//evil.example/x"],
    [" //evil.example/x", "%20//evil.example/x"],
    ["\n\\\\evil.example/x", "%0A%5C%5Cevil.example/x"],
    ["\thttps://evil.example/x", "%09https://evil.example/x"],
    ["ht\ntps:x", "ht%0Atps:x"],
    ["%2e%2e/%2F/x", "%252e%252e/%252F/x"],
    ["\t", "%09"],
    ["a.nc ", "a.nc%20"],
  ];
  const cases = bases.flatMap(([what, base]) => paths.map(([path, url]) => ({ what, base, path, url })));

  it.each(cases)("$path $what stays below it", ({ base, path, url }) => {
    const query = base.kind === "url" ? (base.query ?? "") : "";
    expect(urlOf(resolve(path, {}, base))).toBe(folder + url + query);
  });

  it("which leads out of the folder of a signed store does not carry the signature along", () => {
    for (const [, base] of bases.slice(1)) {
      const resolution = resolve("../../other-bucket/x", {}, base);
      expect(urlOf(resolution)).toBe("https://data.example/other-bucket/x");
      expect(resolution.steps.at(-1)).toContain("its address is not sent there");
      expect(urlOf(resolve("a\\..\\..\\x", {}, base))).toBe(`${folder}a%5C..%5C..%5Cx`);
    }
    expect(resolve("half \ud800", {}, web)).toMatchObject({ finding: { code: "target-malformed" } });
  });

  it("whatever it is, only the base's host is asked, and the signature stays in the folder", () => {
    const text = fc.string({
      unit: fc.constantFrom("/", "\\", "\t", "\n", " ", ".", ":", "@", "%2f", "?", "#", "a", "é"),
    });
    const law = fc.property(text, fc.constantFrom(...bases), (text, [, base]) => {
      const resolution = resolve(text, {}, base);
      if (resolution.kind !== "url") return;
      const url = new URL(resolution.url);
      expect(url.origin).toBe("https://data.example");
      if (url.search !== "") expect([url.search, url.pathname.startsWith("/sets/")]).toEqual([SIGNED, true]);
    });
    fc.assert(law, { numRuns: runs(1000) });
  });
});

describe("local files", () => {
  it.each([
    ["/home/me/work/data/a.nc", "data/a.nc", "matched by name"],
    ["file:///home/me/data/a.nc", "data/a.nc", "matched by name"],
    ["C:\\me\\data\\a.nc", "data/a.nc", "matched by name"],
    ["data/a.nc", "data/a.nc", "found at its whole path"],
    ["file:///x/b%20c.nc", "b c.nc", "matched by name"],
    ["hdfs://host/x/b c.nc", "b c.nc", "matched by name"],
    ["az://box/data/a.nc", "data/a.nc", "matched by name"],
    ["ftp://host/100%.nc", "100%.nc", "matched by name"],
  ])("%s is %s, %s", (target, path, how) => {
    const resolution = resolve(target, {}, pasted, files("data/a.nc", "b c.nc", "100%.nc"));
    expect(resolution).toMatchObject({ kind: "file", path });
    expect(resolution.steps.at(-1)).toContain(how);
  });

  it("are not put in the place of a URL that can be read", () => {
    expect(urlOf(resolve("s3://bucket/data/a.nc", {}, pasted, files("data/a.nc")))).toContain("https://bucket");
  });

  it("that fit equally well are reported, unless a longer end decides", () => {
    const two = files("x/a.nc", "y/a.nc");
    expect(resolve("/z/a.nc", {}, pasted, two)).toMatchObject({ finding: { code: "target-ambiguous" } });
    expect(resolve("/z/y/a.nc", {}, pasted, two)).toMatchObject({ kind: "file", path: "y/a.nc" });
  });

  it("match whole components only, and hostile names harm nothing", () => {
    expect(resolve("/data/ba.nc", {}, pasted, files("a.nc"))).toMatchObject({ finding: { code: "target-is-local" } });
    expect(resolve("/x/__proto__", {}, pasted, files("a.nc"))).toMatchObject({ finding: { code: "target-is-local" } });
    expect(resolve("/x/..", {}, pasted, files("a.nc"))).toMatchObject({ finding: { code: "target-is-local" } });
  });

  it("whatever folder precedes it, a path finds its file", () => {
    const name = fc.stringMatching(/^[a-z0-9 %#]{1,8}$/).filter((text) => text.trim() !== "");
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const law = fc.property(path, path, (before, own) => {
      const given = files(own.join("/"));
      const match = given.find(`/${[...before, ...own].join("/")}`);
      expect(match).toEqual({ kind: "match", path: own.join("/"), how: "name" });
    });
    fc.assert(law, { numRuns: runs(300) });
  });
});

describe("what the user says", () => {
  const to = (from: string, to: string): Partial<Locations> => ({ rewrites: [{ from, to }] });

  it("a null URL is the set's target", () => {
    const resolution = resolve(null, { target: "s3://bucket/k" });
    expect(urlOf(resolution)).toBe("https://bucket.s3.amazonaws.com/k");
    expect(resolution.steps[0]).toContain("null URL");
  });

  it("the longest rule rewrites, once", () => {
    const rewrites = [
      { from: "s3://", to: "https://short.example/" },
      { from: "s3://bucket/", to: "https://long.example/" },
      { from: "https://long.example/", to: "https://twice.example/" },
      { from: "", to: "https://nothing.example/" },
    ];
    expect(urlOf(resolve("s3://bucket/k", { rewrites }))).toBe("https://long.example/k");
    expect(urlOf(resolve("s3://other/k", { rewrites }))).toBe("https://short.example/other/k");
    expect(resolve("s3://bucket/k", { rewrites }).steps[0]).toBe(
      "rewrite rule: s3://bucket/… → https://long.example/…",
    );
  });

  it("rules also reach what nothing else could", () => {
    expect(urlOf(resolve("/badc/x.nc", to("/badc/", "https://ceda.example/")))).toBe("https://ceda.example/x.nc");
    expect(urlOf(resolve("zip://a::b", to("zip://", "https://unzipped.example/")))).toBe(
      "https://unzipped.example/a::b",
    );
    expect(urlOf(resolve("pds/x.nc", to("pds/", "s3://pds/")))).toBe("https://pds.s3.amazonaws.com/x.nc");
  });
});

describe("private addresses", () => {
  const near = "http://localhost:8000/a.nc";

  it.each<[string, BaseLocation]>([
    ["a public URL", web],
    ["a paste", pasted],
    ["a file", { kind: "file", path: "refs.json" }],
  ])("are not read unasked for a set from %s", (_, base) => {
    expect(resolve(near, {}, base)).toMatchObject({ finding: { code: "target-private-address" } });
    expect(resolve("http://169.254.169.254/x", {}, base)).toMatchObject({
      finding: { code: "target-private-address" },
    });
    expect(resolve(near, { allowPrivate: true }, base)).toMatchObject({ kind: "url", url: near });
  });

  it("are read for a set that comes from one", () => {
    const home: BaseLocation = { kind: "url", url: "http://127.0.0.1:5173/samples/refs.json" };
    expect(resolve(near, {}, home)).toMatchObject({ kind: "url", url: near });
    expect(urlOf(resolve("ocean.h5", {}, home))).toBe("http://127.0.0.1:5173/samples/ocean.h5");
  });

  it("are read where the user's own rule or target leads there, and only there", () => {
    const rewrites = [{ from: "s3://b/", to: "http://localhost:8000/" }];
    expect(urlOf(resolve("s3://b/a.nc", { rewrites }))).toBe("http://localhost:8000/a.nc");
    expect(urlOf(resolve(null, { target: near }))).toBe(near);
    const open = [{ from: "s3://b/", to: "http://localhost" }];
    expect(resolve("s3://b/:9000/x", { rewrites: open })).toMatchObject({
      finding: { code: "target-private-address" },
    });
    expect(resolve("s3://b/:p@10.0.0.1/x", { rewrites: open })).toMatchObject({
      finding: { code: "target-has-credentials" },
    });
  });
});
