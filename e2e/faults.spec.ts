/** Servers that hang and documents that are not what they say: each is named, and nothing open is lost. */
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { idle, openPage, SAMPLES, statistic, tree, showProblems } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";

let server: RangeServer;

const data = new Uint8Array(4096).map((_, at) => at % 251);

function references(target: string): string {
  const zarray = {
    zarr_format: 2,
    shape: [64],
    chunks: [64],
    dtype: "|u1",
    compressor: null,
    filters: null,
    fill_value: 0,
    order: "C",
  };
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(zarray), "a/0": [target, 100, 64] };
  return JSON.stringify({ version: 1, refs });
}

test.beforeAll(async () => {
  server = await startRangeServer({ files: { "/good.json": references("data.bin") } });
  server.put("/data.bin", data);
});

test.afterAll(async () => {
  await server.stop();
});

const link = (path: string) => `#url=${encodeURIComponent(server.url(path))}&array=a&chunk=0`;

test("a target that hangs can be cancelled", async ({ page }) => {
  server.put("/hang.bin", data);
  server.misbehave("/hang.bin", "hang");
  server.put("/hang.json", references("hang.bin"));
  await page.goto(`/${link("/hang.json")}&view=manifest`);
  await expect(tree(page)).toBeVisible(); // from here on the Cancel is the chunk's
  const cancel = page.getByRole("status").getByRole("button", { name: /Cancel/ });
  await cancel.click();
  await idle(page);
  await expect(tree(page)).toBeVisible();
});

/** The engine's worker then ends without a word. */
function withMortalEngine(): void {
  const Own = Worker;
  globalThis.Worker = class extends Own {
    constructor(address: string | URL, options?: WorkerOptions) {
      const engine = new URL(address, location.href).href;
      const script = `import ${JSON.stringify(engine)}; setTimeout(() => globalThis.close(), 2000);`;
      super(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), options);
    }
  };
}

test("an engine that ends while a document is opened is said to have stopped", async ({ page }) => {
  server.put("/slow.json", references("data.bin"));
  server.misbehave("/slow.json", "hang");
  await page.addInitScript(withMortalEngine);
  await page.goto(`/${link("/slow.json")}`);
  await expect(page.getByRole("alert").first()).toHaveAttribute("data-code", "engine-stopped");
});

test("a document that hangs can be cancelled, and what is open stays", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, link("/good.json"));
  server.put("/slow.json", references("data.bin"));
  server.misbehave("/slow.json", "hang");
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link("/slow.json"));
  await page
    .getByRole("status")
    .getByRole("button", { name: /Cancel/ })
    .click();
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "a", exact: true })).toBeVisible();
});

const DOCUMENTS: readonly (readonly [what: string, code: string, body: string | Uint8Array])[] = [
  ["an HTML page", "web-page", "<!doctype html><title>404</title>"],
  ["JSON of another kind", "not-a-reference-set", '{"type":"FeatureCollection","features":[]}'],
  ["a list of pairs", "not-a-reference-set", '[["a/.zarray","e30="],["a/0","AAAA"]]'],
  ["cut off in the middle", "json-truncated", references("data.bin").slice(0, 150)],
  ["nothing at all", "document-empty", ""],
  ["missing commas", "json-malformed", '{"version":1,"refs":{"a/0":["x",1,2] "a/1":["x",1,2]}}'],
  ["damaged gzip", "decompress-failed", gzipSync(references("data.bin")).subarray(0, 60)],
];

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test("a document that cannot be opened loses nothing already open", async ({ page }) => {
  await openPage(page, link("/good.json"));
  for (const [what, code, body] of DOCUMENTS) {
    server.put(`/bad/${what}.json`, body);
    await goTo(page, `#url=${encodeURIComponent(server.url(`/bad/${encodeURIComponent(what)}.json`))}`);
    await expect(page.getByRole("alert").first()).toHaveAttribute("data-code", code);
    await idle(page);
    await expect(tree(page).getByRole("treeitem", { name: "a", exact: true })).toBeVisible();
  }
});

test("wrong types and impossible offsets are problems, and the rest opens", { tag: "@deep" }, async ({ page }) => {
  const set = JSON.parse(references("data.bin")) as { refs: Record<string, unknown> };
  const zarray = JSON.parse(String(set.refs["a/.zarray"])) as Record<string, unknown>;
  set.refs["a/.zarray"] = JSON.stringify({ ...zarray, shape: [64 * 6] });
  set.refs["a/1"] = ["data.bin", -5, 64];
  set.refs["a/2"] = ["data.bin", 1.5, 64];
  set.refs["a/3"] = 42;
  set.refs["a/4"] = ["data.bin", 9_007_199_254_740_994, 64];
  server.put("/types.json", JSON.stringify(set));
  await openPage(page, `#url=${encodeURIComponent(server.url("/types.json"))}&array=a&chunk=0&view=chunks`);
  await expect.poll(() => statistic(page, "Count")).toBe("64");
  const bad = page.getByRole("grid", { name: "Manifest" }).getByRole("gridcell", { name: "bad", exact: true });
  await expect(bad).toHaveCount(4);
  await expect(
    (await showProblems(page)).locator('[data-severity="error"], [data-severity="warning"]'),
  ).not.toHaveCount(0);
});

test("compressed documents open", { tag: "@deep" }, async ({ page }) => {
  const sample = readFileSync(join(SAMPLES, "ocean-a.v1.json"));
  server.put("/a.json.gz", gzipSync(sample));
  await openPage(page, `#url=${encodeURIComponent(server.url("/a.json.gz"))}`);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toBeVisible();
});

test("a set may not reach private addresses before they are allowed, by the button that says so", async ({ page }) => {
  const other = references(server.url("/data.bin"));
  await openPage(page);
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", text);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }),
    );
  }, other);
  await expect(tree(page)).toBeVisible();
  await tree(page).getByRole("treeitem", { name: "a", exact: true }).click();
  await page.evaluate(() => {
    location.hash = "#array=a&chunk=0";
  });
  await idle(page);
  await page.getByRole("tab", { name: "Chunks" }).click();
  await idle(page);
  await page.getByRole("grid", { name: "Manifest" }).getByRole("row", { name: /a\/0/ }).click();
  await idle(page);
  const refused = (await showProblems(page)).locator('[data-code="target-private-address"]');
  await expect(refused).toHaveCount(1);
  const banner = page.getByRole("status", { name: "Sources that cannot be read here" });
  await banner.getByRole("button", { name: "Allow private addresses" }).click();
  await idle(page);
  await expect(banner).toHaveCount(0);
  await expect(refused).toHaveCount(0);
  await tree(page).getByRole("treeitem", { name: "a", exact: true }).click();
  await page.getByRole("grid", { name: "Manifest" }).getByRole("row", { name: /a\/0/ }).click();
  await idle(page);
  await expect.poll(() => statistic(page, "Minimum")).toBe("100");
});
