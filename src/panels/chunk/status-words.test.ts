import { describe, expect, it } from "vitest";
import { WHOLE_SET } from "#core/findings/fact.ts";
import type { Reading, StageReport } from "#core/reading.ts";
import { statusWords } from "./ChunkHeader.tsx";

const stage = (id: string, bytesIn: number, bytesOut: number): StageReport => ({
  id,
  label: id,
  configuration: "",
  bytesIn,
  bytesOut,
});
const request = { url: "https://h/a", attempts: 1, status: 206, bytesReceived: 12_459, milliseconds: 1 };
const reading = (part: Partial<Reading>): Reading => ({
  id: 1,
  array: "sst",
  coordinates: [0],
  key: "sst/0",
  state: "range",
  written: "",
  outcome: "ok",
  request,
  stages: [stage("stored", 12_459, 12_459), stage("zlib", 12_459, 20_480), stage("shuffle", 20_480, 20_480)],
  findings: [],
  ...part,
});
const line = (one: Reading) => {
  const { lead, rest } = statusWords(one, undefined);
  return [lead, ...rest].join(" · ");
};

describe("statusWords", () => {
  it("say what came, what it became, and by which steps", () => {
    expect(line(reading({}))).toBe("206 · 12.5 kB → 20.5 kB · zlib, shuffle");
    expect(line(reading({ stages: [stage("stored", 64, 64)] }))).toBe("206 · 64 B · no codec");
    expect(line(reading({ state: "inline", stages: [stage("stored", 8, 8)] }))).toMatch(/^206/);
  });

  it("say where the bytes come from without a request", () => {
    const { request: _, ...inline } = reading({ state: "inline" });
    expect(line(inline)).toMatch(/^inline · /);
    const { status: __, ...local } = request;
    expect(line(reading({ request: local }))).toMatch(/^local file · /);
    const steps: readonly string[] = [];
    const archive = { kind: "url", url: "https://x.example/a.zip", steps } as const;
    const member = { kind: "member", archive, path: "a", steps } as const;
    expect(line(reading({ request: local, resolution: member }))).toMatch(/^from an archive · /);
    expect(line(reading({ request: local, resolution: { kind: "data", url: "data:,x", steps } }))).toMatch(
      /^data: URL · /,
    );
  });

  it("begin with the step that failed, and its reason", () => {
    const facts = { codec: "zlib", expected: "a zlib header", found: "df ff" };
    const error = { code: "decode-failed", place: WHOLE_SET, facts, count: 1 };
    const { bytesOut: _, ...failed } = stage("zlib", 12_417, 0);
    const stages = [stage("stored", 12_417, 12_417), { ...failed, error }];
    expect(line(reading({ outcome: "failed", error, stages }))).toBe("zlib · expected a zlib header · 206 · 12.4 kB");
  });

  it("begin with the status where the bytes did not come", () => {
    const failed = { outcome: "failed", stages: [] } as const;
    expect(line(reading({ ...failed, request: { ...request, status: 404 } }))).toBe("404");
    const { request: _, ...none } = reading(failed);
    const error = { code: "http-status", place: WHOLE_SET, facts: { status: 403 }, count: 1 };
    expect(line({ ...none, error })).toBe("403");
    expect(line(none)).toBe("request");
    expect(line({ ...none, state: "bad" })).toBe("reference");
  });
});
