/**
 * `npx vite build && npm run bench -- --typing`: types 200 characters into large documents in real Chromium and prints
 * the longest tasks of the page's thread meanwhile (by the clock, which a busy machine makes longer, and in processor
 * time), how late keys came to the screen, and how long a rendering took. OUT_DIR: another build than `dist`.
 */
import { spawn } from "node:child_process";
import { chromium, type Browser, type Page } from "@playwright/test";
import { gridDocument, strayDocument, type TypingDocument } from "./typing-documents.ts";

const PORT = 4198;
const CHARACTERS = 200;
/** Milliseconds between keys, and the rest after each ten, in which the result is rendered and shown. */
const BETWEEN_KEYS = 70;
const REST = 900;
/** The browser's: shorter tasks and events are not reported. */
const SHORTEST_EVENT = 16;

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
  /** Microseconds: by the clock, and of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
}

/** Runs on the page. */
function watchKeys(shortest: number): void {
  const late: number[] = [];
  Object.assign(globalThis, { late });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === "keydown") late.push(entry.duration);
  }).observe({ type: "event", durationThreshold: shortest } as PerformanceObserverInit);
}

export async function benchTyping(): Promise<void> {
  const folder = process.env.OUT_DIR ?? "dist";
  const words = ["vite", "preview", "--outDir", folder, "--port", String(PORT), "--strictPort"];
  const server = spawn("npx", words, { stdio: "ignore", detached: true });
  const executablePath = process.env.REFSCOPE_CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const document of [gridDocument(), strayDocument()]) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await openDocument(page, document);
      await typeInto(browser, page, document);
      await page.close();
    }
  } finally {
    await browser.close();
    if (server.pid !== undefined) process.kill(-server.pid);
  }
}

async function openDocument(page: Page, { name, text, typeAfter }: TypingDocument): Promise<void> {
  const address = `http://localhost:${PORT}/`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await page.goto(address);
      break;
    } catch (error) {
      if (attempt === 20) throw error;
      await page.waitForTimeout(500);
    }
  }
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Open files/ }).click();
  await (await choosing).setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Reference document" });
  await editor.waitFor({ state: "attached" });
  await rendered(page);
  await page.waitForTimeout(3000);
  await editor.focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type(typeAfter);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(1000);
}

async function rendered(page: Page): Promise<void> {
  const result = page.getByRole("region", { name: "Version 0 result" });
  await result.filter({ hasNotText: "rendering…" }).waitFor({ timeout: 60_000 });
}

async function typeInto(browser: Browser, page: Page, { name, text }: TypingDocument): Promise<void> {
  await page.evaluate(watchKeys, SHORTEST_EVENT);
  await browser.startTracing(page, { categories: ["toplevel"] });
  const renderings: number[] = [];
  for (let typed = 0; typed < CHARACTERS; typed += 10) {
    await page.keyboard.type("abcdefghij", { delay: BETWEEN_KEYS });
    const started = performance.now();
    await rendered(page);
    renderings.push(performance.now() - started);
    await page.waitForTimeout(REST);
  }
  const trace = JSON.parse(String(await browser.stopTracing())) as { readonly traceEvents: readonly TraceEvent[] };
  const late = await page.evaluate(() => (globalThis as unknown as { late: number[] }).late);
  print(`${name}: ${CHARACTERS} characters typed into ${text.split("\n").length} lines`, pageTasks(trace.traceEvents));
  console.log(
    `keys on the screen later than ${SHORTEST_EVENT} ms: ${late.length}, the latest ${Math.max(0, ...late)} ms`,
  );
  console.log(`rendered ${Math.round(Math.max(...renderings))} ms after the last key at most (120 ms are waited)`);
}

/** Tasks of the thread that ran most of all main threads: the page's. */
function pageTasks(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const threads = new Map<string, TraceEvent[]>();
  for (const { name, args, pid, tid } of events) {
    if (name === "thread_name" && args?.name === "CrRendererMain") threads.set(`${pid} ${tid}`, []);
  }
  for (const event of events) if (event.name.endsWith("RunTask")) threads.get(`${event.pid} ${event.tid}`)?.push(event);
  return [...threads.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

function print(title: string, tasks: readonly TraceEvent[]): void {
  const milliseconds = (time: number | undefined) => (time ?? 0) / 1000;
  const clock = tasks.map(({ dur }) => milliseconds(dur)).sort((a, b) => b - a);
  const own = tasks.map(({ tdur }) => milliseconds(tdur)).sort((a, b) => b - a);
  const words = (times: readonly number[]) => times.slice(0, 5).map((time) => time.toFixed(0));
  console.log(`\n${title}; ${tasks.length} tasks of the page's thread`);
  console.log(
    `longest, processor time: ${words(own).join(", ")} ms; over 50 ms: ${own.filter((ms) => ms > 50).length}`,
  );
  console.log(
    `longest, by the clock: ${words(clock).join(", ")} ms; over 50 ms: ${clock.filter((ms) => ms > 50).length}`,
  );
}
