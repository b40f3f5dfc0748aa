/** Hostile documents through the command: what they name ends no run, and nothing in them steers the terminal. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../e2e/support/range-server.ts";
import { zarrayWith } from "../core/testing/zarr-documents.ts";
import { runCommand, startCommand } from "./testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-hostile-"));
const outside = mkdtempSync(join(tmpdir(), "refscope-outside-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(outside, { recursive: true });
});

const ODD = "a\u001b[2J\u007f\u009b\u202e\u2028b";
const TARGETS = ["good.bin", "good.bin/x", "nul\0", "x".repeat(5000), "loop/x", "out.bin"];
const zarray = zarrayWith({ shape: [TARGETS.length], dtype: "|u1" });
const document = join(folder, "refs.json");
writeFileSync(join(folder, "good.bin"), "x");
writeFileSync(join(outside, "secret"), "x");
symlinkSync("loop", join(folder, "loop"));
symlinkSync(join(outside, "secret"), join(folder, "out.bin"));
writeFileSync(
  document,
  JSON.stringify({
    version: 1,
    refs: {
      ".zgroup": { zarr_format: 2 },
      [`${ODD}/.zarray`]: zarray,
      ...Object.fromEntries(TARGETS.map((target, at) => [`${ODD}/${at}`, [target, 0, 1]])),
      [`${ODD}/9`]: ["good.bin", 0, 1],
      "fine/.zarray": { ...zarray, shape: [1] },
      "fine/0": ["good.bin", 0, 1],
    },
  }),
);

/** Whatever a terminal would obey, or a reader misread; line feeds are ours. */
const STEERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const steering = (text: string) => text.split("\n").filter((line) => STEERS.test(line));

describe("a hostile document beside its targets", () => {
  it("fails chunk by chunk, and the others are read", async () => {
    const { status, stdout } = await startCommand(["digest", document, "--json", "--threads", "0"]);
    expect(status).toBe(1);
    const { arrays } = JSON.parse(stdout) as {
      readonly arrays: Readonly<Record<string, { readonly sha256?: string; readonly errors?: Record<string, string> }>>;
    };
    expect(Object.keys(arrays[ODD]?.errors ?? {})).toEqual(["1", "2", "3", "4", "5"]);
    expect(arrays[ODD]?.errors?.[5]).toContain("leads out");
    expect(arrays["fine"]?.sha256).toMatch(/^[\da-f]{64}$/);
    expect(steering(stdout)).toEqual([]);
  });

  it.each([
    ["info"],
    ["info", "--json"],
    ["info", "--choice", ODD],
    ["digest", "--threads", "0"],
    ["digest", "--json", "--threads", "0"],
    ...["text", "json", "sarif", "github", "markdown"].map((format) => ["check", "--format", format]),
    ["check", "--reader", "all"],
    ["check", "--write-accept", "/dev/null"],
    ["read", "--array", ODD],
    ["read", "--array", ODD, "--json"],
    ["read", "--array", `${ODD}/none`],
    ["compare", "public/samples/ocean-a.v0.json"],
    ["compare", "public/samples/ocean-a.v0.json", "--json"],
    ["render"],
    ["refs"],
    ["preflight"],
    ["combine"],
    ["history"],
    ["capsule", "--array", ODD, "--chunk", "1", "--out", "/dev/null"],
    ["write", "--as", "kerchunk-json", "--out", "/dev/null"],
    ["doctor", "--root", ODD],
    ["explain"],
  ])("does not steer the terminal through %s %s %s", async (...[command = "", ...more]) => {
    const { stdout, stderr } = await runCommand([command, document, ...more]);
    expect(stdout + stderr).not.toBe("");
    expect(steering(stdout + stderr)).toEqual([]);
  });
});

describe("private addresses", () => {
  let server: RangeServer;
  beforeAll(async () => {
    server = await startRangeServer({ files: { "/t.bin": "x" } });
  });
  afterAll(() => server.stop());

  it("are read for a set from a file where an option allows them", async () => {
    const path = join(folder, "near.json");
    const refs = { "n/.zarray": { ...zarray, shape: [1] }, "n/0": [server.url("/t.bin"), 0, 1] };
    writeFileSync(path, JSON.stringify({ version: 1, refs }));
    const refused = await runCommand(["digest", path, "--threads", "0"]);
    expect([refused.status, refused.stdout.includes("allow private addresses")]).toEqual([1, true]);
    expect((await runCommand(["digest", path, "--threads", "0", "--allow-private"])).status).toBe(0);
  });
});

it("shows nobody what gives access, in the reasons of failed chunks either", async () => {
  const path = join(folder, "signed.json");
  const refs = { "n/.zarray": { ...zarray, shape: [1] }, "n/0": ["http://127.0.0.1:9/g.bin?jwt=Zq000z", 0, 1] };
  writeFileSync(path, JSON.stringify({ version: 1, refs }));
  for (const [command, ...more] of [
    ["read", "--array", "n"],
    ["read", "--array", "n", "--json"],
    ["digest", "--json"],
  ]) {
    const { stdout, stderr } = await runCommand([command ?? "", path, ...more, "--threads", "0", "--allow-private"]);
    expect(stdout + stderr).toContain("jwt=…");
    expect(stdout + stderr).not.toContain("Zq000z");
  }
});
