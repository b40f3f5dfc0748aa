import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative addresses: the built page works from any folder of any static host.
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  build: { target: "es2023", chunkSizeWarningLimit: 1500 },
  preview: { host: "localhost" },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "bench/**/*.test.ts", "e2e/support/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
