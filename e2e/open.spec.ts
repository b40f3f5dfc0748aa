/** `refscope open`: the page by a server on this computer, which reads for it what other sites' pages may not. */
import { violations } from "./support/axe.ts";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { expect, test } from "@playwright/test";
import { chunk as chunkRegion, idle, showView, tree } from "./support/app.ts";
import { type RangeServer, startRangeServer } from "./support/range-server.ts";

const ROOT = resolve(import.meta.dirname, "..");

interface Opened {
  readonly address: string;
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly said: () => string;
}

/** As a user starts it; the address is the only line that it prints. */
async function refscopeOpen(...args: readonly string[]): Promise<Opened> {
  const script = join(ROOT, "tools/refscope.mjs");
  const child = spawn(process.execPath, [script, "open", ...args, "--no-browser"], {
    cwd: ROOT,
    env: { ...process.env, INIT_CWD: ROOT },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  const address = await new Promise<string>((found, failed) => {
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const line = /^(http\S+)\n/m.exec(said)?.[1];
      if (line !== undefined) found(line);
    });
    child.on("exit", () => failed(new Error(said)));
  });
  return { address, child, said: () => said };
}

let data: RangeServer;
let folder: string;

/** The sample, with its targets on a server that allows no other site's page. */
test.beforeAll(async () => {
  data = await startRangeServer();
  folder = await mkdtemp(join(tmpdir(), "refscope-open-"));
  const sample = await readFile(join(ROOT, "public/samples/ocean.v1.json"), "utf8");
  for (const name of ["ocean-a.nc", "ocean-b.nc"]) {
    data.put(`/${name}`, await readFile(join(ROOT, "public/samples", name)));
    data.misbehave(`/${name}`, "no-cors");
  }
  const moved = sample.replaceAll(/"(ocean-[ab]\.nc)"/g, (_, name: string) => JSON.stringify(data.url(`/${name}`)));
  await writeFile(join(folder, "ocean.json"), moved);
});

test.afterAll(async () => {
  await data.stop();
  await rm(folder, { recursive: true });
});

test("what other sites' pages may not read is read by this computer, under its real address", async ({ page }) => {
  const { address, child, said } = await refscopeOpen(join(folder, "ocean.json"), "--relay", new URL(data.origin).host);
  const token = new URL(address).pathname.slice(1, -1);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: (text: string) => void Object.assign(globalThis, { copied: text }) },
    });
  });
  await page.goto(address);
  await idle(page);
  await expect(page.getByRole("heading", { name: "Refscope sample: a synthetic ocean" })).toBeVisible();
  await page.evaluate(() => (location.hash += "&array=sst&chunk=0.0.0&view=chunks&tab=request"));
  await idle(page);
  const chunk = chunkRegion(page);
  await expect(chunk).toContainText(data.url("/ocean-a.nc"));
  await expect(chunk).toContainText("relayed by this computer");
  await expect(chunk).toContainText("206, range honoured");
  // Neither what is shown nor what is shared or kept knows the way.
  await expect(page.locator("body")).not.toContainText(token);
  await page.getByRole("button", { name: "Share" }).click();
  const share = page.getByRole("dialog", { name: "Share" });
  expect(await violations(page, { rules: "all", part: "header" })).toEqual([]);
  const copy = () => page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
  await share.getByRole("button", { name: "Copy badge (Markdown)" }).click();
  await expect.poll(copy).toMatch(/^\[!\[Open in Refscope\]\(http.*\/badge\.svg\)\]\(http.*\/\?url=.*ocean\.json\)$/);
  await share.getByRole("button", { name: "Copy link to this view" }).click();
  await expect.poll(copy).not.toContain("badge");
  const copied = await page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
  expect(copied).toContain("ocean.json&array=sst&chunk=0.0.0");
  expect(copied).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token);
  await showView(page, "Check");
  await page.getByRole("button", { name: "Report", exact: true }).click();
  await page.getByRole("button", { name: /as Markdown/ }).click();
  const report = await page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
  expect(report).toContain("ocean.json");
  expect(report).not.toContain(token);
  await page.goBack();
  await idle(page);
  for (const request of data.requests) expect(JSON.stringify(request)).not.toContain(token);
  expect(said().split(token)).toHaveLength(2);
  expect(said()).toContain("to see ocean.json.\nOnly who knows the address can read it. Press Ctrl+C to stop.");
  // Ctrl-C ends it, with connections open.
  const idleOnes = Array.from({ length: 20 }, () => connect(Number(new URL(address).port), "127.0.0.1"));
  for (const one of idleOnes) one.on("error", () => undefined);
  await Promise.all(idleOnes.map((one) => new Promise((done) => one.once("connect", done))));
  const started = performance.now();
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(performance.now() - started).toBeLessThan(1000);
  // What is asked then, says so.
  await page.evaluate(() => (location.hash = location.hash.replace("chunk=0.0.0", "chunk=5.2.2")));
  await expect(page.getByText("Not relayed").first()).toBeVisible();
});

test(
  "without a dataset the page opens paths of this computer, and its own samples without the token",
  { tag: "@deep" },
  async ({ page }) => {
    const { address, child } = await refscopeOpen("--root", join(ROOT, "public/samples"));
    const token = new URL(address).pathname.slice(1, -1);
    await page.goto(address);
    await idle(page);
    await page.getByRole("textbox", { name: "Open URL" }).fill(join(ROOT, "public/samples/ocean-a.nc"));
    await page.keyboard.press("Enter");
    await expect(tree(page)).toBeVisible();
    await idle(page);
    await expect(page).toHaveURL(/#url=file:\/\/\/.*\/samples\/ocean-a\.nc/);
    await page.goto("about:blank");
    await page.goto(`${address}#url=samples/ocean.v1.json`);
    await expect(tree(page)).toBeVisible();
    await idle(page);
    expect(decodeURIComponent(new URL(page.url()).hash)).not.toContain(token);
    child.kill("SIGINT");
  },
);
