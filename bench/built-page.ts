/**
 * The built page (`npx vite build`) in Chromium, and how long it takes from what a user does until it is idle. Everything is
 * measured by the page's own clock: from the input's event to the moment at which `data-pending` becomes 0, and between these
 * each call of the worker.
 */
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { chromium, type Browser, type CDPSession, type Page } from "@playwright/test";
import { preview } from "vite";
import { processorOf, renderersOf } from "./memory.ts";

const ROOT = new URL("..", import.meta.url).pathname;

export interface Taken {
  /** All in milliseconds. From the input until `data-pending` is 0, the pause in which it waits for more included. */
  readonly idle: number;
  /** From the input until the frame after the worker's last answer. */
  readonly shown: number;
  /** In which the worker owed an answer. */
  readonly worker: number;
  /** Of the processor, in all workers: on a busy machine only this means something. 0 where the system does not say. */
  readonly processor: number;
  /** In which the main thread was busy. */
  readonly main: number;
}

export interface BuiltPage {
  readonly page: Page;
  readonly chromium: Browser;
  /** Until the page is idle. */
  settled(this: void): Promise<void>;
  timed(act: () => Promise<unknown>): Promise<Taken>;
}

export interface PageServer {
  /** A fresh page, idle. */
  open(viewport: { readonly width: number; readonly height: number }, hash?: string): Promise<BuiltPage>;
  close(): Promise<void>;
}

export async function servePage(port: number): Promise<PageServer> {
  if (!existsSync(`${ROOT}dist/index.html`)) throw new Error("There is no dist: npx vite build makes it.");
  const server = await preview({ root: ROOT, logLevel: "error", preview: { port, strictPort: true } });
  const browsers = new Set<Browser>();
  return {
    async open(viewport, hash = "") {
      const browser = await chromium.launch({
        ...executable(),
        args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"],
      });
      browsers.add(browser);
      const page = await browser.newPage({ viewport });
      // tsx wraps functions in a call that only its own modules know.
      await page.addInitScript("globalThis.__name = (one) => one");
      await page.addInitScript(watch);
      await page.goto(`http://localhost:${port}/${hash}`);
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable");
      const built = builtPage(page, session, browser);
      await built.settled();
      return built;
    },
    async close() {
      for (const browser of browsers) await browser.close();
      await server.close();
    },
  };
}

function executable(): { readonly executablePath: string } | object {
  const path = [process.env.REFSCOPE_CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(
    (one) => one !== undefined && existsSync(one),
  );
  return path === undefined ? {} : { executablePath: path };
}

function builtPage(page: Page, session: CDPSession, browser: Browser): BuiltPage {
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
  const settled = async (): Promise<void> => {
    await page.waitForFunction(() => document.documentElement.dataset.pending === "0", undefined, { timeout: 300_000 });
  };
  return {
    page,
    chromium: browser,
    settled,
    async timed(act) {
      await page.evaluate(() => watched().restart());
      const used = workersTime();
      const before = await busy();
      await act();
      await settled();
      const main = (await busy()) - before;
      return { ...(await page.evaluate(() => watched().result())), main, processor: workersTime() - used };
    },
  };
}

const workersTime = (): number =>
  renderersOf(process.pid).reduce((sum, pid) => sum + processorOf(pid, "DedicatedWorker"), 0);

interface Watched {
  restart(): void;
  result(): Omit<Taken, "main" | "processor">;
}

declare function watched(): Watched;

/** Runs in the page, before its own scripts. */
function watch(): void {
  let [began, idle, shown, worker, open, since] = [0, 0, 0, 0, 0, 0];
  Object.assign(globalThis, {
    watched: (): Watched => ({
      restart: () => {
        [began, idle, shown, worker] = [0, 0, 0, 0];
      },
      result: () => ({ idle: idle - began, shown: Math.max(0, shown - began), worker }),
    }),
  });
  for (const name of ["input", "change", "click", "keydown"]) {
    addEventListener(name, ({ timeStamp }) => (began ||= timeStamp), { capture: true });
  }
  const answered = (): void => {
    open -= 1;
    if (open === 0) worker += performance.now() - since;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        shown = performance.now();
        port1.close();
      };
      port2.postMessage(undefined);
    });
  };
  const Native = Worker;
  globalThis.Worker = class extends Native {
    readonly #calls = new Set<number>();
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener("message", ({ data }: MessageEvent<{ type: string; id: number }>) => {
        if ((data.type === "result" || data.type === "failure") && this.#calls.delete(data.id)) answered();
      });
    }
    override postMessage(message: { type: string; id: number }, ...rest: unknown[]): void {
      if (message.type === "call") {
        this.#calls.add(message.id);
        if (open === 0) since = performance.now();
        open += 1;
      } else if (message.type === "abort" && this.#calls.delete(message.id)) answered();
      super.postMessage(message, ...(rest as [StructuredSerializeOptions]));
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const root = document.documentElement;
    new MutationObserver(() => {
      if (root.dataset.pending === "0") idle = performance.now();
    }).observe(root, { attributes: true, attributeFilter: ["data-pending"] });
  });
}

/** How busy the machine is with others: the times of a busy minute mean little. */
export const busyWords = (): string => `load average ${loadavg()[0]?.toFixed(1) ?? "?"}`;

export function printColumns(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  for (const row of rows) {
    console.log(
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
    );
  }
}
