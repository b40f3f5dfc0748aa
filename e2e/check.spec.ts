/** Is it right? The verdict on opening the view, its causes, a repair, all of it for a click, and the reader. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test as own, type Locator, type Page } from "@playwright/test";
import { dropFiles, idle, openPage, problems, SAMPLES, showView } from "./support/app.ts";
import { violations } from "./support/axe.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

const verdict = (page: Page): Locator => page.getByRole("region", { name: "Verdict" });
const answer = (page: Page, question: string): Locator =>
  verdict(page).locator("[data-question]", { hasText: question }).locator("dd");
const headline = (page: Page): Locator =>
  page.getByRole("region", { name: "Check", exact: true }).getByRole("heading", { level: 2 });
const causes = (page: Page): Locator => problems(page).locator('li:not([data-severity="info"])');

const open = (page: Page, sample: string) => openPage(page, `#url=samples/${sample}&view=check`);

test("of the broken sample all six causes are named on opening the view, and one is gone by its repair", async ({
  page,
}) => {
  await open(page, "ocean-broken.json");
  await expect(headline(page)).toHaveText("Opens, but 4 chunks cannot be read and 1 is out of reach");
  await expect(causes(page)).toHaveCount(6);
  const codes = await causes(page).evaluateAll((items) => items.map((item) => item.getAttribute("data-code")));
  expect(new Set(codes)).toEqual(
    new Set([
      "key-outside-grid",
      "range-length-wrong",
      "range-of-other-array",
      "range-past-end",
      "ranges-overlap",
      "target-gone",
    ]),
  );
  await expect(answer(page, "Does it open?")).toHaveAttribute("data-answer", "yes");
  await expect(answer(page, "Are the values right?")).toHaveAttribute("data-answer", "no");
  await expect(page.getByText(/Checked automatically: 3 sources and a spot check of \d+ chunks/)).toBeVisible();
  // What was asked of the sources is counted the same wherever it is said.
  await expect(page.getByText("checked 3 of 3 sources")).toBeVisible();
  await expect(answer(page, "Are the sources available")).toContainText(
    "2 of 3 sources found; ocean-z.nc is missing. 1 more problem.",
  );
  await expect(page.locator("footer")).toContainText("2 of 3 sources responded");
  await showView(page, "Sources");
  await expect(page.getByText("3 checked, 1 as expected.")).toBeVisible();

  await showView(page, "Check");
  const shifted = problems(page).locator('[data-code="ranges-overlap"]');
  await shifted.getByRole("button", { name: "Read 7 bytes earlier" }).click();
  await idle(page);
  await expect(shifted).toHaveCount(0);
  await expect(headline(page)).toHaveText("Opens, but 3 chunks cannot be read and 1 is out of reach");
  await expect(causes(page)).toHaveCount(5);
});

test("all is checked for a click, its cost beside it", async ({ page }) => {
  await open(page, "ocean.v1.json");
  await expect(headline(page)).toHaveText("No errors found so far · 2 notes");
  await page.getByRole("button", { name: /^Check all · \d/ }).click();
  await idle(page);
  await expect(headline(page)).toHaveText("No errors · 2 notes");
  await expect(answer(page, "Are the values right?")).toHaveAttribute("data-answer", "yes");
  await expect(answer(page, "Is it complete?")).toHaveAttribute("data-answer", "partly");
});

own("the reader is asked for, and remembered", async ({ page }) => {
  await open(page, "specification.v1.json");
  const reader = page.getByRole("combobox", { name: "Reader" });
  await expect(answer(page, "Can my reader read it?")).toHaveAttribute("data-answer", "not-checked");
  await reader.selectOption({ label: "fsspec (default)" });
  await expect(answer(page, "Can my reader read it?")).toHaveAttribute("data-answer", "no");
  await open(page, "ocean.v1.json");
  await expect(page.getByRole("combobox", { name: "Reader" })).toHaveValue("fsspec");
  await expect(answer(page, "Can my reader read it?")).toHaveAttribute("data-answer", /yes|partly/);
});

test("no bytes are claimed of what was not read, and what failed is not decoded", async ({ page }) => {
  await page.route(/ocean-[ab]\.nc/, (route) => route.fulfill({ status: 404 }));
  await open(page, "ocean.v1.json");
  const check = page.getByRole("region", { name: "Check", exact: true });
  await expect(check.getByText(/Checked automatically/)).toHaveText(/: 2 sources\.$/);
  await check.getByRole("button", { name: /^Check all · \d/ }).click();
  await idle(page);
  // Seven chunks are inline.
  await expect(check.getByRole("list", { name: "Coverage of the check" })).toContainText("decoded 7 of 102 chunks");
  await expect(check.getByText(/Checked automatically/)).not.toContainText("B)");
});

/** Checks all of a document that is served in place of the sample's. */
async function checkInstead(page: Page, body: string): Promise<void> {
  await page.route("**/samples/ocean-a.v0.json", (route) => route.fulfill({ body, contentType: "application/json" }));
  await open(page, "ocean-a.v0.json");
  await page.getByRole("button", { name: /^Check all · \d/ }).click();
  await idle(page);
}

test("what is wrong with many chunks alike has one repair, undone as one", { tag: "@deep" }, async ({ page }) => {
  const text = readFileSync(join(SAMPLES, "ocean-a.v0.json"), "utf8");
  // Whichever document asks for them: every range of one array begins five bytes late.
  const shifted = text.replaceAll(
    /("sst\/\d[\d.]*": ?\[\s*"[^"]*",\s*)(\d+)/g,
    (_, before: string, offset: string) => before + String(Number(offset) + 5),
  );
  expect(shifted).not.toBe(text);
  await checkInstead(page, shifted);
  const repair = problems(page).getByRole("button", { name: /^Read where the file's own index says \(27\)$/ });
  await repair.click();
  await idle(page);
  await expect(page.getByRole("status", { name: "Applied fix" })).toContainText(/all \d+ chunks decode/);
  await expect(repair).toHaveCount(0);
  await page.getByRole("status", { name: "Applied fix" }).getByRole("button", { name: "Undo" }).click();
  await idle(page);
  await expect(page.getByRole("status", { name: "Applied fix" })).toHaveCount(0);
});

test("where no fix is found, it says what was tried", async ({ page }) => {
  const text = readFileSync(join(SAMPLES, "ocean-a.v0.json"), "utf8");
  const nonsense = text.replace(/("sst\/0\.0\.0": ?)\[[^\]]*\]/, '$1"base64:eJwAAAAAAAAAAAAA"');
  expect(nonsense).not.toBe(text);
  await checkInstead(page, nonsense);
  const failing = causes(page).and(page.locator('[data-severity="error"]'));
  await expect(failing).toHaveCount(1);
  await expect(failing.getByText("No fix found", { exact: true })).toBeVisible();
  await failing.getByRole("button", { name: "More" }).click();
  await expect(
    failing.getByText(/^No fix found\. Tried: .*\. (?:The search read|Nothing had to be read)/),
  ).toBeVisible();
});

test("files that are given cure what was said of them, and are looked at again unasked", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [join(SAMPLES, "ocean.v1.json")]);
  await expect(page.getByRole("tree", { name: "Hierarchy" })).toBeVisible();
  await idle(page);
  await showView(page, "Check");
  await expect(causes(page)).not.toHaveCount(0);
  await expect(answer(page, "Are the sources available")).not.toHaveAttribute("data-answer", "yes");
  await dropFiles(page, [join(SAMPLES, "ocean-a.nc"), join(SAMPLES, "ocean-b.nc")]);
  await expect(answer(page, "Are the sources available")).toHaveAttribute("data-answer", "yes");
  await idle(page);
  await expect(causes(page)).toHaveCount(0);
  await expect(headline(page)).toHaveText("No errors found so far · 2 notes");
});

test("a disagreement is drawn and told, and what agrees or is stated once is listed", async ({ page, baseURL }) => {
  const plain = { zarr_format: 2, dtype: "<f8", order: "C", compressor: null, filters: null, fill_value: null };
  const stated = (name: string, values: readonly number[], attributes: object, shape = [values.length]) => ({
    [`${name}/.zarray`]: { ...plain, shape, chunks: shape },
    [`${name}/.zattrs`]: { _ARRAY_DIMENSIONS: shape.length > 1 ? [name, "bnds"] : [name], ...attributes },
    [`${name}/${shape.map(() => "0").join(".")}`]: `base64:${Buffer.from(Float64Array.from(values).buffer).toString("base64")}`,
  });
  const places = [5, 15, 25, 35];
  const edges = places.flatMap((place) => [place - 5, place + 5]);
  const refs = {
    ".zgroup": { zarr_format: 2 },
    ...stated("lat", places.toReversed(), { units: "degrees_north", bounds: "lat_bnds" }),
    ...stated("lon", places, { units: "degrees_east", bounds: "lon_bnds" }),
    ...stated("lev", [1000, 850], { units: "hPa" }),
    ...stated("lat_bnds", edges, {}, [4, 2]),
    ...stated("lon_bnds", edges, {}, [4, 2]),
  };
  await page.route(`${baseURL}/stated.json`, (route) => route.fulfill({ json: { version: 1, refs } }));
  await openPage(page, "#url=stated.json&view=check");
  const problem = problems(page).locator('[data-code="statements-disagree"]');
  await problem.getByRole("button", { name: "More" }).click();
  const evidence = problem.getByRole("region", { name: "Evidence" });
  await expect(evidence.getByRole("img")).toHaveAccessibleName(
    "Both statements on one axis. lat: 35°N, 25°N, 15°N, 5°N; its bounds lat_bnds: 0° – 10°N, 10°N – 20°N, 20°N – 30°N, 30°N – 40°N.",
  );
  await expect(evidence.getByRole("definition").first()).toHaveText("35°N at position 0 differs");
  expect(await violations(page, { rules: "all", part: '[data-code="statements-disagree"]' })).toEqual([]);
  await page.getByRole("button", { name: /^Check all/ }).click();
  await idle(page);
  const rows = page.getByRole("table", { name: "Compared facts" }).getByRole("row");
  await expect(rows.filter({ hasText: "lon_bnds" })).toContainText(/places.*lon.*agree$/);
  await expect(rows.filter({ hasText: "lev" })).toContainText("stated once, nothing to compare");
});

test("History draws the checks that CI wrote beside the dataset, when it is opened", async ({ page, baseURL }) => {
  const answers = { opens: "yes", complete: "yes", values: "yes", sources: "yes", readers: "not-checked" };
  const entry = (date: string, more: object) => ({
    set: "ocean.v1.json",
    date,
    verdict: answers,
    problems: 0,
    ...more,
  });
  const broken = { verdict: { ...answers, values: "no" }, problems: 2, firstTarget: "ocean-b.nc" };
  const file = [entry("2026-11-01", {}), entry("2026-11-02", {}), entry("2026-11-03", broken)];
  let asked = 0;
  await page.route(`${baseURL}/samples/verdicts.json`, (route) => {
    asked += 1;
    return route.fulfill({ json: file });
  });
  await openPage(page, "#url=samples/ocean.v1.json&view=check");
  expect(asked).toBe(0);
  await page.getByRole("button", { name: "Report", exact: true }).click();
  await page.getByRole("button", { name: "History", exact: true }).click();
  await expect(page.getByRole("img", { name: /2026-11-01 to 2026-11-03/ }).locator("i")).toHaveCount(3);
  await expect(page.getByRole("list", { name: "Changes" })).toHaveText(
    "2026-11-03 Are the values right? No. 2 problems, the first in ocean-b.nc.",
  );
});
