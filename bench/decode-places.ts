/** Where chunks are decoded: this process, a worker of Chromium, or a Python with numcodecs. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import type { DecodeCase } from "./decode-cases.ts";
import { agree, timeDecoding, type DecodeSubject, type Timed } from "./decode-subjects.ts";
import { bundleWorker, chromiumExecutable, listen } from "./scan-chromium.ts";

export interface DecodePlace {
  readonly name: string;
  time(index: number, subject: DecodeSubject, repetitions: number): Promise<Timed>;
  /** Whether ours and zarrita's bytes are the same; `undefined` where zarrita cannot. */
  agree(index: number): Promise<boolean | undefined>;
  close(): Promise<void>;
}

export function nodePlace(cases: readonly DecodeCase[]): DecodePlace {
  const at = (index: number): DecodeCase => {
    const one = cases[index];
    if (one === undefined) throw new Error("no such case");
    return one;
  };
  return {
    name: `Node ${process.version}`,
    time: (index, subject, repetitions) => timeDecoding(subject, at(index), repetitions),
    agree: (index) => agree(at(index)),
    close: () => Promise.resolve(),
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
  const cases = await (await fetch("/cases.json")).json();
  const withBytes = cases.map(async (one, index) =>
    ({ ...one, stored: new Uint8Array(await (await fetch("/case/" + index)).arrayBuffer()) }));
  return window.ask({ kind: "cases", cases: await Promise.all(withBytes) });
};
</script>`;

/** Laxer than the page's: numcodecs' modules, which zarrita runs, make code from strings. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; connect-src * data:; worker-src 'self'";

async function serve(cases: readonly DecodeCase[]): Promise<{ server: Server; address: string }> {
  const script = await bundleWorker("decode.worker.ts");
  const list = JSON.stringify(cases.map(({ stored, ...rest }) => ({ ...rest, bytes: stored.length })));
  const server = createServer(({ url = "/" }, response) => {
    const index = /^\/case\/(\d+)$/.exec(url)?.[1];
    const [type, body] =
      index !== undefined
        ? ["application/octet-stream", cases[Number(index)]?.stored]
        : url === "/worker.js"
          ? ["text/javascript", script]
          : url === "/cases.json"
            ? ["application/json", list]
            : ["text/html", PAGE];
    response.setHeader("content-type", type ?? "");
    response.setHeader("content-security-policy", POLICY);
    response.end(body);
  });
  return { server, address: await listen(server) };
}

export async function chromiumPlace(cases: readonly DecodeCase[]): Promise<DecodePlace> {
  const { server, address } = await serve(cases);
  const browser = await chromium.launch({ ...chromiumExecutable(), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(address);
  await page.evaluate("window.load()");
  const ask = <T>(question: object) => page.evaluate<T>(`window.ask(${JSON.stringify(question)})`);
  return {
    name: `Chromium ${browser.version()}, one worker`,
    time: (index, subject, repetitions) => ask({ kind: "time", index, subject, repetitions }),
    agree: (index) => ask({ kind: "agree", index }),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

export interface PythonPeer {
  readonly name: string;
  time(index: number, repetitions: number): Promise<Timed>;
  close(): void;
}

/** `undefined` where there is no Python that has numcodecs: the one of REFSCOPE_PYTHON is tried, then `python3`. */
export async function pythonPeer(cases: readonly DecodeCase[], folder: string): Promise<PythonPeer | undefined> {
  const python = [process.env["REFSCOPE_PYTHON"], "python3"].find(hasNumcodecs);
  if (python === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  cases.forEach(({ stored }, index) => {
    writeFileSync(`${folder}/${index}.bin`, stored);
  });
  const list = cases.map(({ name, python: codecs }, index) => ({ name, file: `${index}.bin`, codecs }));
  writeFileSync(`${folder}/cases.json`, JSON.stringify(list));
  const child = spawn(python, [new URL("decode.py", import.meta.url).pathname, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("Python ended");
    return JSON.parse(value) as Record<string, string>;
  };
  const about = await next();
  return {
    name: `numcodecs ${about["numcodecs"]} in Python ${about["python"]}, one thread`,
    time: async (index, repetitions) => {
      child.stdin.write(`${index} ${repetitions}\n`);
      const { median, fastest } = await next();
      return { median: Number(median), fastest: Number(fastest) };
    },
    close: () => child.stdin.end(),
  };
}

function hasNumcodecs(python: string | undefined): python is string {
  if (python === undefined || (python.includes("/") && !existsSync(python))) return false;
  try {
    execFileSync(python, ["-c", "import numcodecs"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
