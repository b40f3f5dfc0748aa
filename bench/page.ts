/**
 * The real page in Chromium with a large file: time to open, longest main-thread task while it loads, and how long
 * filtering and sorting take to show. `npx vite build && npx tsx bench/page.ts bench/data/FILE.json`.
 */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file? bench/data has those that the generator made.");
const port = 4199;
const server = spawn(
  "npx",
  ["vite", "preview", "--outDir", process.env.OUT_DIR ?? "dist", "--port", String(port), "--strictPort"],
  {
    stdio: "ignore",
    detached: true,
  },
);
const executablePath = process.env.REFSCOPE_CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

const settled = (page: Page) =>
  page.waitForFunction(() => document.documentElement.dataset.pending === "0", undefined, { timeout: 300_000 });

async function timed(page: Page, what: string, act: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await act();
  await page
    .waitForFunction(() => document.documentElement.dataset.pending !== "0", undefined, { timeout: 2000 })
    .catch(() => undefined);
  await settled(page);
  console.log(`${what}: ${Math.round(performance.now() - started)} ms until idle`);
}

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`http://localhost:${port}/`, { waitUntil: "load" }).catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await page.goto(`http://localhost:${port}/`);
  });
  await settled(page);
  await page.evaluate(() => {
    const longest = { milliseconds: 0 };
    Object.assign(globalThis, { longest });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longest.milliseconds = Math.max(longest.milliseconds, entry.duration);
    }).observe({ entryTypes: ["longtask"] });
  });
  const started = performance.now();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: /Open files/ }).click(),
  ]);
  await chooser.setFiles(file);
  await page.getByRole("tree", { name: "Hierarchy" }).waitFor({ timeout: 300_000 });
  await settled(page);
  console.log(
    `${file}: ${(statSync(file).size / 1e6).toFixed(0)} MB opened in ${Math.round(performance.now() - started)} ms`,
  );
  const longest = await page.evaluate(
    () => (globalThis as unknown as { longest: { milliseconds: number } }).longest.milliseconds,
  );
  console.log(`longest main-thread task while loading: ${Math.round(longest)} ms (0 = none over 50 ms)`);
  await timed(page, "Manifest of the whole set", () => page.getByRole("tab", { name: "Chunks" }).click());
  const grid = page.getByRole("grid", { name: "Manifest" });
  console.log(`rows: ${await grid.getAttribute("aria-rowcount")}`);
  await timed(page, "filter by text in the URL", () =>
    page
      .getByRole("textbox", { name: /Target contains/ })
      .or(page.getByRole("searchbox", { name: /Target contains/ }))
      .fill("1963"),
  );
  await timed(page, "clear it", () => page.getByRole("button", { name: "Clear filters" }).click());
  for (const column of ["Length", "Offset", "Target"]) {
    await timed(page, `sort by ${column}`, () =>
      grid
        .getByRole("columnheader", { name: new RegExp(column) })
        .getByRole("button")
        .first()
        .click(),
    );
  }
  await timed(page, "scroll to the end", async () => {
    await grid.getByRole("gridcell").first().click();
    await page.keyboard.press("Control+End");
  });
} finally {
  await browser.close();
  if (server.pid !== undefined) process.kill(-server.pid);
}
