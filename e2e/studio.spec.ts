/** A user writes, fixes and understands a Version 1 document. */
import { expect, test as own } from "@playwright/test";
import { idle, openPage, problems } from "./support/app.ts";
import {
  asShown,
  documentPart,
  editor,
  EXAMPLE,
  EXAMPLE_VERSION_0,
  expectRows,
  line,
  openExample,
  openNewDocument,
  placeIn,
  result,
  selectWord,
  settled,
  shownRows,
  suggestions,
  write,
} from "./support/studio.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

const row = (page: Parameters<typeof result>[0], key: string) =>
  result(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: key, exact: true }) });

test("the specification's example: what it renders to, and who reads something else", async ({ page }) => {
  await openExample(page);
  await expectRows(page, 9);
  await expect.poll(() => shownRows(page)).toEqual(asShown(EXAMPLE_VERSION_0));
  const readers = page.getByRole("region", { name: "Version 0 result" });
  await expect(readers).toContainText("fsspec default refuses the whole set: KeyError");
  await expect(readers).toContainText("JavaScript readers: the same");
  await expect(row(page, "key2")).toContainText("all agree");
  await expect(row(page, "key3")).toContainText("KeyError in fsspec default");
  await expect(row(page, "gen_key4")).toContainText("lost by fsspec default");
  await expect(problems(page).locator("[data-code=reader-drops-gen]")).toHaveCount(1);
  await expect(problems(page).locator("[data-code=reader-refuses]")).toContainText("key3");
  await page.getByRole("button", { name: "readers differ" }).click();
  await expectRows(page, 6);
});

own("the specification's example written from an empty editor, with completion", async ({ page }) => {
  await openNewDocument(page);
  await expect(page.getByText("edited", { exact: true })).toHaveCount(0);
  await editor(page).focus();
  await page.keyboard.press("Control+Space");
  await expect(suggestions(page)).toContainText("templates, gen, refs");
  // An empty document is not wrong, and a skeleton has no warnings about itself.
  await expect(problems(page).locator('[data-severity="error"]')).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expectRows(page, 6);
  await expect(problems(page).locator("[data-code=key-not-a-chunk]")).toHaveCount(0);
  await page.keyboard.press("Escape"); // leaves the skeleton's places
  await line(page, '"server.domain/path"').click();
  await page.keyboard.press("End");
  await page.keyboard.type(',\n"f": "{{c}}"');
  await line(page, '"key0"').click();
  await page.keyboard.press("End");
  await page.keyboard.type(',\n"key1": ["http://target_url", 10000, 100],\n"key2": ["http://{{');
  await expect(suggestions(page)).toContainText("server.domain/path");
  await page.keyboard.type("u");
  await page.keyboard.press("Tab");
  await page.keyboard.type('}}", 10000, 100],\n"key3": ["http://{{f');
  await expect(suggestions(page)).toContainText("f");
  await page.keyboard.press("Escape");
  await page.keyboard.type("(c='text')}}\", 10000, 100]");
  await expectRows(page, 9);
  await expect.poll(() => shownRows(page)).toEqual(asShown(EXAMPLE_VERSION_0));
  await expect(documentPart(page)).toContainText("templates 2 · gen 1 · refs 4");
});

own("a typo in a template name is underlined, listed, and corrected by Fix", async ({ page }) => {
  await openExample(page);
  await selectWord(page, '"key2"', "{{[u]}}");
  await page.keyboard.type("uu");
  const typo = problems(page).locator("[data-code=name-undefined]");
  await expect(typo).toContainText("line 21");
  await expect(typo).toContainText("uu");
  await settled(page);
  await expect(row(page, "key2")).toContainText("http://");
  await expect(row(page, "key2").locator("s")).toHaveText("http://server.domain/path");
  // The squiggle lies under the word and nothing else.
  const word = await placeIn(page, '"key2"', "uu");
  const squiggles = documentPart(page).locator(".squiggly-warning");
  const boxes = await Promise.all((await squiggles.all()).map((one) => one.boundingBox()));
  expect(
    boxes.some(
      (box) => Math.abs(box!.x - word.x) < 2 && Math.abs(box!.width - word.width) < 2 && Math.abs(box!.y - word.y) < 20,
    ),
    JSON.stringify({ word, boxes }),
  ).toBe(true);
  await typo.getByRole("button", { name: "Fix" }).click();
  await expect(typo).toHaveCount(0);
  await expect(row(page, "key2")).toContainText("http://server.domain/path");
  await expect(line(page, '"key2"')).toContainText("{{u}}");
  await documentPart(page).getByRole("button", { name: "Undo" }).click();
  await expect(line(page, '"key2"')).toContainText("{{uu}}");
});

own("a shorter text pasted over one with an error on its last line", { tag: "@deep" }, async ({ page }) => {
  await openExample(page);
  await write(page, '{\n"version": 1,\n"refs": {\n"a": tru,\n"b": fals }}');
  await expect(problems(page).locator("[data-code=json-invalid]").first()).toBeVisible();
  // The engine ends at the first error: what underlines the other is the editor's own check, which comes later.
  await expect(documentPart(page).locator(".squiggly-error")).toHaveCount(2);
  await write(page, '{"version": 1, "refs": {"a": "b"}}');
  await expectRows(page, 1);
  await expect(editor(page)).toBeAttached();
});

own("a hundred thousand rows, and typing goes on", { tag: "@deep" }, async ({ page }) => {
  await openExample(page);
  await selectWord(page, '"stop"', ": [5]");
  await page.keyboard.type("100000");
  await expectRows(page, 100_004);
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: "longtask",
    });
    Object.assign(globalThis, { longTasks: tasks });
  });
  await line(page, '"key0": "data"').getByText('"data"').click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(" which is typed while everything is rendered again", { delay: 30 });
  await expect(line(page, '"key0"')).toContainText("data which is typed while everything is rendered again");
  await settled(page);
  await expectRows(page, 100_004);
  await expect(row(page, "key0")).toContainText("data which is typed");
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
  console.log(`main-thread tasks over 50 ms while typing: ${tasks.map((one) => one.toFixed(0)).join(", ") || "none"}`);
  // Generous, since the machine may be busy: what rendering costs is some seconds where it blocks.
  expect(Math.max(0, ...tasks)).toBeLessThan(1000);
  await result(page).focus();
  await page.keyboard.press("End");
  await expect(row(page, "gen_key99999")).toContainText("100,000,000");
});

test("from a row to the line that made it, and back", async ({ page }) => {
  await openExample(page);
  await row(page, "key1").click();
  await expect(row(page, "key1")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("region", { name: "Selected reference" })).toContainText(
    '["http://target_url",10000,100]',
  );
  const highlighted = documentPart(page).locator('.view-overlays [class*="_highlight_"]');
  await expect(highlighted).toHaveCount(1);
  expect((await highlighted.boundingBox())!.y).toBeCloseTo((await line(page, '"key1"').boundingBox())!.y, -1);
  await line(page, '"offset"').click();
  await expect(row(page, "gen_key0")).toHaveAttribute("aria-selected", "true");
  await line(page, '"key3"').click();
  await expect(row(page, "key3")).toHaveAttribute("aria-selected", "true");
});

own("keyboard only", async ({ page }) => {
  await openPage(page, "#url=samples/specification.v1.json");
  await page.keyboard.press("Alt+e");
  await expect(editor(page)).toBeAttached();
  await settled(page);
  await page.keyboard.press("Alt+d");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type('\n"templateOverrides": 0,');
  await expect(documentPart(page)).toContainText("edited, kept in this browser");
  await page.keyboard.press("Alt+r");
  await expect(result(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(row(page, "key2")).toHaveAttribute("aria-selected", "true");
  await expect(result(page)).toBeFocused();
  await page.keyboard.press("Alt+d");
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("Escape"); // the next Tab leaves the editor
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  await page.keyboard.press("Alt+e");
  await expect(page.getByRole("tablist", { name: "Views" })).toBeVisible();
});

own("what would never end is said, and the page goes on", { tag: "@deep" }, async ({ page }) => {
  const hostile = [
    { code: "gen-too-large", said: "1,000,000,000,000 references", stop: 1_000_000_000_000, url: "u" },
    { code: "gen-fails", said: "Rendering was stopped", stop: 1, url: "{{ 'a' * 10**9 }}" },
    { code: "gen-fails", said: "constructor", stop: 1, url: '{{ range.constructor("return 1")() }}' },
  ];
  await openNewDocument(page);
  for (const { code, said, stop, url } of hostile) {
    const gen = [{ key: "k{{i}}", url, dimensions: { i: { stop } } }];
    await write(page, JSON.stringify({ version: 1, refs: {}, gen }));
    await expect(problems(page).locator(`[data-code=${code}]`)).toContainText(said);
    await settled(page);
    await expect(page.getByRole("region", { name: "Version 0 result" })).toContainText("No references were made.");
  }
  await write(page, EXAMPLE);
  await expectRows(page, 9);
});

own(
  "edits are kept over a reload and another set, listed, and discarded when asked",
  { tag: "@deep" },
  async ({ page }) => {
    await openExample(page);
    await selectWord(page, '"stop"', ": [5]");
    await page.keyboard.type("7");
    await expectRows(page, 11);
    await expect(page.getByRole("button", { name: "+2 new" })).toBeVisible();
    await expect(documentPart(page)).toContainText("edited, kept in this browser");
    await page.reload();
    await expectRows(page, 11);
    await expect(documentPart(page)).toContainText("Edits from an earlier visit were restored.");
    await openPage(page, "#url=samples/ocean.v1.json");
    await page.goto("about:blank");
    await openPage(page);
    const kept = page.getByRole("region", { name: "Edits kept in this browser" });
    await kept.getByRole("button", { name: "specification.v1.json" }).click();
    await expectRows(page, 11);
    await documentPart(page).getByRole("button", { name: "Discard…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard", exact: true }).click();
    await expectRows(page, 9);
    await expect(line(page, '"stop"')).toContainText('"stop": 5');
    await page.goto("about:blank");
    await openPage(page);
    await expect(kept).toHaveCount(0);
    await idle(page);
  },
);

own("a link to the studio counts its code as pending, and the status bar stays at the foot", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/StudioWorkspace-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/#url=samples/specification.v1.json&view=edit");
  await expect(page.getByText("Loading the studio…")).toBeVisible();
  await expect(page.getByRole("status", { name: "Progress" })).toContainText("Loading the studio");
  await expect(page.locator("html")).not.toHaveAttribute("data-pending", "0");
  const foot = await page.getByRole("contentinfo").boundingBox();
  expect(foot!.y + foot!.height).toBe(900);
  release();
  await expect(editor(page)).toBeAttached();
  await idle(page);
});

own("while fsspec refuses the text the last result stays, and one finding says why", async ({ page }) => {
  await openExample(page);
  await selectWord(page, '"key3"', "{{[f](c='text')}}");
  await page.keyboard.type("ff");
  const typo = problems(page).locator("[data-code=name-undefined]");
  await expect(typo).toContainText("fsspec rejects the whole dataset");
  await expect(problems(page).locator('li[data-severity="error"]')).toHaveCount(1);
  await expect(page.getByText("fsspec rejects the document. Showing the last valid result.")).toBeVisible();
  await expect(row(page, "key3")).toContainText("http://text");
  await typo.getByRole("button", { name: "Fix" }).click();
  await expect(typo).toHaveCount(0);
  await expectRows(page, 9);
});

own("where the editor's own files do not come, that is said, and Retry fetches them", async ({ page }) => {
  const files = "**/assets/ReferenceEditor-*.js";
  await page.route(files, (route) => route.abort());
  await openPage(page);
  await page.getByRole("button", { name: "Write a new document" }).click();
  const notice = page.locator("[data-code=editor-not-loaded]");
  await expect(notice).toBeVisible();
  await page.unroute(files);
  await notice.getByRole("button", { name: "Retry" }).click();
  await expect(editor(page)).toBeAttached();
  await expect(notice).toHaveCount(0);
});
