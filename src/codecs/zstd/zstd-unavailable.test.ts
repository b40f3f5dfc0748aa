/** WebAssembly that may not run, or does not load: what the Zstandard codecs say then. */
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

it("the encoder says why it does not start", async () => {
  vi.doMock("@hpcc-js/wasm-zstd", () => ({
    Zstd: { load: () => Promise.reject(new Error("blocked by the policy")) },
  }));
  const { openZstdEncoder } = await import("./zstd-encoder.ts");
  await expect(openZstdEncoder()).rejects.toMatchObject({
    finding: { code: "compress-unavailable", facts: { reason: "blocked by the policy" } },
  });
});
