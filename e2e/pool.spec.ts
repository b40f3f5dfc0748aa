/** Many chunks are decoded in workers of their own, which start when there is enough to do; without them nothing is lost. */
import { deflateSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { idle, openPage, statistic } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

const SIDE = 512;
const [DOWN, ACROSS] = [4, 6];
/** Before the first chunk, as files have headers. */
const HEADER = 4096;

/** Noise on a slope: zlib takes its time. */
function chunkOf(ordinal: number): Uint8Array {
  let state = ordinal + 1;
  const values = Float32Array.from({ length: SIDE * SIDE }, (_, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return ordinal + at / (SIDE * SIDE) + (state >>> 24) / 4096;
  });
  return deflateSync(new Uint8Array(values.buffer), { level: 1 });
}

function files(): Record<string, string | Uint8Array> {
  const shape = [DOWN * SIDE, ACROSS * SIDE];
  const common = { zarr_format: 2, dtype: "<f4", fill_value: 0, order: "C", compressor: { id: "zlib", level: 1 } };
  const zarray = JSON.stringify({ ...common, shape, chunks: [SIDE, SIDE], filters: null });
  const chunks = Array.from({ length: DOWN * ACROSS }, (_, ordinal) => chunkOf(ordinal));
  const refs: Record<string, unknown> = { ".zgroup": '{"zarr_format":2}', "a/.zarray": zarray };
  let offset = HEADER;
  for (const [ordinal, { length }] of chunks.entries()) {
    refs[`a/${Math.floor(ordinal / ACROSS)}.${ordinal % ACROSS}`] = ["data.bin", offset, length];
    offset += length;
  }
  return {
    "/refs.json": JSON.stringify({ version: 1, refs }),
    "/data.bin": Buffer.concat([new Uint8Array(HEADER), ...chunks]),
  };
}

let server: RangeServer;
test.beforeAll(async () => {
  server = await startRangeServer({ files: files() });
});
test.afterAll(() => server.stop());

const data = (page: Page) => page.getByRole("application", { name: "Data" });

/** The picture when all of the array is read. */
async function picture(page: Page): Promise<Buffer> {
  await openPage(page, `#url=${server.url("/refs.json")}&array=a&view=data`);
  await expect(data(page)).toHaveAttribute("data-read", String(DOWN * ACROSS));
  await expect(data(page)).toHaveAttribute("data-failed", "0");
  await idle(page);
  return data(page).screenshot();
}

const decoders = (page: Page) => page.workers().filter((one) => /\/decode\.worker\b/.test(one.url()));

/** The engine's worker then knows of no workers that it could start. */
function withoutNestedWorkers(): void {
  const Own = Worker;
  globalThis.Worker = class extends Own {
    constructor(address: string | URL, options?: WorkerOptions) {
      const engine = new URL(address, location.href).href;
      const script = `import ${JSON.stringify(engine)}; globalThis.Worker = undefined;`;
      super(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), options);
    }
  };
}

test(
  "a slice of many chunks is decoded in several workers, and is the same without them",
  { tag: "@deep" },
  async ({ page, browser }) => {
    const withWorkers = await picture(page);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    expect(decoders(page)).toHaveLength(Math.min(cores, 8));
    const other = await browser.newPage();
    await other.addInitScript(withoutNestedWorkers);
    const without = await picture(other);
    expect(decoders(other)).toEqual([]);
    expect(without.equals(withWorkers)).toBe(true);
  },
);

test("no worker for decoding is started where little is to be decoded", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&array=sst&view=data");
  await expect(data(page)).toHaveAttribute("data-read", "9");
  expect(decoders(page)).toEqual([]);
});

/** 44 MiB of zeros by bzip2: a gigabyte in 1 kB, which takes a minute to decode. */
const ZEROS = Buffer.from("QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXF3JFOFCQDgni3w==", "base64");
const BLOCK = 45_899_235;
const BLOCKS = 22;

test("Cancel ends the decoding of a large chunk, and the next one is read at once", async ({ page }) => {
  const common = { zarr_format: 2, dtype: "|u1", fill_value: 0, order: "C", filters: null };
  const bomb = { ...common, shape: [BLOCKS * BLOCK], chunks: [BLOCKS * BLOCK], compressor: { id: "bz2", level: 9 } };
  const inline = Buffer.concat(Array.from({ length: BLOCKS }, () => ZEROS)).toString("base64");
  const refs = {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": JSON.stringify(bomb),
    "a/0": `base64:${inline}`,
    "b/.zarray": JSON.stringify({ ...common, shape: [3], chunks: [3], compressor: null }),
    "b/0": "abc",
  };
  server.put("/bomb.json", JSON.stringify({ version: 1, refs }));
  const link = `#url=${encodeURIComponent(server.url("/bomb.json"))}&view=chunks`;
  await openPage(page, `${link}&array=a&chunk=0`);
  await page.getByRole("button", { name: "Read chunk" }).click();
  await expect.poll(() => decoders(page).length).toBeGreaterThan(0);
  await page.waitForTimeout(2000); // well into it
  await page
    .getByRole("status")
    .getByRole("button", { name: /Cancel/ })
    .click();
  const since = Date.now();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${link}&array=b&chunk=0`);
  await expect.poll(() => statistic(page, "Count")).toBe("3");
  expect(Date.now() - since).toBeLessThan(5000);
});
