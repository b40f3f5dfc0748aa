/**
 * Takes the pictures of the documentation from the page in `dist/`. `npm run docs` calls it with `--out dist/screens`,
 * and shows those; without `--out` it renews the ones in `docs/screens`, which README and GitHub show.
 *
 *     npx vite build && node --import tsx tools/screens.ts [--out FOLDER] [NAME …]
 *
 * Without a built page or a Chromium it says so, and takes none.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { preview } from "vite";
import { startRangeServer } from "../e2e/support/range-server.ts";
import { SHARDED } from "../e2e/support/stores.ts";
import { findChromium } from "./ensure.mjs";

const PORT = 4199;
const ROOT = resolve(import.meta.dirname, "..");
const OCEAN = "#url=samples/ocean.v1.json";
const BROKEN = "#url=samples/ocean-broken.json";
const POINT = "&slice=2,:,:&point=2,29,29";

interface Shot {
  readonly name: string;
  readonly hash: string;
  readonly width?: 390;
  readonly dark?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const shots = (sharded: string): readonly Shot[] => [
  { name: "start", hash: "" },
  { name: "overview", hash: OCEAN },
  { name: "check", hash: `${BROKEN}&view=check`, before: openFirstProblem },
  { name: "data", hash: `${OCEAN}&array=sst&view=data${POINT}` },
  { name: "data-dark", hash: `${OCEAN}&array=sst&view=data${POINT}`, dark: true },
  { name: "failed-chunk", hash: `${BROKEN}&array=sst&view=data&slice=2,:,:&point=2,29,92&chunk=0.0.1` },
  { name: "chunks", hash: `${OCEAN}&array=sst&view=chunks&chunk=0.0.0` },
  { name: "shard", hash: `#url=${encodeURIComponent(sharded)}&view=chunks` },
  { name: "phone", hash: `${OCEAN}&array=sst&view=data${POINT}`, width: 390 },
];

async function openFirstProblem(page: Page): Promise<void> {
  await page.getByRole("list", { name: "Problems" }).getByRole("button", { expanded: false }).first().click();
}

const idle = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.pending === "0");

async function settled(page: Page): Promise<void> {
  await idle(page);
  await page.waitForTimeout(600);
  await idle(page);
}

/** WebP of the page as it stands: Playwright itself writes PNG alone. */
async function take(page: Page): Promise<Buffer> {
  const png = (await page.screenshot()).toString("base64");
  await page.goto("about:blank");
  const bytes = await page.evaluate(async (source) => {
    const image = await createImageBitmap(await (await fetch(source)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    const webp = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
    return Array.from(new Uint8Array(await webp.arrayBuffer()));
  }, `data:image/png;base64,${png}`);
  return Buffer.from(bytes);
}

async function takeAll(out: string, names: readonly string[], executablePath: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const served = await preview({ root: ROOT, logLevel: "error", preview: { port: PORT, strictPort: true } });
  const sources = await startRangeServer({ root: SHARDED });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const { name, hash, width = 1440, dark, before } of shots(sources.url("/gaps"))) {
      if (names.length > 0 && !names.includes(name)) continue;
      const viewport = { width, height: width === 390 ? 844 : 900 };
      const page = await browser.newPage({ viewport, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
      await page.goto(`http://localhost:${PORT}/${hash}`);
      await settled(page);
      await before?.(page);
      await settled(page);
      writeFileSync(join(out, `${name}.webp`), await take(page));
      await page.close();
    }
  } finally {
    await browser.close();
    await sources.stop();
    await served.close();
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const executablePath = await findChromium();
if (executablePath === undefined || !existsSync(join(ROOT, "dist/index.html"))) {
  console.log("No pictures taken: build the page with “npx vite build”, and install a Chromium.");
} else await takeAll(resolve(values.out ?? join(ROOT, "docs/screens")), positionals, executablePath);
