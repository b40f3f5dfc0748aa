/**
 * `npm run bench -- --page-slice [--rounds 3 --latency 20 --port 4198]`: Data in the built page, 1920 pixels wide, over a server of
 * this machine that waits before each answer. How long after the click the first of 256 chunks of 1 MB is painted, and all;
 * beside it the same browser fetches the same bytes. Then frames while the slider goes over slices that are kept, and while a
 * picture is moved, with coasts over it; and the memory of it all.
 */
import { createServer, type Server } from "node:http";
import type { BuiltPage, PageServer } from "./built-page.ts";
import { busyWords, printColumns, servePage } from "./built-page.ts";
import { memoryOf, renderersOf } from "./memory.ts";
import { listen } from "./scan-chromium.ts";
import { CASES, makeSet, referencesTo, type SliceSet } from "./slice.ts";

type Median = (numbers: readonly number[]) => number;
type Measured = Readonly<Record<string, number>>;

const STEPS = 8;
const HEADER = new Uint8Array(4096);

export async function benchPageSlice(words: readonly string[], median: Median): Promise<void> {
  const value = (name: string, otherwise: number) =>
    words.includes(`--${name}`) ? Number(words[words.indexOf(`--${name}`) + 1]) : otherwise;
  const [blosc] = CASES.filter(({ name }) => name.startsWith("blosc"));
  if (blosc === undefined) throw new Error("no such case");
  const set = await makeSet(blosc);
  const { server, address } = await serveSet(set, value("latency", 20));
  const pages = await servePage(value("port", 4198));
  const all: Measured[] = [];
  try {
    for (let round = 0; round < value("rounds", 3); round += 1) {
      console.log(`round ${round + 1}: ${busyWords()}`);
      const moved = [await frames(pages, address, 1024), await frames(pages, address, 2048)];
      all.push({ ...(await firstChunks(pages, address)), ...moved[0], ...moved[1] });
    }
  } finally {
    await pages.close();
    server.closeAllConnections();
    server.close();
  }
  const rows = Object.keys(all[0] ?? {}).map((name) => {
    const each = all.map((one) => one[name] ?? Number.NaN);
    return [name, median(each).toFixed(1), Math.min(...each).toFixed(1)];
  });
  printColumns([["", "median", "least"], ...rows]);
}

async function serveSet(
  set: SliceSet,
  latency: number,
): Promise<{ readonly server: Server; readonly address: string }> {
  const content = Buffer.concat([HEADER, ...set.stored]);
  let document = "";
  const server = createServer((request, response) => {
    const [, first = "0", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-expose-headers", "content-range, content-length");
    if (request.url === "/refs.json") return void response.end(document);
    const end = last === "" ? content.length : Math.min(content.length, Number(last) + 1);
    const headers = {
      "content-range": `bytes ${first}-${end - 1}/${content.length}`,
      "content-length": end - Number(first),
    };
    setTimeout(() => response.writeHead(206, headers).end(content.subarray(Number(first), end)), latency);
  });
  const address = await listen(server);
  const url = `${address}data.bin`;
  document = JSON.stringify({ version: 1, refs: { ...referencesTo(url, set), ...steps(url, set) } });
  return { server, address };
}

/** Slices of 2048² and of 1024² which the page keeps all, each over the whole globe: coasts are drawn over them. */
function steps(url: string, { zarray, ranges }: SliceSet): Record<string, unknown> {
  const refs: Record<string, unknown> = {};
  for (const side of [1024, 2048]) {
    const metadata = { ...(JSON.parse(zarray) as object), shape: [STEPS, side, side], chunks: [1, 512, 512] };
    const names = [`lat${side}`, `lon${side}`];
    refs[`steps${side}/.zarray`] = JSON.stringify(metadata);
    refs[`steps${side}/.zattrs`] = JSON.stringify({ _ARRAY_DIMENSIONS: ["step", ...names] });
    const across = side / 512;
    for (let at = 0; at < STEPS * across ** 2; at += 1) {
      const key = [Math.floor(at / across ** 2), Math.floor(at / across) % across, at % across].join(".");
      refs[`steps${side}/${key}`] = [url, ...(ranges[at] ?? [0, 0])];
    }
    for (const [at, name] of names.entries()) Object.assign(refs, coordinate(name, side, at === 0 ? 180 : 360));
  }
  return refs;
}

/** Degrees from one end of the globe to the other. */
function coordinate(name: string, side: number, degrees: number): Record<string, unknown> {
  const values = Float64Array.from({ length: side }, (_, at) => ((at + 0.5) / side - 0.5) * degrees);
  const array = { zarr_format: 2, shape: [side], chunks: [side], dtype: "<f8", order: "C", fill_value: null };
  return {
    [`${name}/.zarray`]: JSON.stringify({ ...array, compressor: null, filters: null }),
    [`${name}/.zattrs`]: JSON.stringify({
      _ARRAY_DIMENSIONS: [name],
      units: degrees === 180 ? "degrees_north" : "degrees_east",
    }),
    [`${name}/0`]: `base64:${Buffer.from(values.buffer).toString("base64")}`,
  };
}

async function openData(pages: PageServer, address: string, array: string): Promise<BuiltPage> {
  const built = await pages.open(
    { width: 1920, height: 1080 },
    `#url=${encodeURIComponent(`${address}refs.json`)}&array=${array}&view=data`,
  );
  await built.page.getByRole("application", { name: "Data" }).waitFor();
  await built.settled();
  return built;
}

async function firstChunks(pages: PageServer, address: string): Promise<Measured> {
  const { page, chromium, settled } = await openData(pages, address, "a");
  const alone = await page.evaluate(fetchAlone, `${address}data.bin`);
  await page.evaluate(watchChunks);
  await page.getByRole("button", { name: "Read this slice" }).click();
  await page.waitForFunction(() => document.querySelector('[data-read="256"]') !== null, undefined, {
    timeout: 120_000,
  });
  await settled();
  const { first, last } = await page.evaluate(() => (globalThis as unknown as { seen: Measured }).seen);
  const resident = Math.max(...renderersOf(process.pid).map((pid) => memoryOf(pid).resident));
  await chromium.close();
  return {
    "renderer with 256 MB read, MB": resident / 1e6,
    "first chunk painted, ms after the click": first ?? Number.NaN,
    "a request of 1 MB alone": alone.one,
    "256 chunks painted": last ?? Number.NaN,
    "fetching them alone": alone.all,
  };
}

/** Runs in the page: one megabyte, then all in ranges of 16 MB, six at once. */
async function fetchAlone(url: string): Promise<{ readonly one: number; readonly all: number }> {
  const get = async (first: number, end: number): Promise<void> => {
    const headers = { range: `bytes=${first}-${end - 1}` };
    await (await fetch(url, { headers, cache: "no-store" })).arrayBuffer();
  };
  const began = performance.now();
  const whole = await fetch(url, { headers: { range: "bytes=0-1048575" }, cache: "no-store" });
  await whole.arrayBuffer();
  const one = performance.now() - began;
  const size = Number(/\d+$/.exec(whole.headers.get("content-range") ?? "")?.[0] ?? 0);
  const parts = Array.from({ length: Math.ceil(size / 2 ** 24) }, (_, at) => at * 2 ** 24)[Symbol.iterator]();
  const start = performance.now();
  const next = async (): Promise<void> => {
    for (const at of parts) await get(at, Math.min(size, at + 2 ** 24));
  };
  await Promise.all(Array.from({ length: 6 }, next));
  return { one, all: performance.now() - start };
}

/** Runs in the page: when the frame with the first chunk was there, and that with all. */
function watchChunks(): void {
  const seen = { first: 0, last: 0 };
  let click = 0;
  Object.assign(globalThis, { seen });
  addEventListener("click", ({ timeStamp }) => (click = timeStamp), { capture: true });
  const map = document.querySelector("[data-read]");
  if (map === null) throw new Error("There is no map.");
  new MutationObserver(() => {
    const count = Number(map.getAttribute("data-read"));
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const now = performance.now() - click;
        if (count > 0) seen.first ||= now;
        if (count === 256) seen.last ||= now;
      };
      port2.postMessage(undefined);
    });
  }).observe(map, { attributes: true, attributeFilter: ["data-read"] });
}

async function frames(pages: PageServer, address: string, side: number): Promise<Measured> {
  const { page, chromium, settled } = await openData(pages, address, `steps${side}`);
  const slider = page.getByRole("slider").first();
  await slider.focus();
  for (const key of ["ArrowRight", "ArrowLeft"]) {
    for (let step = 1; step < STEPS; step += 1) {
      await page.keyboard.press(key);
      await settled();
    }
  }
  await page.locator('[data-coasts="1"]').waitFor();
  const still = await page.evaluate(runFrames, "still" as const);
  const slid = await page.evaluate(runFrames, "slide" as const);
  await settled();
  const map = page.getByRole("application", { name: "Data" });
  await map.focus();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press("+");
  await settled();
  const panned = await page.evaluate(runFrames, "pan" as const);
  const resident = Math.max(...renderersOf(process.pid).map((pid) => memoryOf(pid).resident));
  await chromium.close();
  const of = (name: string, { work, interval, slices }: FrameTimes) => ({
    [`${side}², ${name}: p95 of the frame's work, ms`]: work,
    [`${side}², ${name}: p95 between frames`]: interval,
    ...(name === "slider" ? { [`${side}², slider: slices shown whole in 120 steps`]: slices } : {}),
  });
  return {
    ...of("still", still),
    ...of("slider", slid),
    ...of("pan", panned),
    [`${side}², renderer with all steps read, MB`]: resident / 1e6,
  };
}

interface FrameTimes {
  readonly work: number;
  readonly interval: number;
  readonly slices: number;
}

/** Runs in the page: 120 frames, in each of which the slider goes a step or the picture is moved. */
function runFrames(what: "still" | "slide" | "pan"): Promise<FrameTimes> {
  const COUNT = 120;
  const slider = document.querySelector<HTMLInputElement>("input[type=range]");
  const map = document.querySelector("[data-read]");
  if (slider === null || map === null) throw new Error("Nothing to move.");
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const last = Number(slider.max);
  const act = (frame: number): void => {
    if (what === "slide") {
      value?.set?.call(slider, String(Math.abs(last - (frame % (2 * last)))));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (what === "pan") {
      const delta = frame % 60 < 30 ? 6 : -6;
      map.dispatchEvent(new WheelEvent("wheel", { deltaX: delta, deltaY: delta, bubbles: true, cancelable: true }));
    }
  };
  let slices = 0;
  const whole = map.getAttribute("data-read");
  const [works, times]: [number[], number[]] = [[], []];
  const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
  return new Promise((resolve) => {
    const frame = (): void => {
      const began = performance.now();
      times.push(began);
      act(times.length);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        works.push(performance.now() - began);
        slices += Number(map.getAttribute("data-read") === whole);
      };
      port2.postMessage(undefined);
      if (times.length < COUNT) return void requestAnimationFrame(frame);
      const intervals = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      setTimeout(() => resolve({ work: p95(works), interval: p95(intervals), slices }), 200);
    };
    requestAnimationFrame(frame);
  });
}
