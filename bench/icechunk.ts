/**
 * 100,000 virtual references with compressed locations, from the bytes of their manifest until every row and its location
 * was looked at, against JSON.parse of the same references as Kerchunk; in Node and in a worker of Chromium. Generated:
 * 6,250 locations, and as many as references (their dictionary is plain content; the file around them is not compressed).
 * What Icechunk itself wrote is measured where it lies beside the project.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "@playwright/test";
import { virtualReferences, type VirtualReferences } from "./icechunk-set.ts";
import { benchIcechunkWrite } from "./icechunk-write.ts";
import { timeReferences, type Timings } from "./icechunk-subjects.ts";
import { bundleWorker, chromiumExecutable, listen } from "./scan-chromium.ts";

const REFERENCES = 100_000;
const WRITTEN = "fixtures/icechunk/v2big";

type Median = (numbers: readonly number[]) => number;

export async function benchIcechunk(rounds: number, median: Median): Promise<void> {
  benchIcechunkWrite(rounds, median);
  const sets = [
    virtualReferences("generated, 6,250 locations", REFERENCES, 6_250),
    virtualReferences("generated, a location each", REFERENCES, REFERENCES),
    ...writtenByIcechunk(),
  ];
  const wanted = Math.max(5, rounds);
  console.log(`\nnode, ${wanted} rounds`);
  for (const { name, manifest, kerchunk } of sets) {
    print(name, manifest, await timeReferences(manifest, kerchunk, wanted), median);
  }
  await inChromium(sets, wanted, median);
}

/** Its references are those of the first generated set. */
function writtenByIcechunk(): readonly VirtualReferences[] {
  const folder = `${process.env["REFSCOPE_SHARED"] ?? "../shared"}/${WRITTEN}/manifests`;
  if (!existsSync(folder)) {
    console.log(`(what Icechunk wrote is left out: there is no ${folder})`);
    return [];
  }
  const { kerchunk } = virtualReferences("", REFERENCES, 6_250);
  return readdirSync(folder).map((file) => {
    const manifest = new Uint8Array(readFileSync(`${folder}/${file}`));
    return { name: "written by Icechunk, 6,250 locations", manifest, kerchunk };
  });
}

const PAGE = `<!doctype html><title>bench</title><script type="module">
window.time = (index, rounds) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => data.error === undefined ? resolve(data.result) : reject(new Error(data.error));
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage({ index, rounds });
});
</script>`;

async function inChromium(sets: readonly VirtualReferences[], rounds: number, median: Median): Promise<void> {
  const script = await bundleWorker("icechunk.worker.ts");
  const server = createServer(({ url = "/" }, response) => {
    const [, what, index] = /^\/(manifest|kerchunk)\/(\d+)$/.exec(url) ?? [];
    const isScript = url === "/worker.js";
    response.setHeader("content-type", isScript ? "text/javascript" : what === undefined ? "text/html" : "text/plain");
    const set = sets[Number(index)];
    response.end((what === "manifest" ? set?.manifest : set?.kerchunk) ?? (isScript ? script : PAGE));
  });
  const address = await listen(server);
  const browser = await chromium.launch({ ...chromiumExecutable(), args: ["--no-sandbox"] });
  try {
    console.log(`\nChromium ${browser.version()}, a worker each, ${rounds} rounds`);
    const page = await browser.newPage();
    await page.goto(address);
    for (const [index, { name, manifest }] of sets.entries()) {
      print(name, manifest, await page.evaluate<Timings>(`window.time(${index}, ${rounds})`), median);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

function print(name: string, manifest: Uint8Array, timings: Timings, median: Median): void {
  const { ours, parse, first, references, targets, bytesAtRest } = timings;
  const ratio = median(ours.map((one, round) => one / (parse[round] ?? NaN))).toFixed(2);
  console.log(
    `${name.padStart(38)}: ${median(ours).toFixed(0)} ms (the first time ${first.toFixed(0)}), ${ratio} × JSON.parse ` +
      `(${median(parse).toFixed(0)} ms); ${references.toLocaleString("en")} references, ` +
      `${targets.toLocaleString("en")} targets, ${(bytesAtRest / references).toFixed(1)} bytes a reference at rest; ` +
      `manifest of ${(manifest.length / 1e6).toFixed(2)} MB`,
  );
}
