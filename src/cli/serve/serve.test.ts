/** Tests that zarrita over HTTP gets from `serve` what `read` reads. */
import { afterEach, describe, expect, test } from "vitest";
import * as zarr from "zarrita";
import { parseSelection } from "#core/plane/selection.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { readPart } from "#engine/many/array-part.ts";
import { CONTEXT } from "../testing/open-corpus.ts";
import { openSet } from "../open-refs.ts";
import type { Loopback } from "./loopback.ts";
import { serveStore } from "./serve-command.ts";

let server: Loopback | undefined;

afterEach(() => server?.close());

async function served(refs: string, options = {}): Promise<string> {
  server = await serveStore(refs, { threads: 0, ...options }, CONTEXT);
  return server.base;
}

async function readBy(base: string, { path }: ArrayNode): Promise<Uint8Array | undefined> {
  const array = await zarr.open.v2(zarr.root(new zarr.FetchStore(base)).resolve(`/${path}`), { kind: "array" });
  const { data } = array.shape.length === 0 ? await array.getChunk([]) : await zarr.get(array, null);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined;
}

describe("serve", () => {
  test.each([
    ["the sample", "public/samples/ocean.v1.json", 8],
    ["GRIB messages", "src/formats/grib/fixtures/surface.grib2", 4],
    ["shards", "corpus/zarrs-v2-v3/sharded_array_write_read.zarr", 1],
    ["an Icechunk repository", "public/samples/ocean.icechunk", 4],
  ])("gives %s as it is read", async (_, refs, least) => {
    const set = await openSet(refs, {}, CONTEXT);
    const base = await served(refs);
    let equal = 0;
    for (const node of set.hierarchy.nodes.values()) {
      if (node.kind !== "array" || node.metadata.dataType.kind === "object") continue;
      const part = await readPart(
        { set, node, selection: parseSelection("", node.metadata.shape), cf: false },
        CONTEXT,
      );
      expect(part.failed.size).toBe(0);
      const theirs = await readBy(base, node);
      if (theirs === undefined) continue;
      expect([node.path, Buffer.compare(theirs, part.bytes)]).toEqual([node.path, 0]);
      equal += 1;
    }
    expect(equal).toBeGreaterThanOrEqual(least);
  });

  test("gives stored bytes where any reader has the codec, with what is said of them, and decoded ones elsewhere", async () => {
    const stored = await served("corpus/gdal-zarr-v2-all/zlib.zarr");
    expect(await (await fetch(`${stored}.zarray`)).json()).toMatchObject({ compressor: { id: "zlib" } });
    const whole = await fetch(`${stored}0`);
    expect(whole.headers.get("content-length")).toBe("10");
    const part = await fetch(`${stored}0`, { headers: { range: "bytes=2-5" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 2-5/10"]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(Buffer.from(await whole.arrayBuffer()).subarray(2, 6));
    expect((await fetch(`${stored}0`, { method: "HEAD" })).headers.get("content-length")).toBe("10");

    const base = await served("public/samples/ocean.v1.json");
    const all = (await (await fetch(`${base}.zmetadata`)).json()) as { metadata: Record<string, object> };
    expect(all.metadata["sst/.zarray"]).toMatchObject({ filters: null, compressor: null });
    expect(await (await fetch(`${base}sst/.zarray`)).json()).toEqual(all.metadata["sst/.zarray"]);
    for (const none of ["sst/9.9.9", "sparse/0.1", "nothing", "sst/", ".zmetadata/x"])
      expect([none, (await fetch(base + none)).status]).toEqual([none, 404]);
  });

  test("takes no failure for a missing chunk, and says it", async () => {
    const base = await served("public/samples/ocean-broken.json");
    const set = await openSet("public/samples/ocean-broken.json", {}, CONTEXT);
    const statuses = new Map<number, number>();
    let said = "";
    for (const node of set.hierarchy.nodes.values()) {
      if (node.kind !== "array" || node.path !== "sst") continue;
      for (let t = 0; t < 6; t += 1)
        for (let y = 0; y < 3; y += 1)
          for (let x = 0; x < 3; x += 1) {
            const answer = await fetch(`${base}sst/${t}.${y}.${x}`);
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            if (answer.status === 500) said = await answer.text();
          }
    }
    expect(statuses.get(500)).toBeGreaterThan(0);
    expect(said).toMatch(/ocean-a\.nc|ocean-b\.nc|bytes|source/);
  });

  test("is open to no other site's page unless it is said", async () => {
    const page = { origin: "https://viewer.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
    const closed = await served("public/samples/ocean-a.v1.json");
    expect((await fetch(`${closed}.zgroup`, { headers: page })).status).toBe(403);
    server?.close();
    const open = await served("public/samples/ocean-a.v1.json", { cors: true });
    const answer = await fetch(`${open}.zgroup`, { headers: page });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect((await fetch(`${open}.zgroup`, { method: "OPTIONS", headers: page })).status).toBe(204);
    expect((await fetch(open.replace(/\/[^/]+\/$/, "/x/.zgroup"), { headers: page })).status).toBe(404);
  });
});
