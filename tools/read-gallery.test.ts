/** `npm run gallery` against a server of this machine that stands for those of the internet. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startRangeServer, type RangeServer } from "../e2e/support/range-server.ts";
import type { Gallery, PublicStore } from "../src/core/gallery/gallery.ts";
import type { Fetch } from "../src/io/http/http-target.ts";
import { runGallery } from "./read-gallery.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-gallery-"));
const file = join(folder, "stores.json");
const samples = resolve(import.meta.dirname, "../public/samples");
/** Public addresses, as the list has them. */
const HOST = "https://stores.example";

let server: RangeServer;
let printed: string[] = [];
beforeAll(async () => {
  server = await startRangeServer({ root: samples });
  // Named like a folder, as NOAA's are; its targets lie beside it.
  server.put("/best.nc.zarr", readFileSync(join(samples, "ocean-a.v1.json")));
  server.put("/empty.json", JSON.stringify({ version: 1, refs: { ".zgroup": '{"zarr_format": 2}' } }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const path of ["/best.nc.zarr", "/ocean-a.nc", "/best.nc.zarr/.zmetadata"]) server.misbehave(path, "");
});

const store = (id: string, path: string, more: Partial<PublicStore> = {}): PublicStore => ({
  id,
  name: id,
  publisher: "us",
  format: "as it may be",
  licence: null,
  shows: "What it shows.",
  size: null,
  address: `${HOST}${path}`,
  published: { address: `${HOST}${path}`, region: null, where: HOST },
  array: null,
  lastRead: null,
  crossOrigin: null,
  ...more,
});

const answering: Fetch = (url, init) => fetch(url.replace(HOST, server.origin), init);
const silent: Fetch = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ENOTFOUND" } }));

async function run(stores: readonly PublicStore[], how: { fetch?: Fetch; ids?: readonly string[] } = {}) {
  const gallery: Gallery = { groups: [{ name: "All", stores }] };
  const before = `${JSON.stringify(gallery, undefined, 2)}\n`;
  writeFileSync(file, before);
  const { fetch: asked = answering, ids = [] } = how;
  const status = await runGallery({ file, ids, today: "2026-11-23", fetch: asked });
  const after = readFileSync(file, "utf8");
  const dates = (JSON.parse(after) as Gallery).groups[0]!.stores.map(({ lastRead }) => lastRead);
  return { status, dates, printed: printed.join("\n"), isWritten: after !== before };
}

describe("npm run gallery", () => {
  it("opens each as it is, reads one chunk, and writes when", async () => {
    const ran = await run([
      store("kerchunk", "/ocean.v1.json"),
      store("icechunk", "/ocean.icechunk"),
      store("named-like-a-folder", "/best.nc.zarr"),
    ]);
    expect(ran).toMatchObject({ status: 0, dates: ["2026-11-23", "2026-11-23", "2026-11-23"] });
    expect(ran.printed).toMatch(/✓ kerchunk .*\n {2}\S+ decoded to [\d,]+ bytes\./);
    expect(ran.printed).toContain("3 of 3 stores read. The date 2026-11-23 is written for those that were.");
  });

  it("reads the array that the list names, and asks for those alone that it is told", async () => {
    const stores = [store("one", "/ocean.v1.json", { array: "sst" }), store("other", "/ocean-a.v1.json")];
    const ran = await run(stores, { ids: ["one"] });
    expect(ran).toMatchObject({ status: 0, dates: ["2026-11-23", null] });
    expect(ran.printed).toMatch(/\n {2}sst\/0\.0\.0 decoded/);
    const none = await run(stores, { ids: ["nothing"] });
    expect(none).toMatchObject({ status: 2, isWritten: false });
    expect(none.printed).toContain("Not in the list: nothing. It has one, other.");
  });

  it("dates nothing that was not read: not there, refused, no chunk", async () => {
    server.misbehave("/ocean-a.nc", "403");
    const ran = await run([
      store("gone", "/gone.json"),
      store("refused", "/ocean-a.v1.json"),
      store("empty", "/empty.json"),
      store("kept", "/ocean-a.v1.json", { lastRead: "2026-01-01", crossOrigin: true }),
    ]);
    expect(ran).toMatchObject({ status: 1, dates: [null, null, null, "2026-01-01"], isWritten: false });
    expect(ran.printed).toContain("no array was found to read a chunk of");
    expect(ran.printed).toMatch(/✕ refused .*\n.*\[http-status\]/);
    expect(ran.printed).toContain("0 of 4 stores read. Nothing was written.");
  });

  it("says where a page from elsewhere could not read what a terminal can", async () => {
    server.misbehave("/ocean-a.nc", "no-cors");
    const ran = await run([store("closed", "/ocean-a.v1.json")]);
    expect(ran).toMatchObject({ status: 0, dates: ["2026-11-23"] });
    expect(ran.printed).toContain(`Pages cannot read it: no CORS from ${HOST}.`);
    const [group] = (JSON.parse(readFileSync(file, "utf8")) as Gallery).groups;
    expect(group!.stores[0]!.crossOrigin).toBe(false);
  });

  it("without network says so and writes nothing", async () => {
    const ran = await run([store("a", "/ocean.v1.json"), store("b", "/ocean.icechunk")], { fetch: silent });
    expect(ran).toMatchObject({ status: 2, dates: [null, null], isWritten: false });
    expect(ran.printed).toContain("[host-unreachable]");
    expect(ran.printed).toContain("No server answered");
  });
});
