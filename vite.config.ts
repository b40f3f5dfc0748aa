import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { sandboxPage } from "./src/sandbox/page-plugin.ts";
import { besideWorkerEntry, workerEntryAlone } from "./tools/worker-entry-plugin.ts";
import { firstPaint } from "./tools/first-paint-plugin.ts";
import { thirdPartyLicences } from "./tools/third-party-plugin.mjs";

/**
 * index.html says the same for the page. A worker goes by the headers of its own file: served by us, it is held to the
 * policy too, so that what needs `unsafe-eval` fails here first. `data:` is how zstddec starts its WebAssembly. The one
 * frame is the sandbox's document, which has a policy of its own (src/sandbox/page-plugin.ts).
 */
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "connect-src * data:; worker-src 'self' blob:; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'";

/** Sweeps: whole files, and tests that try a part of their cases for everybody (src/core/testing/runs.ts). */
const isDeep = process.env.REFSCOPE_DEEP === "1";
const UNITS = [
  "src/**/*.test.{ts,tsx}",
  "packages/**/*.test.ts",
  "bench/**/*.test.ts",
  "e2e/support/**/*.test.ts",
  "tools/**/*.test.ts",
  "integrations/**/*.test.ts",
];
const SWEEPS = "**/*.deep.test.ts";

function sweeps(): string[] {
  const all = ["src", "packages", "tools"].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const isSweep = (path: string) =>
    path.startsWith("packages") ||
    path.includes(".deep.") ||
    /testing\/runs\.ts"/.test(readFileSync(join(import.meta.dirname, path), "utf8"));
  return all.filter(isSweep);
}

/** Tests that replace or reload modules, or run those of other files: each in a process of its own. The others share imports. */
const ALONE = [
  "src/cli/fuzz.deep.test.ts",
  "src/codecs/jpeg.test.ts",
  "src/codecs/wasm/decode.test.ts",
  "src/codecs/wasm/plain.test.ts",
  "src/codecs/zstd/zstd-unavailable.test.ts",
  "src/formats/kerchunk-json/parts.test.ts",
];

/** What was built of the page before goes; the terminal's program in `cli/` stays (tools/build-terminal.mjs). */
function emptyPage(): Plugin {
  return {
    name: "empty-page",
    apply: "build",
    buildStart() {
      const folder = join(import.meta.dirname, "dist");
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder))
        if (!/^(?:cli(?:\.\d+)?|package|wheel)$/.test(name))
          rmSync(join(folder, name), { recursive: true, force: true });
    },
  };
}

export default defineConfig({
  // Relative addresses: the built page works from any folder of any static host.
  base: "./",
  // What is not there is a 404, not this page: a missing target must not look like a file of a thousand bytes.
  appType: "mpa",
  plugins: [react(), sandboxPage(policy), thirdPartyLicences(), emptyPage(), firstPaint(import.meta.dirname)],
  worker: { format: "es", plugins: () => [workerEntryAlone()], rolldownOptions: { output: besideWorkerEntry } },
  build: { target: "es2023", chunkSizeWarningLimit: 1500, emptyOutDir: false },
  preview: { host: "localhost" },
  test: {
    // Generous: machines are small and shared, and what hangs is still found.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than cores, since some files wait. On two cores the default is one.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["tools/property-seed.ts", "tools/regexp-tester.ts"],
    coverage: {
      include: ["{src,packages}/**/*.{ts,tsx}"],
      exclude: ["**/*.test.*", "**/testing/**", "**/fixtures/**", "**/*.as.ts"],
      reporter: ["text-summary"],
    },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          isolate: false,
          include: isDeep ? sweeps() : UNITS,
          exclude: isDeep ? ALONE : [...ALONE, SWEEPS],
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
