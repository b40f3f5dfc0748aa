/**
 * `npm run bench -- --page-open [--rounds 3 --rows 1000000 --port 4198]`: how long the first picture takes in the built page, from
 * the click that opens the sample, and from the Enter that opens a set of so many references from a server of this machine;
 * each until every chunk of the picture is read.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { busyWords, printColumns, servePage } from "./built-page.ts";

const [ROWS, COLUMNS, SIDE] = [25, 40, 8] as const;
const CELLS = ROWS * COLUMNS;
const CHUNK_BYTES = SIDE * SIDE * 2;

/** Every step refers to the same bytes: only the document is large. */
function writeDocument(references: number): string {
  const steps = Math.ceil(references / CELLS);
  const zarray = JSON.stringify({
    zarr_format: 2,
    shape: [steps, ROWS * SIDE, COLUMNS * SIDE],
    chunks: [1, SIDE, SIDE],
    dtype: "<i2",
    compressor: null,
    filters: null,
    fill_value: null,
    order: "C",
  });
  const zattrs = JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "y", "x"] });
  const metadata = { ".zgroup": '{"zarr_format":2}', "field/.zarray": zarray, "field/.zattrs": zattrs };
  const lines = [`{"version":1,"refs":${JSON.stringify(metadata).slice(0, -1)}`];
  for (let step = 0; step < steps; step += 1) {
    for (let cell = 0; cell < CELLS; cell += 1) {
      const key = `${step}.${Math.floor(cell / COLUMNS)}.${cell % COLUMNS}`;
      lines.push(`,\n"field/${key}":["data.bin",${cell * CHUNK_BYTES},${CHUNK_BYTES}]`);
    }
  }
  return `${lines.join("")}}}`;
}

function serve(document: string) {
  const data = Buffer.from(Int16Array.from({ length: (CELLS * CHUNK_BYTES) / 2 }, (_, at) => at % 997).buffer);
  const server = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "content-range, content-length");
    if (request.url === "/refs.json") return void response.end(document);
    const [, first = "0", last = String(data.length - 1)] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    response.writeHead(206, { "content-range": `bytes ${first}-${last}/${data.length}` });
    response.end(data.subarray(Number(first), Number(last) + 1));
  });
  return new Promise<{ readonly address: string; readonly close: () => void }>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/refs.json`;
      resolve({
        address,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      });
    });
  });
}

const OPENINGS = (address: string): Readonly<Record<string, (page: Page) => Promise<void>>> => ({
  sample: async (page) => {
    await page.getByRole("button", { name: "Ocean sample", exact: true }).click();
    await picture(page, "sst", 9);
  },
  "large set": async (page) => {
    await page.getByRole("textbox", { name: /URL/ }).fill(address);
    await page.keyboard.press("Enter");
    await picture(page, "field", CELLS);
  },
});

async function picture(page: Page, array: string, chunks: number): Promise<void> {
  const timeout = 120_000;
  await page
    .getByRole("tree", { name: "Hierarchy" })
    .getByRole("treeitem", { name: array, exact: true })
    .click({ timeout });
  await page.locator(`[role=application][data-read="${chunks}"]`).waitFor({ timeout });
}

export async function benchPageOpen(
  words: readonly string[],
  median: (numbers: readonly number[]) => number,
): Promise<void> {
  const value = (name: string, otherwise: number) =>
    words.includes(`--${name}`) ? Number(words[words.indexOf(`--${name}`) + 1]) : otherwise;
  const files = await serve(writeDocument(value("rows", 1_000_000)));
  const pages = await servePage(value("port", 4198));
  const taken = new Map<string, number[]>();
  try {
    for (let round = 0; round < value("rounds", 3); round += 1) {
      console.log(`round ${round + 1}: ${busyWords()}`);
      for (const [name, open] of Object.entries(OPENINGS(files.address))) {
        const { page, chromium } = await pages.open({ width: 1440, height: 900 });
        const started = performance.now();
        await open(page);
        taken.set(name, [...(taken.get(name) ?? []), (performance.now() - started) / 1000]);
        await chromium.close();
      }
    }
  } finally {
    await pages.close();
    files.close();
  }
  const rows = [...taken].map(([name, all]) => [name, median(all).toFixed(2), Math.min(...all).toFixed(2)]);
  printColumns([["seconds to the first picture", "median", "least"], ...rows]);
}
