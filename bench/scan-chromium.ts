/** Measurements in a worker of a fresh Chromium each, with a local file. */
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { chromium, type Browser } from "@playwright/test";
import { build } from "vite";
import { memoryOf, renderersOf, resetPeak } from "./memory.ts";
import type { Outcome, Subject } from "./subjects.ts";

export type Measured = Outcome & { readonly netPeak: number };

export interface Chromium {
  measure(subject: Subject, path: string): Promise<Measured>;
  close(): void;
}

const PAGE = `<!doctype html><title>bench</title><input type="file"><script type="module">
const worker = new Worker("/worker.js", { type: "module" });
window.run = (subject) => new Promise((resolve) => {
  worker.onmessage = (event) => resolve(event.data);
  worker.postMessage({ subject, file: document.querySelector("input").files[0] });
});
</script>`;

export async function openChromium(): Promise<Chromium> {
  const script = await bundleWorker("scan.worker.ts");
  const server = createServer((request, response) => {
    const isScript = request.url === "/worker.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : PAGE);
  });
  const address = await listen(server);
  return { measure: (subject, path) => measureOnce(address, subject, path), close: () => server.close() };
}

/** A worker of this folder as one script. */
export async function bundleWorker(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      lib: { entry: new URL(entry, import.meta.url).pathname, formats: ["es"], fileName: "worker" },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [first] = Array.isArray(output) ? output : [output];
  if (first === undefined || !("output" in first)) throw new Error("the worker could not be built");
  return first.output[0].code;
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/`;
}

export function chromiumExecutable(): { readonly executablePath: string } | object {
  const path = [process.env["CHROMIUM"], "/usr/bin/chromium"].find((one) => one !== undefined && existsSync(one));
  return path === undefined ? {} : { executablePath: path };
}

async function measureOnce(address: string, subject: Subject, path: string): Promise<Measured> {
  const browser: Browser = await chromium.launch({ ...chromiumExecutable(), args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.setInputFiles("input", path);
    await page.waitForTimeout(300);
    // There are spare renderers too: the page's is the one that grows.
    const before = new Map(renderersOf(process.pid).map((pid) => [pid, memoryOf(pid).resident]));
    for (const pid of before.keys()) resetPeak(pid);
    const answer = await page.evaluate<{ outcome?: Outcome; error?: string }>(`window.run(${JSON.stringify(subject)})`);
    if (answer.outcome === undefined) throw new Error(answer.error);
    const growth = [...before].map(([pid, resident]) => memoryOf(pid).peak - resident);
    return { ...answer.outcome, netPeak: Math.max(...growth) };
  } finally {
    await browser.close();
  }
}
