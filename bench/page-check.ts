/**
 * `npm run bench -- --page-check [--refs 1000000 --layouts file --port 4197]`: Check in the built page on a large document:
 * how long until its answers stand and how long the longest task of the main thread was, on opening, when all targets are
 * asked, and until a cancelled run has ended.
 */
import type { Page } from "@playwright/test";
import { servePage, type BuiltPage } from "./built-page.ts";
import { LAYOUTS, type Layout } from "./generate.ts";

export async function benchPageCheck(
  words: readonly string[],
  wanted: { readonly refs: readonly number[]; readonly layouts: readonly Layout[] },
  document: (references: number, layout: Layout) => Promise<string>,
): Promise<void> {
  const port = words.includes("--port") ? Number(words[words.indexOf("--port") + 1]) : 4197;
  const server = await servePage(port);
  try {
    for (const references of wanted.refs) {
      for (const layout of wanted.layouts.filter((one) => LAYOUTS.includes(one))) {
        console.log(`\n${references} references, ${layout}`);
        const built = await server.open({ width: 1440, height: 900 });
        await checkOne(built, await document(references, layout));
        await built.chromium.close();
      }
    }
  } finally {
    await server.close();
  }
}

async function checkOne(built: BuiltPage, path: string): Promise<void> {
  const { page } = built;
  await page.evaluate(observe);
  await measured(built, "open", () => open(page, path));
  await measured(built, "Check", () => page.getByRole("tab", { name: "Check" }).click());
  const check = page.getByRole("region", { name: "Check" });
  console.log(`  ${await check.getByRole("heading").first().innerText()}`);
  const ask = check.getByRole("button", { name: /^Ask the targets/ }).first();
  if ((await ask.count()) === 0) return console.log("  Nothing is left to be asked.");
  console.log(`  ${(await ask.innerText()).replace(/\s+/g, " ")}`);
  await measured(built, "stopped", async () => {
    await ask.click();
    await page.waitForTimeout(300);
    const stop = page.getByRole("button", { name: /^(Stop|Cancel)/ }).first();
    if ((await stop.count()) > 0) await stop.click();
  });
  if ((await ask.count()) > 0) await measured(built, "asked", () => ask.click());
}

async function open(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: /Open files/ }).click(),
  ]);
  await chooser.setFiles(path);
  await page.getByRole("tree", { name: "Hierarchy" }).waitFor({ timeout: 300_000 });
}

async function measured({ page, settled }: BuiltPage, what: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(() => tasks().restart());
  const start = performance.now();
  await act();
  await page.waitForTimeout(100);
  await settled();
  const seconds = (performance.now() - start) / 1000;
  const { longest, over } = await page.evaluate(() => tasks().result());
  console.log(`  ${what}: ${seconds.toFixed(1)} s, longest task ${longest.toFixed(0)} ms, ${over} over 50 ms`);
}

interface Tasks {
  restart(): void;
  result(): { readonly longest: number; readonly over: number };
}

declare function tasks(): Tasks;

/** Runs in the page. A browser tells tasks of over 50 ms only. */
function observe(): void {
  let [longest, over] = [0, 0];
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  const take = (entries: readonly PerformanceEntry[]): void => {
    over += entries.length;
    for (const { duration } of entries) longest = Math.max(longest, duration);
  };
  observer.observe({ entryTypes: ["longtask"] });
  Object.assign(globalThis, {
    tasks: (): Tasks => ({
      restart: () => {
        observer.takeRecords();
        [longest, over] = [0, 0];
      },
      result: () => {
        take(observer.takeRecords());
        return { longest, over };
      },
    }),
  });
}
