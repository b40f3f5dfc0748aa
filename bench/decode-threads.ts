/**
 * `npm run bench -- --decode --threads 0,1,2 [--rounds 5 --chunks 64 --in node,chromium --codecs "zlib + shuffle"]`: many
 * chunks decoded by a pool of that many threads, as whole-array work does it; 0 = in the thread that asks.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { chromium } from "@playwright/test";
import { build } from "vite";
import { nodePool } from "../src/cli/decode-threads.ts";
import { CHUNK_BYTES, decodeCases, type DecodeCase } from "./decode-cases.ts";
import { chunkRunner, type PoolRun } from "./decode-many.ts";
import { chromiumExecutable, listen } from "./scan-chromium.ts";

type Median = (numbers: readonly number[]) => number;

interface ThreadsBench {
  readonly threads: readonly number[];
  readonly rounds: number;
  readonly chunks: number;
  readonly places: readonly string[];
  readonly codec: string;
}

interface ThreadsPlace {
  run(run: PoolRun): Promise<number>;
  close(): Promise<void>;
}

export async function benchThreads(bench: ThreadsBench, median: Median): Promise<void> {
  const one = (await decodeCases()).find(({ name }) => name === bench.codec);
  if (one === undefined) throw new Error(`There is no case “${bench.codec}”.`);
  for (const name of bench.places) {
    const place = name === "node" ? nodeThreads(one) : await chromiumThreads(one);
    console.log(`\n${name}: ${bench.chunks} chunks of ${CHUNK_BYTES} bytes, ${one.name}, ${bench.rounds} rounds`);
    const times = await measure(place, bench);
    const base = median(times.get(bench.threads[0] ?? 0) ?? []);
    for (const [threads, list] of times) {
      const [all, least] = [median(list), Math.min(...list)];
      const speed = ((bench.chunks * CHUNK_BYTES) / all / 1000).toFixed(0);
      console.log(
        `${threads} threads: ${all.toFixed(0)} ms (least ${least.toFixed(0)}), ${speed} MB/s, ${(base / all).toFixed(2)} ×`,
      );
    }
    await place.close();
  }
}

async function measure(place: ThreadsPlace, { threads, rounds, chunks }: ThreadsBench): Promise<Map<number, number[]>> {
  const times = new Map(threads.map((count): [number, number[]] => [count, []]));
  // The first round starts the threads.
  for (let round = -1; round < rounds; round++) {
    for (const [count, list] of times) {
      const time = await place.run({ threads: count, chunks });
      if (round >= 0) list.push(time);
    }
  }
  return times;
}

function nodeThreads(one: DecodeCase): ThreadsPlace {
  const runner = chunkRunner(one, (threads) => nodePool(threads, 0));
  return {
    run: (run) => runner.run(run),
    close: () => {
      runner.close();
      return Promise.resolve();
    },
  };
}

const PAGE = `<!doctype html><title>bench</title><script type="module">
const worker = new Worker("/worker.js", { type: "module" });
window.ask = (question) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => data.error === undefined ? resolve(data.result) : reject(new Error(data.error));
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage(question);
});
window.load = async () => {
  const one = await (await fetch("/case.json")).json();
  return window.ask({ kind: "case", one: { ...one, stored: new Uint8Array(await (await fetch("/case.bin")).arrayBuffer()) } });
};
</script>`;

/** As the page's (vite.config.ts), but for the script in the page. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src * data:; worker-src 'self' blob:";

async function chromiumThreads(one: DecodeCase): Promise<ThreadsPlace> {
  const files = await bundle();
  const server = createServer(({ url = "/" }, response) => {
    const file = files.get(url.slice(1));
    const { stored, ...rest } = one;
    response.setHeader("content-security-policy", POLICY);
    if (file !== undefined) response.setHeader("content-type", "text/javascript").end(file);
    else if (url === "/case.json") response.end(JSON.stringify(rest));
    else if (url === "/case.bin") response.end(stored);
    else response.setHeader("content-type", "text/html").end(PAGE);
  });
  const address = await listen(server);
  const browser = await chromium.launch({ ...chromiumExecutable(), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(address);
  await page.evaluate("window.load()");
  return {
    run: (run) => page.evaluate<number>(`window.ask(${JSON.stringify({ kind: "run", run })})`),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** The worker and the workers that it starts, by file name. */
async function bundle(): Promise<ReadonlyMap<string, Buffer>> {
  const outDir = mkdtempSync(`${tmpdir()}/refscope-bench-`);
  await build({
    configFile: false,
    logLevel: "error",
    base: "./",
    worker: { format: "es" },
    build: {
      outDir,
      target: "es2023",
      rolldownOptions: {
        input: new URL("decode-many.worker.ts", import.meta.url).pathname,
        output: { entryFileNames: "worker.js" },
      },
    },
  });
  const names = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map(({ parentPath, name }): [string, Buffer] => {
    const path = `${parentPath}/${name}`;
    return [path.slice(outDir.length + 1), readFileSync(path)];
  });
  rmSync(outDir, { recursive: true });
  return new Map(files);
}
