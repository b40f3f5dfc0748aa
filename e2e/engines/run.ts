/**
 * The short stories in the engines besides Chromium, side by side where they are installed: `npm test engines`, or one
 * of them: `npm run engines webkit`. Chromium tells the long stories (e2e/*.spec.ts), and these only in `npm run
 * test:deep` or when asked. They run against what is built in `dist/`.
 */
import type { AddressInfo } from "node:net";
import { preview } from "vite";
import { isDeep } from "../../src/core/testing/runs.ts";
import { startRangeServer } from "../support/range-server.ts";
import { SHARDED } from "../support/stores.ts";
import { chromium } from "./chromium.ts";
import { firefox } from "./firefox.ts";
import type { Engine, EngineKind } from "./page.ts";
import { DEEPER_STORIES, STORIES } from "./stories.ts";
import { userOf } from "./user.ts";
import { webkit } from "./webkit.ts";

const ENGINES: readonly EngineKind[] = [chromium, firefox, webkit];

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Outcome of the stories of an engine. */
interface Told {
  readonly failed: number;
  /** Names of stories that passed only at the second try, in a new browser. */
  readonly again: readonly string[];
}

async function tellAll(kind: EngineKind, origin: string): Promise<Told> {
  const first = await kind.launch();
  if (first === undefined) {
    console.log(`${kind.name}: not installed, its stories are skipped`);
    return { failed: 0, again: [] };
  }
  const server = await startRangeServer({ root: SHARDED });
  let engine = first;
  let failed = 0;
  const again: string[] = [];
  // `npm test` has told Firefox and WebKit the rest a while before.
  const stories = isDeep && kind !== chromium ? DEEPER_STORIES : STORIES;
  for (const [title, story] of stories) {
    const tell = (engine: Engine): Promise<void> => story({ user: userOf(engine.page, origin), server });
    const name = `${kind.name} ${engine.version}: ${title}`;
    const start = performance.now();
    try {
      await tell(engine);
      console.log(`✓ ${name} (${secondsSince(start)})`);
    } catch (error) {
      console.log(`✗ ${name} (${secondsSince(start)})`, error);
      engine = await relaunched(kind, engine);
      if (await passes(`${name}, in a new browser`, () => tell(engine))) again.push(name);
      else failed += 1;
    }
  }
  await server.stop();
  await engine.stop();
  return { failed, again };
}

/** A browser's own process can end (WebKitGTK: "page crash or hang"), and every later story would fail with it. */
async function relaunched(kind: EngineKind, engine: Engine): Promise<Engine> {
  await engine.stop().catch((error: unknown) => console.log(`${kind.name} could not be stopped:`, error));
  const next = await kind.launch();
  if (next === undefined) throw new Error(`${kind.name} could not be started again`);
  return next;
}

async function passes(name: string, attempt: () => Promise<void>): Promise<boolean> {
  const start = performance.now();
  try {
    await attempt();
    console.log(`✓ ${name} (${secondsSince(start)})`);
    return true;
  } catch (error) {
    console.log(`✗ ${name} (${secondsSince(start)})`, error);
    return false;
  }
}

const asked = process.argv.slice(2).map((name) => name.toLowerCase());
const kinds = ENGINES.filter((kind) =>
  asked.length === 0 ? kind !== chromium : asked.includes(kind.name.toLowerCase()),
);
const served = await preview({ logLevel: "silent", preview: { port: 0, host: "localhost" } });
const origin = `http://localhost:${(served.httpServer.address() as AddressInfo).port}`;
const start = performance.now();
const told = await Promise.all(kinds.map((kind) => tellAll(kind, origin)));
const failed = told.reduce((sum, one) => sum + one.failed, 0);
const again = told.flatMap((one) => one.again);
await served.close();
for (const name of again) console.log(`Failed once, and passed in a new browser: ${name}`);
const passed =
  again.length === 0 ? "All stories passed" : `All stories passed but ${again.length} only at a second try`;
console.log(`${failed === 0 ? passed : `${failed} stories failed`} (${secondsSince(start)})`);
process.exitCode = failed === 0 ? 0 : 1;
