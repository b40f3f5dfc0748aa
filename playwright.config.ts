import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const chromium = process.env.REFSCOPE_CHROMIUM ?? "/usr/bin/chromium";
/** Another port: the tests run against what is served there. */
const port = Number(process.env.REFSCOPE_PORT ?? 4173);

/**
 * Sweeps are told by `npm run test:deep` alone, and nothing but them: stories with the tag, and whole files of them. Those
 * of the sandbox are told there too, and by `npm test` when it changed.
 */
const DEEP = /@deep|\.deep\.spec/;
const isDeep = process.env.REFSCOPE_DEEP === "1";
const skipped = process.env.REFSCOPE_SKIP;

export default defineConfig({
  testDir: "e2e",
  ...(isDeep ? { grep: [DEEP, /sandbox\.spec/] } : { grepInvert: DEEP }),
  ...(skipped === undefined ? {} : { testIgnore: skipped }),
  fullyParallel: true,
  // Half of a story is waiting: four share two cores in four fifths of the time that two take.
  workers: 4,
  retries: process.env.CI === undefined ? 0 : 1,
  // Generous: the machines are small and shared, and nothing here waits for a time.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      // As root (containers) Chromium refuses its sandbox; the rest keeps it from calling home.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // As every Chromium with a window does: the sandbox's frame has a process of its own.
        "--site-per-process",
      ],
    },
  },
  webServer: {
    command: `npx vite preview --port ${port} --strictPort`,
    url: `http://localhost:${port}`,
    reuseExistingServer: process.env.CI === undefined,
  },
});
