import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "#core/reading.ts";
import { shellWord } from "#core/words.ts";
import { curlCommand } from "./curl-command.ts";

const reading: Reading = {
  id: 1,
  array: "sst",
  coordinates: [2, 0, 1],
  key: "sst/2.0.1",
  state: "range",
  written: '["ocean-a.nc", 151487, 6851]',
  resolution: { kind: "url", url: "https://data.example.org/ocean-a.nc", steps: [] },
  stages: [],
  outcome: "ok",
  findings: [],
};

describe("shellWord", () => {
  it("leaves plain words alone and quotes the rest", () => {
    expect(shellWord("https://example.org/a.nc")).toBe("https://example.org/a.nc");
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
    expect(shellWord("")).toBe("''");
    expect(shellWord("-o")).toBe("'-o'");
    expect(shellWord("a&b;$(rm)`x`\n#")).toBe("'a&b;$(rm)`x`\n#'");
  });

  it("reaches the program unchanged through a real shell", () => {
    const text = fc.string({ unit: "binary-ascii", maxLength: 40 }).filter((one) => !one.includes("\0"));
    fc.assert(
      fc.property(text, (one) => {
        const out = execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(one)}`], { encoding: "utf8" });
        expect(out).toBe(one);
      }),
      { numRuns: 40 },
    );
  });
});

describe("curlCommand", () => {
  it("asks for the closed range of the reference", () => {
    expect(curlCommand(reading)).toBe(
      "curl --fail -r 151487-158337 -o ./sst_2.0.1.bin https://data.example.org/ocean-a.nc",
    );
  });
  it("asks for the range of a virtual chunk, and of a native one that is a part of an object", () => {
    expect(curlCommand({ ...reading, state: "virtual" })).toBe(curlCommand(reading));
    const native = { ...reading, state: "native" as const, written: '["chunks/ID", 100, 20]' };
    expect(curlCommand(native)).toContain("-r 100-119 ");
    expect(curlCommand({ ...native, written: "sst/2.0.1" })).not.toContain("-r ");
  });
  it("asks for a whole file without a range", () => {
    const whole = { ...reading, state: "whole" as const, written: '["https://e.org/a?b=1&c=[2]"]' };
    const url = "https://e.org/a?b=1&c=[2]";
    expect(curlCommand({ ...whole, resolution: { kind: "url", url, steps: [] } })).toBe(
      "curl --fail --globoff -o ./sst_2.0.1.bin 'https://e.org/a?b=1&c=[2]'",
    );
  });
  it("takes the range that was asked for where the reference is a template", () => {
    const request = { url: "", range: { offset: 8, length: 2 }, attempts: 1, bytesReceived: 0, milliseconds: 1 };
    expect(curlCommand({ ...reading, written: '["{{u}}", "{{o}}", 2]', request })).toContain("-r 8-9 ");
  });
  it("has none for files, empty ranges and what is not resolved", () => {
    expect(curlCommand({ ...reading, resolution: { kind: "file", path: "a.nc", steps: [] } })).toBeUndefined();
    expect(curlCommand({ ...reading, written: '["a", 5, 0]' })).toBeUndefined();
    const { resolution: _, ...inline } = reading;
    expect(curlCommand(inline)).toBeUndefined();
  });
});
