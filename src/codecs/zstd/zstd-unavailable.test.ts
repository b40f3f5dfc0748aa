/** WebAssembly that may not run, or does not load: what the Zstandard decoder says then. */
import { expect, it, vi } from "vitest";

it("the decoder says why it does not start", async () => {
  vi.doMock("zstddec/stream", () => ({
    ZSTDDecoder: class {
      init = () => Promise.reject(new Error("blocked by the policy"));
      _init(): void {}
    },
  }));
  const { openZstdDecoder } = await import("./zstd-decoder.ts");
  await expect(openZstdDecoder()).rejects.toMatchObject({
    finding: { code: "decompress-unavailable", facts: { problem: "blocked", reason: "blocked by the policy" } },
  });
});
