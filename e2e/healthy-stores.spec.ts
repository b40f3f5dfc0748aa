/**
 * Sets whose chunks are asked for one by one: of a healthy one nothing is said, of a broken one its fault and nothing else.
 * One of each is for everybody; src/cli/check/remote-sets.test.ts checks them all in the terminal.
 */
import { expect, type Locator, type Page } from "@playwright/test";
import { idle, openPage, problems, showView } from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { test } from "./support/shared-page.ts";
import { smallParquet, smallStore } from "./support/small-sets.ts";
import { filesIn, putStore, type StoreFiles } from "./support/stores.ts";
import { SAMPLES } from "./support/truth.ts";

test.describe.configure({ mode: "default" });

let server: RangeServer;
test.beforeAll(async () => {
  server = await startRangeServer();
});
test.afterAll(() => server.stop());

const check = (page: Page): Locator => page.getByRole("region", { name: "Check", exact: true });
const headline = (page: Page): Locator => check(page).getByRole("heading", { level: 2 });
const answer = (page: Page, question: string): Locator =>
  page.getByRole("region", { name: "Verdict" }).locator(`[data-question="${question}"] dd`);
const causes = (page: Page): Locator => problems(page).locator('li:not([data-severity="info"])');

async function openCheck(page: Page, path: string): Promise<void> {
  await openPage(page, `#url=${encodeURIComponent(server.url(path))}&view=check`);
  await expect(headline(page)).toBeVisible();
  await idle(page);
}

async function checkAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Check all/ }).click();
  await idle(page);
}

async function expectAnswers(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [question, expected] of Object.entries(answers))
    await expect(answer(page, question), question).toHaveAttribute("data-answer", expected);
}

const parquet = (name: string, broken: (sources: StoreFiles) => StoreFiles = (sources) => sources): string => {
  const { set, sources } = smallParquet(server.url(`/${name}-sources`));
  putStore(server, `/${name}-sources`, broken(sources));
  return put(`${name}.parq`, set);
};

const icechunk = (name: string, broken: (files: StoreFiles) => StoreFiles = (files) => files): string =>
  put(name, broken(filesIn(`${SAMPLES}/ocean.icechunk`)));

function put(name: string, files: StoreFiles): string {
  putStore(server, `/${name}`, files);
  return `/${name}`;
}

/** Of an object only its first half. */
const cut = (files: StoreFiles, key: string): StoreFiles => {
  const content = files[key] as Uint8Array;
  return { ...files, [key]: content.subarray(0, content.length >> 1) };
};

const without = (files: StoreFiles, key: string): StoreFiles =>
  Object.fromEntries(Object.entries(files).filter(([one]) => one !== key));

for (const [what, open, sources] of [
  ["a Zarr v2 store over HTTP", () => put("two.zarr", smallStore(2, true)), "not-checked"],
  ["a Zarr v3 store over HTTP", () => put("three.zarr", smallStore(3, true)), "not-checked"],
  ["Kerchunk Parquet", () => parquet("healthy"), "yes"],
  ["an Icechunk repository", () => icechunk("healthy.icechunk"), "not-checked"],
] as const) {
  const tag = what === "an Icechunk repository" ? [] : "@deep";
  test(`${what}: nothing is wrong, unasked and after all of it`, { tag }, async ({ page }) => {
    await openCheck(page, open());
    await expect(headline(page)).toHaveText(/^(No problems found|No errors found) so far/);
    await expect(causes(page)).toHaveCount(0);
    await expectAnswers(page, { values: "not-checked", sources });
    await expect(check(page)).toContainText(/Checked automatically: references in \d+ requests/);
    await expect(check(page)).not.toContainText("0 of 0");
    await expect(page.getByRole("button", { name: /^Check all · \d.*B$/ })).not.toContainText("all · 0 B");
    await checkAll(page);
    await expect(headline(page)).toHaveText(/^(No problems found|No errors · 1 note)$/);
    await expect(causes(page)).toHaveCount(0);
    await expectAnswers(page, { opens: "yes", values: "yes", sources: "yes" });
  });
}

for (const version of [2, 3] as const) {
  const title = `a Zarr v${version} store without consolidated metadata: nothing is said of what is not listed`;
  test(title, { tag: "@deep" }, async ({ page }) => {
    await openCheck(page, put(`unlisted-${version}.zarr`, smallStore(version, false)));
    await expectAnswers(page, { complete: "not-checked", values: "not-checked", sources: "not-checked" });
    await expect(headline(page)).toContainText("so far");
    const path = page.getByRole("textbox", { name: /Look for a group or array/ });
    for (const name of ["time", "lat", "lon", "sst"]) {
      await path.fill(name);
      await path.press("Enter");
      await idle(page);
    }
    await showView(page, "Check");
    await checkAll(page);
    await expect(causes(page)).toHaveCount(0);
    await expect(check(page)).toContainText("decoded 8 of 8");
    await expectAnswers(page, { complete: "partly", values: "partly" });
  });
}

for (const [what, open, code, words] of [
  [
    "an object that is cut",
    () => put("cut.zarr", cut(smallStore(2, true), "sst/2.0.0")),
    "decode-failed",
    "Opens, but 1 chunk cannot be read",
  ],
  [
    "an object that is missing",
    () => put("gone.zarr", without(smallStore(3, true), "sst/c/2/0/0")),
    "steps-missing",
    // Writers leave out chunks of nothing but fill values: whether it was lost, nobody can tell.
    /^No errors · \d notes?$/,
  ],
  [
    "a source that is gone",
    () => parquet("gone", (sources) => without(sources, "lat.bin")),
    "target-gone",
    "Opens, but 1 chunk could not be checked: its source is out of reach",
  ],
  [
    "a source that is cut",
    () => parquet("cut", (sources) => cut(sources, "lon.bin")),
    "range-past-end",
    "Opens, but 1 chunk cannot be read",
  ],
  [
    "a record that is missing",
    () => {
      const { set, sources } = smallParquet(server.url("/record-sources"));
      putStore(server, "/record-sources", sources);
      return put("record.parq", without(set, "sst/refs.1.parq"));
    },
    "parquet-record-missing",
    "Opens with 1 warning",
  ],
  [
    "a manifest that is missing",
    () => icechunk("manifest.icechunk", (files) => without(files, "manifests/275RH97QZSHXNYP792R0")),
    "icechunk-object-missing",
    /^Opens, but \d chunks? cannot be read$/,
  ],
] as const) {
  const tag = code === "target-gone" ? [] : "@deep";
  test(`${what} is named, and nothing else is`, { tag }, async ({ page }) => {
    await openCheck(page, open());
    await checkAll(page);
    const isNote = code === "steps-missing";
    await expect(causes(page)).toHaveCount(isNote ? 0 : 1);
    await expect(page.locator(`li[data-code="${code}"]`)).toHaveCount(1);
    await expect(headline(page)).toHaveText(words);
  });
}
