/** A link to a chunk lands in somebody's inbox: opening it is being there. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test as own } from "@playwright/test";
import {
  chunk,
  goToChunk,
  idle,
  manifest,
  openPage,
  openSample,
  showProblems,
  selectArray,
  showView,
  tree,
} from "./support/app.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

test("open by link and be where the link says", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=sst&chunk=2.0.1&view=chunks`);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  await expect(manifest(page).getByRole("row", { name: /sst\/2\.0\.1\b/ })).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByText("sst / 2.0.1").first()).toBeVisible();
  await expect(chunk(page).locator("dt", { hasText: /^Mean$/ })).toBeVisible();
});

test("the address follows the selection, and going there again gives the same", async ({ page, baseURL }) => {
  const url = new URL("samples/ocean.v1.json", baseURL).href;
  await openPage(page, `#url=${encodeURIComponent(url)}&array=ice&view=chunks`);
  await showView(page, "Chunks");
  await manifest(page)
    .getByRole("row", { name: /ice\/1\.0\.1\b/ })
    .click();
  await idle(page);
  const address = new URL(page.url()).hash;
  expect(address).toContain("array=ice");
  expect(address).toContain("chunk=1.0.1");
  expect(address).toContain("view=chunks");
  await page.goto("about:blank");
  await openPage(page, address);
  await expect(chunk(page).getByText("ice / 1.0.1").first()).toBeVisible();
});

test("Back and Forward go through what was opened, selected and shown", async ({ page }) => {
  await openSample(page);
  await selectArray(page, "sst");
  await showView(page, "Chunks");
  for (const key of ["sst/0.0.0", "sst/0.0.1", "sst/0.1.0"]) await goToChunk(page, key);
  await expect(chunk(page).getByText("sst / 0.1.0").first()).toBeVisible();
  const selected = tree(page).getByRole("treeitem", { name: "sst", exact: true });
  const view = (name: string) => page.getByRole("tab", { name, exact: true });

  await page.goBack();
  await expect(view("Data")).toHaveAttribute("aria-selected", "true");
  await expect(selected).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(selected).toHaveAttribute("aria-selected", "false");
  await page.goBack();
  await expect(page.getByRole("region", { name: "Open a dataset" })).toBeVisible();
  await expect(tree(page)).toBeHidden();
  expect(new URL(page.url()).hash).toBe("");

  await page.goForward();
  await expect(tree(page)).toBeVisible();
  await idle(page);
  await page.goForward();
  await expect(selected).toHaveAttribute("aria-selected", "true");
  await page.goForward();
  await expect(view("Chunks")).toHaveAttribute("aria-selected", "true");
  await expect(chunk(page).getByText("sst / 0.1.0").first()).toBeVisible();
});

test("clearing the address by hand leads to the start page", async ({ page }) => {
  await openSample(page);
  await page.evaluate(() => {
    location.hash = "";
  });
  await expect(page.getByRole("region", { name: "Open a dataset" })).toBeVisible();
  await page.goBack();
  await expect(tree(page)).toBeVisible();
});

test("a problem about a key that is not a chunk leads to its row", { tag: "@deep" }, async ({ page }) => {
  await openPage(page, "#url=samples/ocean-broken.json");
  const problem = (await showProblems(page)).locator("[data-code=key-outside-grid]").getByRole("button").first();
  await problem.click();
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("status").filter({ hasText: "is not a chunk" })).toBeVisible();
  await expect(manifest(page).getByRole("row", { name: /sst\/6\.0\.0/ })).toHaveAttribute("aria-selected", "true");
});

test("an address in the query is one in the fragment, also one of ZEP 8, typed or in a link", async ({ page }) => {
  await page.goto(`/?url=${encodeURIComponent("samples/ocean.icechunk|icechunk:@tag.v1.0/sst")}&view=chunks`);
  await idle(page);
  await expect(tree(page).getByRole("treeitem", { name: "sst", exact: true })).toHaveAttribute("aria-selected", "true");
  expect(page.url()).toMatch(/^[^?]*#url=[^|]*\/samples\/ocean\.icechunk\/&ref=tag:v1\.0&array=sst&view=chunks$/);
  await openPage(page);
  await page.getByRole("textbox", { name: "Open URL" }).fill("samples/ocean.icechunk|icechunk:@branch.main/ice");
  await page.keyboard.press("Enter");
  await expect(tree(page).getByRole("treeitem", { name: "ice", exact: true })).toHaveAttribute("aria-selected", "true");
  await idle(page);
});

own("within another page it reads alone, and tells only who is listed what is selected", async ({ page, baseURL }) => {
  const heard: unknown[] = [];
  await page.exposeFunction("hear", (message: unknown) => heard.push(message));
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(html)).listen(0);
  const { port } = server.address() as AddressInfo;
  const embedded = `${baseURL}/?url=samples/ocean-broken.json&embed=1&for=http://localhost:${port}#array=sst&view=chunks`;
  const html = `<script>addEventListener("message", ({ data }) => hear(data))</script><iframe src="${embedded}" width="1300" height="800"></iframe>`;
  await page.goto(`http://localhost:${port}/`);
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("html[data-pending='0']")).toBeAttached();
  await frame.getByRole("treeitem", { name: "ice", exact: true }).click();
  const selected = { type: "refscope:selected", url: `${baseURL}/samples/ocean-broken.json`, array: "ice" };
  await expect.poll(() => heard.at(-1)).toMatchObject(selected);
  expect(heard[0]).toMatchObject({ type: "refscope:ready", array: "sst" });
  await expect(frame.getByRole("banner")).toHaveCount(0);
  await frame.getByRole("tree").press("Control+k");
  await expect(frame.getByRole("option", { name: /Show Check/ })).toBeVisible();
  await expect(frame.getByRole("option", { name: /Open a dataset|^Export|Edit the document|Write a new/ })).toHaveCount(
    0,
  );
  heard.length = 0;
  await page.goto(`http://127.0.0.1:${port}/`);
  await expect(frame.locator("html[data-pending='0']")).toBeAttached();
  expect(heard).toEqual([]);
  server.close();
});
