/**
 * Takes the pictures of `docs/screens`: each page of the design beside what stands, light and dark.
 *
 *     npx vite build && node --import tsx tools/screens.ts [--design ../shared/mock/next] [NAME …]
 *
 * Without the design's pictures only what stands is taken.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { startRangeServer } from "../e2e/support/range-server.ts";
import { SHARDED } from "../e2e/support/stores.ts";

const PORT = 4199;
const ROOT = resolve(import.meta.dirname, "..");
const SST = "#url=samples/ocean-broken.json&array=sst";
const POINT = "&slice=2,:,:&point=2,29,29";

interface Shot {
  readonly name: string;
  readonly hash: string;
  readonly phone?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const shots = (sharded: string): readonly Shot[] => [
  { name: "start", hash: "" },
  { name: "overview", hash: "#url=samples/ocean-broken.json" },
  { name: "check", hash: "#url=samples/ocean-broken.json&view=check", before: openFirstProblem },
  { name: "data", hash: `${SST}&view=data${POINT}&chunk=0.0.0` },
  { name: "data-failed", hash: `${SST}&view=data&slice=2,:,:&point=2,29,92&chunk=0.0.1` },
  { name: "chunks", hash: `${SST}&view=chunks${POINT}&chunk=0.0.0` },
  { name: "chunks-shard", hash: `#url=${encodeURIComponent(sharded)}&view=chunks` },
  { name: "phone", hash: `${SST}&view=data${POINT}&chunk=0.0.0`, phone: true },
  {
    name: "phone-tree",
    hash: `${SST}&view=data`,
    phone: true,
    before: (page) => page.getByRole("button", { name: "Arrays" }).click(),
  },
];

async function openFirstProblem(page: Page): Promise<void> {
  await page.getByRole("list", { name: "Problems" }).getByRole("button", { expanded: false }).first().click();
}

const idle = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.pending === "0");

/** The start page is taken by somebody who was here before. */
async function visitBefore(page: Page): Promise<void> {
  for (const hash of ["#url=samples/ocean.v1.json", `${SST}&view=data`]) {
    await page.goto("about:blank");
    await page.goto(`http://localhost:${PORT}/${hash}`);
    await page.getByRole("tree", { name: "Hierarchy" }).waitFor();
    await page.waitForTimeout(1500);
    await idle(page);
  }
}

async function take(page: Page, { name, hash, before }: Shot): Promise<Buffer> {
  if (name === "start") await visitBefore(page);
  // Another document first: where only the fragment changes, nothing is loaded.
  await page.goto("about:blank");
  await page.goto(`http://localhost:${PORT}/${hash}`);
  await idle(page);
  await before?.(page);
  await page.waitForTimeout(600);
  await idle(page);
  return page.screenshot();
}

/** One picture beside the other as WebP: the design at the left. */
async function beside(page: Page, pictures: readonly Buffer[]): Promise<Buffer> {
  const url = await page.evaluate(
    async (sources) => {
      const images = await Promise.all(
        sources.map(async (source) => createImageBitmap(await (await fetch(source)).blob())),
      );
      const height = Math.max(...images.map((image) => image.height));
      const canvas = new OffscreenCanvas(
        images.reduce((sum, image) => sum + image.width + 16, -16),
        height,
      );
      const context = canvas.getContext("2d");
      let x = 0;
      for (const image of images) {
        context?.drawImage(image, x, 0);
        x += image.width + 16;
      }
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.7 });
      return new Promise<string>((done) => {
        const reader = new FileReader();
        reader.addEventListener("load", () => done(reader.result as string));
        reader.readAsDataURL(blob);
      });
    },
    pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`),
  );
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { design: { type: "string", default: join(ROOT, "../shared/mock/next") }, out: { type: "string" } },
});
const out = values.out ?? join(ROOT, "docs/screens");
mkdirSync(out, { recursive: true });
const preview = spawn("npx", ["vite", "preview", "--port", String(PORT), "--strictPort"], {
  cwd: ROOT,
  stdio: "ignore",
  detached: true,
});
const server = await startRangeServer({ root: SHARDED });
const executablePath = process.env.REFSCOPE_CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({
  ...(existsSync(executablePath) ? { executablePath } : {}),
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  for (
    let tries = 0;
    tries < 40 &&
    !(await fetch(`http://localhost:${PORT}`).then(
      () => true,
      () => false,
    ));
    tries++
  )
    await new Promise((later) => setTimeout(later, 250));
  for (const shot of shots(server.url("/gaps")))
    for (const colorScheme of ["light", "dark"] as const) {
      if (positionals.length > 0 && !positionals.includes(shot.name)) continue;
      const viewport = shot.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 };
      const touch = shot.phone ? { hasTouch: true, isMobile: true } : {};
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce", ...touch });
      const picture = await take(page, shot);
      const name = `${shot.name}-${colorScheme}`;
      const design = join(values.design, `${name}.png`);
      const both = existsSync(design) ? [readFileSync(design), picture] : [picture];
      const blank = await browser.newPage();
      writeFileSync(join(out, `${name}.webp`), await beside(blank, both));
      await Promise.all([page.close(), blank.close()]);
      console.log(name);
    }
} finally {
  await browser.close();
  await server.stop();
  if (preview.pid !== undefined) process.kill(-preview.pid);
}
