/**
 * The short stories in every engine that is installed, one after another: `npm test engines`, or of one of them
 * `npm run engines webkit`. They run against what is built in `dist/`.
 */
import type { AddressInfo } from "node:net";
import { preview } from "vite";
import { startRangeServer } from "../support/range-server.ts";
import { SHARDED } from "../support/stores.ts";
import { chromium } from "./chromium.ts";
import { firefox } from "./firefox.ts";
import type { Engine, EngineKind } from "./page.ts";
import { STORIES } from "./stories.ts";
import { userOf } from "./user.ts";
import { webkit } from "./webkit.ts";

const ENGINES: readonly EngineKind[] = [chromium, firefox, webkit];

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** How many stories fail. */
async function failuresIn(kind: EngineKind, origin: string): Promise<number> {
  const engine = await kind.launch();
  if (engine === undefined) {
    console.log(`${kind.name}: not installed, its stories are skipped`);
    return 0;
  }
  try {
    return await failuresOf(`${kind.name} ${engine.version}`, engine, origin);
  } finally {
    await engine.stop();
  }
}

async function failuresOf(name: string, { page }: Engine, origin: string): Promise<number> {
  const server = await startRangeServer({ root: SHARDED });
  const user = userOf(page, origin);
  let failed = 0;
  for (const [title, story] of STORIES) {
    const start = performance.now();
    try {
      await story({ user, server });
      console.log(`✓ ${name}: ${title} (${secondsSince(start)})`);
    } catch (error) {
      failed += 1;
      console.log(`✗ ${name}: ${title} (${secondsSince(start)})`, error);
    }
  }
  await server.stop();
  return failed;
}

const asked = process.argv.slice(2).map((name) => name.toLowerCase());
const kinds = ENGINES.filter(({ name }) => asked.length === 0 || asked.includes(name.toLowerCase()));
const served = await preview({ logLevel: "silent", preview: { port: 0, host: "localhost" } });
const origin = `http://localhost:${(served.httpServer.address() as AddressInfo).port}`;
const start = performance.now();
let failed = 0;
for (const kind of kinds) failed += await failuresIn(kind, origin);
await served.close();
console.log(`${failed === 0 ? "All stories passed" : `${failed} stories failed`} (${secondsSince(start)})`);
process.exitCode = failed === 0 ? 0 : 1;
