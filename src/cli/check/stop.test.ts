/** Ctrl-C ends a check with what was found until then, and progress says how much came and what is left. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { bytesWords, progressWords, timeWords } from "../print/progress.ts";
import { ROOT } from "../testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-stop-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("progress", () => {
  const chunks = { label: "Reading sst", done: 50, total: 200, unit: "chunks" } as const;
  it("says what is done, and once that is steady how fast it comes and what is left", () => {
    expect(progressWords(chunks, { seconds: 0.5, bytes: 1e6 })).toBe("Reading sst: 50 of 200 chunks · 25% · 1.0 MB");
    expect(progressWords(chunks, { seconds: 10, bytes: 5e7 })).toBe(
      "Reading sst: 50 of 200 chunks · 25% · 50 MB · 5.0 MB/s · 30 s left",
    );
    const document = { label: "Fetching", done: 3e6, unit: "bytes" } as const;
    expect(progressWords(document, { seconds: 3, bytes: 0 })).toBe("Fetching: 3.0 MB · 1.0 MB/s");
  });

  it("in short numbers", () => {
    expect([0, 999, 1000, 12_345, 9_960_000, 4e12].map(bytesWords)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "12 kB",
      "10 MB",
      "4.0 TB",
    ]);
    expect([0.2, 89, 100, 7200].map(timeWords)).toEqual(["1 s", "89 s", "2 min", "2.0 h"]);
  });
});

describe("Ctrl-C", () => {
  it("ends with what the references told, while a server keeps silent", async () => {
    let heard = (): void => undefined;
    const asked = new Promise<void>((done) => {
      heard = done;
    });
    const server = createServer(() => heard());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const path = join(folder, "slow.json");
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.nc`;
    const refs = {
      "a/.zarray": zarrayWith({ shape: [1], dtype: "|u1" }),
      "a/0": [target, 0, 1],
      "a/7": [target, 1, 1],
    };
    writeFileSync(path, JSON.stringify({ version: 1, refs }));
    const args = [resolve(ROOT, "tools/refscope.mjs"), "check", path, "--network", "--allow-private", "--json"];
    const child = spawn(process.execPath, args, { cwd: ROOT });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString()));
    await asked;
    child.kill("SIGINT");
    const code = await new Promise((done) => child.on("exit", done));
    server.closeAllConnections();
    server.close();
    expect([code, stderr]).toEqual([130, expect.stringContaining("Stopped: this is what was found until then")]);
    const { findings, checked } = JSON.parse(stdout) as {
      readonly findings: readonly { readonly code: string }[];
      readonly checked: { readonly isStopped?: boolean };
    };
    expect(checked.isStopped).toBe(true);
    expect(findings.map((one) => one.code)).toContain("key-outside-grid");
  });
});
