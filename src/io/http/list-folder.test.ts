import { describe, expect, it } from "vitest";
import { folderLister, type Listing } from "./list-folder.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

/** Lists by what a server answers; any other address is a 403. */
async function list(folder: string, answers: Readonly<Record<string, string>>, start = "") {
  const asked: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    asked.push(decodeURIComponent(url));
    const text = answers[decodeURIComponent(url)];
    return Promise.resolve(new Response(text ?? "", { status: text === undefined ? 403 : 200 }));
  };
  const relays = {
    placeOf: (url: string) => (url.startsWith("zarr://store/") ? url : undefined),
    asItIs: () => undefined,
  };
  const listing = await folderLister({ fetch, relays })(folder, start, CONTEXT);
  return { asked, listing: listing === undefined ? undefined : told(listing) };
}

const told = ({ files, folders, isCut }: Listing) => ({ files: [...files], folders: [...folders], isCut });

const s3 = (inside: string, token?: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>p/</Prefix><MaxKeys>1000</MaxKeys>
<IsTruncated>${token !== undefined}</IsTruncated>${token === undefined ? "" : `<NextContinuationToken>${token}</NextContinuationToken>`}${inside}</ListBucketResult>`;
const contents = (key: string, size: number | string = 5) =>
  `<Contents><Key>${key}</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><Size>${size}</Size></Contents>`;
const common = (prefix: string) => `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>`;

describe("a folder is listed", () => {
  it("of a bucket of S3, page by page", async () => {
    const at = "https://b.s3.us-west-2.amazonaws.com/?list-type=2&prefix=p/a b/&delimiter=/";
    const { asked, listing } = await list("https://b.s3.us-west-2.amazonaws.com/p/a%20b/", {
      [at]: s3(contents("p/a b/") + contents("p/a b/x &amp; +y.nc", 7) + common("p/a b/c/"), "t+1="),
      [`${at}&continuation-token=t+1=`]: s3(contents("p/a b/z.nc", "many")),
    });
    expect(listing).toEqual({
      files: [
        ["x & +y.nc", 7],
        ["z.nc", undefined],
      ],
      folders: ["c"],
      isCut: false,
    });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["https://s3.eu-west-1.amazonaws.com/b/p/", "https://s3.eu-west-1.amazonaws.com/b?list-type=2"],
    ["https://storage.googleapis.com/b/p/", "https://storage.googleapis.com/b?list-type=2"],
    ["https://b.storage.googleapis.com/p/", "https://b.storage.googleapis.com/?list-type=2"],
    ["http://127.0.0.1:9000/b/p/", "http://127.0.0.1:9000/b?list-type=2"],
    ["https://b.s3.example.org/p/", "https://b.s3.example.org/?list-type=2"],
    ["https://data.example.org/b/p/?sig=a%2Bb", "https://data.example.org/b?list-type=2&sig=a+b"],
  ])("%s", async (folder, at) => {
    const { listing } = await list(folder, { [`${at}&prefix=p/&delimiter=/`]: s3(contents("p/x.nc")) });
    expect(listing?.files).toEqual([["x.nc", 5]]);
  });

  it("of a container of Azure", async () => {
    const at = "https://account.blob.core.windows.net/c?restype=container&comp=list&prefix=p/&delimiter=/";
    const blob = (name: string) =>
      `<Blob><Name>${name}</Name><Properties><Creation-Time>x</Creation-Time><Content-Length>9</Content-Length></Properties></Blob>`;
    const answer = (inside: string, marker: string) =>
      `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ContainerName="c"><Prefix>p/</Prefix><Blobs>${inside}</Blobs>${marker}</EnumerationResults>`;
    const { listing } = await list("https://account.blob.core.windows.net/c/p/", {
      [at]: answer(`<BlobPrefix><Name>p/d/</Name></BlobPrefix>${blob("p/x.nc")}`, "<NextMarker>m!1</NextMarker>"),
      [`${at}&marker=m!1`]: answer(blob("p/y.nc"), "<NextMarker />"),
    });
    expect(listing).toEqual({
      files: [
        ["x.nc", 9],
        ["y.nc", 9],
      ],
      folders: ["d"],
      isCut: false,
    });
  });

  it("of a server that shows an index of it, and of no other page", async () => {
    const page = (title: string) => `<!DOCTYPE HTML><html><head><title>${title}</title></head><body>
      <a href="?C=N;O=D">Name</a> <a href="/data/">Parent</a> <a href="https://elsewhere.example/data/p/e.nc">e</a>
      <a href="x%20&amp;y.nc">x y.nc</a> <a href='sub/'>sub/</a> <a href="sub/deep.nc">deep</a> <a href="../up.nc">up</a></body></html>`;
    const folder = "https://data.example/data/p/";
    const { asked, listing } = await list(folder, { [folder]: page("Index of /data/p") });
    expect(listing).toEqual({ files: [["x &y.nc", undefined]], folders: ["sub"], isCut: false });
    expect(asked).toEqual(["https://data.example/data?list-type=2&prefix=p/&delimiter=/", folder]);
    expect((await list(folder, { [folder]: page("Our data") })).listing).toBeUndefined();
  });

  it("of another scheme, which the page's own server gives", async () => {
    const { listing } = await list("zarr://store/", {
      "zarr://store/": '<title>Index of /</title><a href="sst/">sst</a><a href="zarr.json">zarr.json</a>',
    });
    expect(listing).toEqual({ files: [["zarr.json", undefined]], folders: ["sst"], isCut: false });
  });

  it("from a beginning of names", async () => {
    const at = "https://s3.amazonaws.com/b?list-type=2&prefix=p/2024&delimiter=/";
    const { listing } = await list(
      "https://s3.amazonaws.com/b/p/",
      { [at]: s3(contents("p/2024-01.nc") + contents("p/2023.nc")) },
      "2024",
    );
    expect(listing?.files).toEqual([["2024-01.nc", 5]]);
  });
});

describe("what a stranger lists", () => {
  const folder = "https://s3.amazonaws.com/b/p/";
  const at = "https://s3.amazonaws.com/b?list-type=2&prefix=p/&delimiter=/";

  it("lies in the folder, or is left out", async () => {
    const keys = ["p/", "p/..", "p/.", "q/x.nc", "p/d/x.nc", "p//", "../x.nc", "", "x.nc", "p/ok.nc"].map((key) =>
      contents(key),
    );
    const { listing } = await list(folder, {
      [at]: s3(keys.join("") + common("p/../") + common("p/a/b/") + "<Contents/>"),
    });
    expect(listing).toEqual({ files: [["ok.nc", 5]], folders: [], isCut: false });
  });

  it("ends where a page comes again, where one does not come, and after so many", async () => {
    const loop = await list(folder, { [at]: s3(contents("p/1"), "t"), [`${at}&continuation-token=t`]: s3("", "t") });
    expect([loop.listing?.isCut, loop.asked.length]).toEqual([true, 2]);
    const broken = await list(folder, { [at]: s3(contents("p/1"), "t") });
    expect(broken.listing).toEqual({ files: [["1", 5]], folders: [], isCut: true });
    const many = Array.from({ length: 12_000 }, (_, index) => contents(`p/${index}`)).join("");
    const long = await list(folder, { [at]: s3(many, "t") });
    expect([long.listing?.isCut, long.asked.length]).toEqual([true, 1]);
    const old = await list(folder, { [at]: s3(contents("p/1"), "").replace("true", "true") });
    expect(old.listing?.isCut).toBe(true);
  });

  it.each([
    ["nothing", undefined],
    ["no XML", "{}"],
    ["other XML", "<Error><Code>NoSuchBucket</Code></Error>"],
    ["XML without end", `<ListBucketResult>${"<a>".repeat(100_000)}`],
  ])("as %s is not listed", async (_what, answer) => {
    expect((await list(folder, answer === undefined ? {} : { [at]: answer })).listing).toBeUndefined();
  });

  it("is waited for only until the user leaves", async () => {
    const controller = new AbortController();
    const fetch = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        controller.abort();
      });
    const listing = folderLister({ fetch })(folder, "", { ...CONTEXT, signal: controller.signal });
    await expect(listing).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("pages that servers write as an index", () => {
  const folder = "https://data.example/d/";
  const listed = async (head: string, links: readonly string[]) =>
    (await list(folder, { [folder]: `<!doctype html><html><head>${head}</head><body>${links.join("")}</body></html>` }))
      .listing;
  const link = (href: string) => `<a href="${href}">x</a>`;

  /**
   * Index pages as nginx 1.22.1, Debian's Apache 2.4, lighttpd 1.4.69, Python 3.11, caddy 2.6.2, rclone 1.60.1 and
   * others write them.
   */
  it.each([
    ["nginx", "<title>Index of /d/</title>", ["../", "g/", "t.nc"]],
    ["Apache", "<title>Index of /d</title>", ["?C=N;O=D", "/", "g/", "t.nc"]],
    ["Python", "<title>Directory listing for /d/</title>", ["g/", "t.nc"]],
    ["caddy", "<title>d</title>", ["../", "", "?sort=namedirfirst&order=desc", "..", "./g/", "./t.nc"]],
    ["rclone", "<title>/d</title>", ["../", "", "?sort=namedirfirst&order=asc", "..", "g/", "t.nc"]],
    ["IIS", "<title>data.example - /d/</title><a>[To Parent Directory]</a>", ["/", "/d/g/", "/d/t.nc"]],
    ["Jetty", "<title>Directory: /d/</title>", ["/", "/d/g/", "/d/t.nc"]],
    ["serve", "<title>Files within d/</title>", ["/", "/d/g/", "/d/t.nc"]],
    ["Express", "<title>listing directory /d/</title>", ["/", "/d/g/", "/d/t.nc"]],
  ])("%s", async (_, head, hrefs) => {
    expect(await listed(head, hrefs.map(link))).toMatchObject({ files: [["t.nc", undefined]], folders: ["g"] });
  });

  it("but no other page with links", async () => {
    expect(await listed("<title>Our data</title>", [link("g/"), link("?sort=name")])).toBeUndefined();
    expect(await listed("<title>Indexing</title>", [link("g/")])).toBeUndefined();
  });
});
