/** What the owner of a set writes down of it: what it must have, and what is known to be wrong with it. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Download, type Locator, type Page } from "@playwright/test";
import { dropFiles, idle, openPage, paste, problems, showView, tree } from "./support/app.ts";
import { violations } from "./support/axe.ts";

const open = (page: Page, sample: string) => openPage(page, `#url=samples/${sample}&view=check`);
const check = (page: Page): Locator => page.getByRole("region", { name: "Check", exact: true });
const headline = (page: Page): Locator => check(page).getByRole("heading", { level: 2 });
const complete = (page: Page): Locator => page.locator('[data-question="complete"] dd');
const expectation = (page: Page): Locator => page.getByRole("region", { name: "Expectation" });
const aside = (page: Page): Locator => page.getByRole("region", { name: "Accepted problems" });
const editor = (page: Page): Locator => page.getByRole("textbox", { name: "Expectations as JSON" });
const causes = (page: Page): Locator => problems(page).locator('li:not([data-severity="info"])');
const cause = (page: Page, code: string): Locator => problems(page).locator(`[data-code="${code}"]`);

async function saved(page: Page, press: () => Promise<void>): Promise<readonly [name: string, text: string]> {
  const coming: Promise<Download> = page.waitForEvent("download");
  await press();
  const file = await coming;
  return [file.suggestedFilename(), readFileSync(await file.path(), "utf8")];
}

async function write(page: Page): Promise<void> {
  await complete(page)
    .getByRole("button", { name: /^Create expectations · \d+ request/ })
    .click();
  await expect(editor(page)).toBeFocused();
}

async function putAside(page: Page, code: string, reason: string): Promise<void> {
  await cause(page, code).getByRole("button", { name: "More" }).click();
  await cause(page, code).getByRole("button", { name: "Accept…" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await idle(page);
}

test("what is expected is written from the set, edited, compared with, saved, and remembered", async ({ page }) => {
  await open(page, "ocean.v1.json");
  await write(page);
  await page.getByRole("button", { name: /^Check against it · \d+ request/ }).click();
  await expect(complete(page)).toContainText(
    "20 of 122 chunks have no reference, and need none. Meets ocean.v1.expected.json (8 arrays, 3 coordinates).",
  );
  await expect(complete(page)).toHaveAttribute("data-answer", "yes");
  await expect(causes(page)).toHaveCount(0);

  await expectation(page).getByRole("button", { name: "Edit" }).click();
  const text = await editor(page).inputValue();
  await editor(page).fill(text.replace('"step": "1 day"', '"step": "1 dai"'));
  await expect(expectation(page).getByRole("status")).toContainText(/In line \d+, at coordinates\.time\.step/);
  await expect(page.getByRole("button", { name: /^Check against it/ })).toBeDisabled();
  await page.getByRole("button", { name: /^Go to line/ }).click();
  await page.keyboard.insertText('      "step": "12 hours"');
  await page.getByRole("button", { name: /^Check against it/ }).click();
  await expect(cause(page, "expected-step")).toContainText("Expected steps of 12 hours; 23 steps differ");
  await expect(complete(page)).toHaveAttribute("data-answer", "partly");
  await expect(complete(page)).toContainText("Does not meet ocean.v1.expected.json");

  const [name, file] = await saved(page, () => expectation(page).getByRole("button", { name: "Save as file" }).click());
  expect(name).toBe("ocean.v1.expected.json");
  expect(JSON.parse(file)).toMatchObject({ refscope: "expectation", coordinates: { time: { step: "12 hours" } } });

  await page.reload();
  await idle(page);
  await expect(check(page)).toContainText("Remembered from an earlier visit: the expectations ocean.v1.expected.json.");
  await expect(cause(page, "expected-step")).toHaveCount(1);
  await expectation(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(causes(page)).toHaveCount(0);
  await expect(complete(page)).toHaveAttribute("data-answer", "partly");
  await page.reload();
  await idle(page);
  await expect(expectation(page)).toHaveCount(0);
  // Sections without anything are folded.
  await page.locator("summary", { hasText: "More" }).click();
  await expect(expectation(page)).toContainText("Expectationnone");
});

test(
  "a problem is accepted with a reason, counts nowhere, is remembered, and comes back",
  { tag: "@deep" },
  async ({ page }) => {
    await open(page, "ocean-broken.json");
    await putAside(page, "target-gone", "The agency never delivered ocean-z.");
    await expect(headline(page)).toHaveText("Opens, but 4 chunks cannot be read");
    await expect(causes(page)).toHaveCount(5);
    await expect(aside(page).getByRole("listitem")).toContainText("The agency never delivered ocean-z.");
    await expect(page.getByText("4 of 102 chunks fail")).toBeVisible();
    await expect(tree(page).getByRole("treeitem", { name: "sst" })).toContainText("3");
    await showView(page, "Overview");
    const row = page.getByRole("listitem").filter({ hasText: "sea surface temperature" });
    await expect(row).toContainText("3 of 54 failed");
    // The source of the accepted one is out of reach, so its chunk did not fail.
    await expect(row).not.toContainText("accepted");
    await expect(page.getByText(/, 4 of them failed, 1 out of reach\.$/)).toBeVisible();
    await showView(page, "Check");

    await page
      .getByRole("button", { name: /^Report/ })
      .first()
      .click();
    const [, report] = await saved(page, () => page.getByRole("button", { name: "Save as JSON" }).click());
    expect(JSON.parse(report)).toMatchObject({
      accepted: [{ code: "target-gone", array: "sst", reason: "The agency never delivered ocean-z." }],
    });
    await page.keyboard.press("Escape");

    await page.reload();
    await idle(page);
    await expect(check(page)).toContainText("Remembered from an earlier visit: 1 problem accepted.");
    await expect(causes(page)).toHaveCount(5);
    await aside(page).getByRole("button", { name: "Remove", exact: true }).click();
    await expect(causes(page)).toHaveCount(6);
    await expect(headline(page)).toHaveText("Opens, but 4 chunks cannot be read and 1 is out of reach");
  },
);

test(
  "with all problems accepted nothing is wrong but what is known; mended ones are told",
  { tag: "@deep" },
  async ({ page }) => {
    await open(page, "ocean-broken.json");
    await expect(causes(page)).toHaveCount(6);
    for (let left = 6; left > 0; left -= 1) {
      const code = await causes(page).first().getAttribute("data-code");
      await putAside(page, code ?? "", "Known.");
      await expect(causes(page)).toHaveCount(left - 1);
    }
    await expect(headline(page)).toHaveText("No errors found so far, apart from accepted ones · 2 notes");
    await expect(page.getByText("4 of 102 chunks fail, accepted")).toBeVisible();
    const [name, file] = await saved(page, () => aside(page).getByRole("button", { name: "Save as file" }).click());
    expect(name).toBe("ocean-broken.accepted.json");

    // The same file at a set that has none of the faults.
    const path = join(mkdtempSync(join(tmpdir(), "refscope-")), name);
    writeFileSync(path, file);
    await open(page, "ocean.v1.json");
    await page.reload();
    await idle(page);
    await page.locator("summary", { hasText: "More" }).click();
    await aside(page).locator('input[type="file"]').setInputFiles(path);
    await expect(aside(page).getByRole("status")).toHaveText("6 acceptances taken from ocean-broken.accepted.json.");
    await expect(aside(page)).toContainText("No longer found.");
    await expect(aside(page)).toContainText("Not found yet; some checks that could find it have not run.");
  },
);

test("files of the owner that are dropped on the page are taken as what they are", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-"));
  const file = (name: string, content: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  await openPage(page, "#url=samples/ocean.v1.json&view=overview");
  await dropFiles(page, [file("must.json", { refscope: "expectation", arrays: { salinity: {} } })]);
  await expect(page.getByText("Loaded as expectations for ocean.v1.json")).toBeVisible();
  await expect(cause(page, "expected-array-missing")).toContainText("salinity");
  const accepted = [{ code: "expected-array-missing", array: "sal*", reason: "Next year.", date: "2026-11-23" }];
  await dropFiles(page, [file("known.json", { refscope: "acceptance", accepted })]);
  await expect(causes(page)).toHaveCount(0);
  await expect(complete(page)).toContainText("Meets must.json (1 array, 0 coordinates), apart from accepted problems.");
  await dropFiles(page, [file("broken.json", { refscope: "acceptance", accepted: [{ code: "x" }] })]);
  await expect(page.getByRole("alert")).toContainText("at accepted[0].reason");
});

test("texts of the owner that are pasted are taken as what they are, and nothing else is opened", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.v1.json&view=overview");
  await paste(page, JSON.stringify({ refscope: "expectation", arrays: { salinity: {} } }));
  await expect(page.getByText("Loaded as expectations for ocean.v1.json")).toBeVisible();
  await expect(cause(page, "expected-array-missing")).toContainText("salinity");
  const accepted = [{ code: "expected-array-missing", array: "sal*", reason: "Next year.", date: "2026-11-23" }];
  // A file that was copied is pasted as one.
  await paste(page, JSON.stringify({ refscope: "acceptance", accepted }), "known.json");
  await expect(page.getByText("Loaded as accepted problems of ocean.v1.json.")).toBeVisible();
  await expect(causes(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Open it" })).toHaveCount(0);
  await paste(page, JSON.stringify({ refscope: "acceptance", accepted: [{ code: "x" }] }));
  await expect(page.getByRole("alert")).toContainText("at accepted[0].reason");
});

test("by keyboard alone, and without a hindrance", { tag: "@deep" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page, "ocean-broken.json");
  await complete(page)
    .getByRole("button", { name: /^Create expectations/ })
    .focus();
  await page.keyboard.press("Enter");
  await expect(editor(page)).toBeFocused();
  expect(await violations(page, { rules: "all", part: '[role="tabpanel"]' })).toEqual([]);
  // The first Tab leaves the text: it holds nobody.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /^Check against it/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(expectation(page)).toContainText("all as expected");

  const more = cause(page, "target-gone").getByRole("button", { name: "More" });
  await more.focus();
  await page.keyboard.press("Enter");
  const button = cause(page, "target-gone").getByRole("button", { name: "Accept…" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Reason" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Known.");
  expect(await violations(page, { rules: "all", part: '[role="tabpanel"]' })).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(aside(page).getByRole("heading", { name: "Accepted problems" })).toBeFocused();
  expect(await violations(page, { rules: "all", part: '[role="tabpanel"]' })).toEqual([]);
});
