/** Public stores on the start page: listed, found by their words, asked for only when chosen. */
import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { idle, openPage, tree } from "./support/app.ts";
import { SAMPLES } from "./support/truth.ts";
import { violations } from "./support/axe.ts";

const stores = (page: Page) => page.getByRole("region", { name: "Public stores" });
const NODD = "https://noaa-nodd-kerchunk-pds.s3.amazonaws.com/nos/cbofs/cbofs.fields.best.nc.zarr";

/** Every request to another host than the page's, none of which leaves this machine. */
async function internet(page: Page, answer: (url: string) => string | undefined): Promise<readonly string[]> {
  const asked: string[] = [];
  await page.route(/^https:/, async (route) => {
    const url = route.request().url();
    asked.push(url);
    const body = answer(url);
    if (body === undefined) await route.abort("internetdisconnected");
    else if (body === "") await route.fulfill({ status: 404, headers: { "Access-Control-Allow-Origin": "*" } });
    else await route.fulfill({ body, headers: { "Access-Control-Allow-Origin": "*" } });
  });
  return asked;
}

test("public stores are listed by subject and found by their words; nothing is asked for", async ({ page }) => {
  const asked = await internet(page, () => undefined);
  await openPage(page);
  await expect(stores(page).getByRole("list", { name: "Weather forecasts" })).toContainText("HRRR forecast, 48 hours");
  await expect(stores(page).getByRole("list", { name: "Ocean" })).toContainText("MUR sea surface temperature");
  await stores(page).getByRole("searchbox", { name: "Find a store" }).fill("virtual grib");
  await expect(stores(page).getByRole("list")).toHaveCount(1);
  await expect(stores(page).getByRole("status")).toHaveText(/^\d+ of \d+$/);
  await stores(page).getByRole("searchbox").fill("nothing like it");
  await expect(stores(page)).toContainText("No store matches.");
  await page.keyboard.press("Escape");
  await expect(stores(page).getByRole("list")).not.toHaveCount(0);
  expect(await violations(page, { rules: "all", part: undefined })).toEqual([]);
  expect(asked).toEqual([]);
});

test("one that is chosen opens, and the address says which", async ({ page }) => {
  const document = readFileSync(`${SAMPLES}/ocean-a.v0.json`, "utf8");
  await internet(page, (url) => (url === NODD ? document : ""));
  await openPage(page);
  await stores(page).getByRole("button", { name: "Chesapeake Bay forecast" }).focus();
  await page.keyboard.press("Enter");
  await expect(tree(page)).toBeVisible();
  await idle(page);
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain(`url=${NODD}`);
});

test("without network the reason is said where it is seen", { tag: "@deep" }, async ({ page }) => {
  await internet(page, () => undefined);
  await openPage(page);
  await stores(page).getByRole("button", { name: "HRRR forecast, 48 hours" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "host-unreachable" });
  await expect(alert).toBeVisible();
  await expect(alert).toBeInViewport();
  await expect(alert).toContainText("dynamical-noaa-hrrr.s3.us-west-2.amazonaws.com");
  await idle(page);
});
