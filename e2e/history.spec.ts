/** The view History of Icechunk repositories: branches and tags, chains of snapshots, and what differs between two. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import {
  chunk,
  dropFiles,
  goToChunk,
  idle,
  openPage,
  openSample,
  selectArray,
  showView,
  storedStatistic,
  tree,
  showProblems,
} from "./support/app.ts";
import { startRangeServer, type RangeServer } from "./support/range-server.ts";
import { putStore, repository, version2Store, writeStore } from "./support/stores.ts";
import { test } from "./support/shared-page.ts";

test.describe.configure({ mode: "default" });

let server: RangeServer;

test.beforeEach(async () => {
  server = await startRangeServer();
});

test.afterEach(async () => {
  await server.stop();
});

interface Entry {
  readonly id: string;
  readonly message: string;
}

interface Expected {
  readonly branches: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly deletedTags: readonly string[];
  readonly ancestry: Readonly<Record<string, readonly Entry[]>>;
}

/** What the official library says of the repository. */
function expected(name: "v1" | "v2"): Expected {
  const path = resolve(import.meta.dirname, "../src/formats/icechunk/fixtures/expected.json");
  return (JSON.parse(readFileSync(path, "utf8")) as Record<string, Expected>)[name]!;
}

const short = (id: string) => id.slice(0, 8);
const history = (page: Page): Locator => page.getByRole("region", { name: "History", exact: true });
const commits = (page: Page): Locator => history(page).getByRole("grid", { name: "Snapshots" });
const card = (page: Page): Locator => history(page).getByRole("region", { name: "Commit" });
const shownCommit = (page: Page): Locator => commits(page).locator('[role="row"][aria-current="true"]');
const heading = (page: Page, name: string): Locator =>
  history(page).getByRole("heading", { name: new RegExp(`^${name}, \\d+ commits?`) });
const changes = (page: Page): Locator => history(page).getByRole("group", { name: "Comparison" });
const hash = (page: Page) => decodeURIComponent(new URL(page.url()).hash);
const node = (page: Page, name: string) => tree(page).getByRole("treeitem", { name, exact: true });

async function press(page: Page, name: string): Promise<void> {
  await history(page).getByRole("button", { name }).click();
  await idle(page);
}

/** Puts the cursor on a commit: what can be done with it is in its card. */
async function pick(page: Page, { id }: Pick<Entry, "id">): Promise<void> {
  await commits(page)
    .getByRole("row")
    .filter({ hasText: short(id) })
    .click();
  await expect(card(page).getByTitle(id, { exact: true })).toBeVisible();
}

async function showRefs(page: Page): Promise<Locator> {
  await history(page)
    .getByRole("button", { name: /^(Branch|Tag|Snapshot) / })
    .click();
  return history(page).getByRole("dialog", { name: "Branch, tag or snapshot" });
}

/** By its name, typed. */
async function openRef(page: Page, name: string): Promise<void> {
  const dialog = await showRefs(page);
  await dialog.getByRole("combobox").fill(name);
  await dialog.getByRole("combobox").press("Enter");
  await idle(page);
}

async function openRepository(page: Page, name: "v1" | "v2", rest = "&view=history"): Promise<void> {
  putStore(server, "/repo", repository(name));
  await openPage(page, `#url=${encodeURIComponent(server.url("/repo"))}${rest}`);
}

const messages = async (page: Page) => {
  const rows = commits(page).getByRole("rowheader");
  return rows.evaluateAll((all) => all.map((one) => one.querySelector("[title]")?.getAttribute("title")));
};

test("branches and tags are listed; opening one keeps the array and the chunk, or says what is not there", async ({
  page,
}) => {
  const { branches, tags, ancestry } = expected("v2");
  await openRepository(page, "v2");
  // No chunk is looked at, and the tree does not say that the root is what is shown.
  await expect(chunk(page)).toHaveCount(0);
  await expect(tree(page).locator('[aria-selected="true"]')).toHaveCount(0);
  await openRepository(page, "v2", "&array=air/temp&chunk=0.1&view=history");
  await expect(history(page).getByText("1 tag deleted")).toBeVisible();
  await expect(history(page).getByText("doomed", { exact: true })).toBeVisible();
  for (const name of [...Object.keys(branches), ...Object.keys(tags).map((tag) => `tag ${tag}`)])
    await expect(commits(page).getByText(name, { exact: true })).toBeVisible();
  await expect(shownCommit(page)).toContainText("main");

  const listed = await showRefs(page);
  await expect(listed.getByRole("option")).toContainText(["branch main", "branch dev", "tag v1.0", "snapshot"]);
  await listed.getByRole("option", { name: /^branch dev/ }).click();
  await idle(page);
  await expect(heading(page, "dev")).toBeFocused();
  await expect(shownCommit(page)).toContainText("dev");
  await expect(node(page, "deep2")).toBeVisible();
  await expect(chunk(page).getByText("air/temp / 0.1").first()).toBeVisible();
  expect(hash(page)).toContain("&ref=branch:dev&array=air/temp&chunk=0.1&view=history");
  await history(page).getByRole("combobox", { name: "Show" }).selectOption("branch dev");
  await idle(page);
  await expect.poll(() => messages(page)).toEqual(ancestry["branch:dev"]!.map(({ message }) => message));

  await openRef(page, "main");
  await selectArray(page, "virt");
  await showView(page, "History");
  await openRef(page, "dev");
  await expect((await showProblems(page)).locator('[data-code="address-no-array"]')).toContainText(
    "This snapshot has no array “air/virt”; the previous one did.",
  );
});

test("all snapshots are one graph; keys go along it, open and compare", async ({ page }) => {
  const { ancestry } = expected("v2");
  const [main, second, third] = ancestry["branch:main"]!;
  const dev = ancestry["branch:dev"]!;
  await openRepository(page, "v2");
  const all = new Set(Object.values(ancestry).flatMap((chain) => chain.map(({ id }) => id)));
  // Those that no branch leads to are there, and say so.
  await expect(commits(page).getByText("detached").first()).toBeVisible();
  for (const id of all) await expect(commits(page).getByText(`${short(id)}…`)).toBeVisible();
  const at = () =>
    card(page)
      .getByText(/^[0-9A-Z]{8}…$/)
      .first();
  await pick(page, main!);
  await commits(page).focus();
  await page.keyboard.press("ArrowDown");
  await expect(at()).not.toHaveText(`${short(main!.id)}…`);
  await pick(page, dev[0]!);
  await page.keyboard.press("ArrowLeft");
  const fork = dev.find(({ id }) => ancestry["branch:main"]!.some((one) => one.id === id))!;
  await expect(at()).toHaveText(`${short(fork.id)}…`);
  await page.keyboard.press("ArrowRight");
  await expect(at()).not.toHaveText(`${short(fork.id)}…`);

  await pick(page, third!);
  await page.keyboard.press("c");
  await pick(page, second!);
  await page.keyboard.press("c");
  await expect(changes(page).getByRole("row", { name: /added array air\/virt/ })).toBeVisible();
  await commits(page).press("Enter");
  await idle(page);
  await expect(shownCommit(page)).toContainText(second!.message);
  await expect(commits(page)).toBeFocused();
  expect(hash(page)).toContain(`&ref=snapshot:${second!.id}`);
});

test("what a commit changed is read for the rows in sight: words and a bar for each array", async ({ page }) => {
  const [, second] = expected("v2").ancestry["branch:main"]!;
  await openRepository(page, "v2");
  const row = commits(page)
    .getByRole("row")
    .filter({ hasText: short(second!.id) });
  await expect(row.getByText(/^new air\/virt, \d+ chunks$/)).toBeVisible();
  await expect(row.locator("[data-new=true]")).toHaveCount(1);
  await pick(page, second!);
  await expect(card(page).getByText(/^air\/virt: \d+ of \d+ chunks$/)).toBeVisible();
});

test("commits lead to older snapshots, and the list stays; Back and Forward go between them", async ({ page }) => {
  const { ancestry } = expected("v2");
  const [newest, second, third] = ancestry["branch:main"]!;
  await openRepository(page, "v2", "&array=air/temp&view=history");
  await expect(shownCommit(page)).toContainText(newest!.message);
  await pick(page, third!);
  await press(page, `Open ${short(third!.id)}`);
  await expect(shownCommit(page)).toContainText(third!.message);
  await expect.poll(() => messages(page)).toEqual(expect.arrayContaining([newest!.message, third!.message]));
  await expect(node(page, "virt")).toHaveCount(0);
  await pick(page, second!);
  await press(page, `Open ${short(second!.id)}`);
  await expect(node(page, "virt")).toBeVisible();
  expect(hash(page)).toContain(`&ref=snapshot:${second!.id}`);

  await page.goBack();
  await idle(page);
  await expect(shownCommit(page)).toContainText(third!.message);
  await expect(node(page, "temp")).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await idle(page);
  expect(hash(page)).not.toContain("ref=");
  await expect(heading(page, "main")).toBeVisible();
  await page.goForward();
  await page.goForward();
  await idle(page);
  expect(hash(page)).toContain(`&ref=snapshot:${second!.id}`);
  await expect(shownCommit(page)).toContainText(second!.message);
});

test("the changes of a commit, their chunks, and the map of the grid", async ({ page }) => {
  const [, second, third] = expected("v2").ancestry["branch:main"]!;
  await openRepository(page, "v2");
  await pick(page, second!);
  await press(page, `Changes of ${short(second!.id)}`);
  await expect(changes(page)).toContainText("Read from the transaction log.");
  await expect(
    history(page).getByRole("heading", { name: `Changes from ${short(third!.id)}… to ${short(second!.id)}…` }),
  ).toBeVisible();
  const nodes = changes(page).getByRole("table", { name: "Groups and arrays that differ" });
  await expect(nodes.getByRole("row", { name: /added array air\/virt/ })).toBeVisible();

  await press(page, "List chunks of air/virt");
  const list = changes(page).getByRole("grid", { name: "Changed chunks of air/virt" });
  await expect(list).toHaveAttribute("aria-rowcount", "9");
  await list.getByRole("row", { name: /^1\.3/ }).click();
  await idle(page);
  await expect(chunk(page).getByText("air/virt / 1.3").first()).toBeVisible();

  await press(page, "Compare by manifests instead");
  await expect(changes(page)).toContainText("Read from the manifests");
  await expect(changes(page).getByText("8 added")).toBeVisible();

  await press(page, "Show on the grid map air/virt");
  await expect(page.getByRole("tab", { name: "Chunks" })).toHaveAttribute("aria-selected", "true");
  const colour = page.getByRole("combobox", { name: "Colour by" });
  await expect(colour).toHaveValue("change");
  expect(await colour.evaluate((select) => getComputedStyle(select).width)).toBe(
    await colour.evaluate((select: HTMLElement) => {
      select.style.cssText = "max-width: none; flex: none";
      return getComputedStyle(select).width;
    }),
  );

  await expect(page.getByRole("tab", { name: "Chunks" })).toBeFocused();

  // What was compared is there again, also of another snapshot of the repository.
  await showView(page, "History");
  await openRef(page, "dev");
  await expect(changes(page)).toContainText("Read from the manifests");
  await expect(changes(page).getByRole("button", { name: "Show on the grid map air/virt" })).toBeDisabled();
});

test("any two snapshots, of two branches too, either way round", async ({ page }) => {
  const { ancestry } = expected("v2");
  const [newest, , third] = ancestry["branch:main"]!;
  const [dev] = ancestry["branch:dev"]!;
  await openRepository(page, "v2");
  await pick(page, newest!);
  await press(page, `Compare from ${short(newest!.id)}`);
  await pick(page, third!);
  await press(page, `Compare to ${short(third!.id)}`);
  await press(page, `Compare ${short(newest!.id)}… with ${short(third!.id)}`);
  await expect(changes(page).getByRole("row", { name: /removed array air\/virt/ })).toBeVisible();
  await pick(page, dev!);
  await press(page, `Compare to ${short(dev!.id)}`);
  await expect(card(page).getByText(`${newest!.message} → ${dev!.message}`)).toBeVisible();
  await press(page, `Compare ${short(newest!.id)}… with ${short(dev!.id)}`);
  await expect(changes(page)).toContainText("Neither snapshot is an ancestor of the other");
  await press(page, "Choose again");
  await expect(card(page).getByRole("button", { name: "Choose again" })).toHaveCount(0);
});

test(
  "a repository that only lets what is there be read by other pages opens; one that lets nothing says so",
  { tag: "@deep" },
  async ({ page }) => {
    putStore(server, "/repo", repository("v2"));
    for (const name of [".zmetadata", "zarr.json", ".zgroup", ".zarray", ".zattrs"]) {
      server.misbehave(`/repo/${name}`, "no-cors");
    }
    await openPage(page, `#url=${encodeURIComponent(server.url("/repo"))}&view=history`);
    await expect(heading(page, "main")).toBeVisible();
    server.misbehave("/repo/repo", "no-cors");
    await page.reload();
    await idle(page);
    await expect(page.getByRole("alert")).toContainText("cors-missing");
    await expect(tree(page)).toHaveCount(0);
  },
);

test(
  "format 1 over HTTP: main is known, the field opens others, a wrong name changes nothing",
  { tag: "@deep" },
  async ({ page }) => {
    const { ancestry } = expected("v1");
    await openRepository(page, "v1", "&array=air/temp&view=history");
    await expect(history(page).getByText("1 branch known, no tags known")).toBeVisible();
    await openRef(page, "nowhere");
    await expect(page.getByRole("alert").filter({ hasText: "icechunk-ref-missing" })).toBeVisible();
    await expect(heading(page, "main")).toBeVisible();
    expect(hash(page)).not.toContain("ref=");

    // The list that was typed into is still open.
    const field = history(page).getByRole("combobox", { name: "Branch, tag or snapshot" });
    await expect(history(page).getByText("cannot be listed over HTTP")).toBeVisible();
    await field.fill("v1.0");
    await field.press("Enter");
    await idle(page);
    await expect(heading(page, "tag v1.0")).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: "icechunk-ref-missing" })).toHaveCount(0);
    await history(page).getByRole("combobox", { name: "Show" }).selectOption("tag v1.0");
    await idle(page);
    await expect.poll(() => messages(page)).toEqual(ancestry["tag:v1.0"]!.map(({ message }) => message));
    expect(hash(page)).toContain("&ref=v1.0&array=air/temp");
  },
);

test(
  "a history whose files do not come can be cancelled, and is taken up again",
  { tag: "@deep" },
  async ({ page }) => {
    const entries = expected("v1").ancestry["branch:main"]!;
    putStore(server, "/repo", repository("v1"));
    server.misbehave(`/repo/snapshots/${entries[2]!.id}`, "hang");
    await page.goto(`/#url=${encodeURIComponent(server.url("/repo"))}&view=history`);
    // The list of branches, while it comes, has a Cancel of its own.
    await expect(history(page).getByRole("progressbar", { name: "Reading the history" })).toBeVisible();
    await history(page).getByRole("button", { name: "Cancel" }).click();
    await idle(page);
    await expect(history(page).getByText("Reading the history was cancelled")).toBeVisible();
    server.misbehave(`/repo/snapshots/${entries[2]!.id}`, "");
    await press(page, "Read it");
    await expect.poll(() => messages(page)).toEqual(entries.map(({ message }) => message));
  },
);

test("keyboard only: to the view, to another branch by its name, and back to the list", async ({ page }) => {
  await openRepository(page, "v2", "&array=air/temp&view=overview");
  await page.keyboard.press("Alt+7");
  await idle(page);
  await expect(page.getByRole("tab", { name: "History" })).toHaveAttribute("aria-selected", "true");
  const button = history(page).getByRole("button", { name: "Branch main" });
  for (let pressed = 0; pressed < 40; pressed += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.keyboard.type("dev");
  await page.keyboard.press("Enter");
  await idle(page);
  await expect(heading(page, "dev")).toBeFocused();
  for (let pressed = 0; pressed < 4; pressed += 1) await page.keyboard.press("Tab");
  await expect(commits(page)).toBeFocused();
});

test(
  "a dropped repository of format 1 has all its branches; other sets have no history",
  { tag: "@deep" },
  async ({ page }) => {
    await openPage(page);
    await dropFiles(page, [writeStore("v1", repository("v1"))]);
    await expect(tree(page)).toBeVisible();
    await showView(page, "History");
    await expect(history(page).getByText("2 branches, 1 tag, 1 tag deleted")).toBeVisible();
    await openRef(page, "v1.0");
    await expect(heading(page, "tag v1.0")).toBeVisible();
    await page.goBack();
    await idle(page);
    await expect(heading(page, "main")).toBeVisible();
    await page.goForward();
    await idle(page);
    await expect(heading(page, "tag v1.0")).toBeVisible();

    putStore(server, "/store.zarr", version2Store());
    await openPage(page, `#url=${encodeURIComponent(server.url("/store.zarr"))}&view=history`);
    await page.reload();
    await idle(page);
    await expect(tree(page)).toBeVisible();
    await expect(page.getByRole("tab", { name: "History" })).toHaveCount(0);
    await expect(page.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  },
);

test("containers say what they need, and lead to the locations of their prefix", async ({ page }) => {
  await openRepository(page, "v2", "&view=overview");
  const container = page.getByRole("list", { name: "Virtual chunk containers" }).getByRole("listitem").first();
  await expect(container).toContainText("file:///data/refscope/external/");
  await expect(container).toContainText("To read from it");
  await container.getByRole("button", { name: "Locations for this prefix…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "From prefix" })).toHaveValue("file:///data/refscope/external/");
  await expect(dialog.getByRole("textbox", { name: "To prefix" })).toBeFocused();
  await page.keyboard.type("https://mirror.example/");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await idle(page);
  await expect(dialog).toHaveCount(0);
});

test(
  "the sample: what “reprocess February” changed, on the grid map, and a chunk before and after",
  { tag: "@deep" },
  async ({ page }) => {
    await openSample(page, "Ocean with a history");
    await expect(heading(page, "main")).toBeVisible();
    await commits(page).getByRole("row").filter({ hasText: "reprocess February" }).click();
    await press(page, "Changes of");
    await press(page, "List chunks of sst");
    const list = changes(page).getByRole("grid", { name: "Changed chunks of sst" });
    for (const name of ["3.0.0", "3.0.1", "4.0.0", "4.0.1", "5.0.0", "5.0.1"]) {
      await expect(list.getByRole("row", { name })).toBeVisible();
    }
    await expect(list).toHaveAttribute("aria-rowcount", "7"); // those and the header

    await press(page, "Show on the grid map sst");
    await expect(page.getByRole("combobox", { name: "Colour by" })).toHaveValue("change");
    await expect(page.getByRole("list", { name: "Legend" })).toContainText(/written or deleted\s*6/);
    // They are in other slices than the first.
    await page.getByRole("button", { name: "First changed chunk" }).press("Enter");
    await idle(page);
    const map = page.getByRole("group", { name: "Chunk grid" });
    await expect(map.getByRole("application")).toBeFocused();
    await expect(map.getByText("sst/c/3/0/0", { exact: true })).toBeVisible();
    await expect(map.getByText("written or deleted between the snapshots", { exact: true })).toBeVisible();

    await goToChunk(page, "sst/4.0.0");
    const mean = Number(await storedStatistic(page, "Mean"));
    await showView(page, "History");
    await openRef(page, "v1.0");
    await expect(chunk(page).getByText("sst / 4.0.0").first()).toBeVisible();
    expect(Number(await storedStatistic(page, "Mean"))).toBeLessThan(mean - 10); // 0.35 K packed in steps of 0.02 K
  },
);

test("which commit last wrote each chunk: in History, on the map, and of one chunk", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.icechunk&array=sst&view=history");
  const writers = history(page).getByRole("region", { name: "Written by" });
  await expect(writers.getByRole("heading", { name: "Who wrote sst?" })).toBeVisible();
  const legend = writers.getByRole("list", { name: "Legend" });
  await expect(legend.getByRole("listitem").filter({ hasText: "reprocess February" })).toContainText("6");
  await expect(legend.getByRole("listitem").filter({ hasText: "drop bad chunk" })).toContainText("(1 removed)");
  await expect(writers.getByRole("img")).toHaveAccessibleName("18 chunks of sst by their last commit");
  await expect(writers.getByTitle("sst / 8.0.0: removed by “drop bad chunk”")).toBeVisible();

  await press(page, "Show on the map");
  await expect(page.getByRole("combobox", { name: "Colour by" })).toHaveValue("blame");
  const map = page.getByRole("group", { name: "Chunk grid" });
  await expect(map.getByRole("list", { name: "Legend" })).toContainText(/reprocess February\s*6/);
  await goToChunk(page, "sst/3.0.1");
  await expect(map.getByText("written by “reprocess February”")).toBeVisible();
});

test("commits have pictures of the array where they cost little, and nothing to search for is said", async ({
  page,
}) => {
  // A slice that “reprocess February” wrote again.
  await openPage(page, "#url=samples/ocean.icechunk&array=sst&chunk=4.0.1&view=history");
  const picture = (message: string) => commits(page).getByRole("row").filter({ hasText: message }).locator("img");
  const look = async (message: string) => await picture(message).getAttribute("src");
  await expect(commits(page).locator("img")).toHaveCount(6);
  await expect(picture("Repository initialized")).toHaveCount(0);
  expect(await look("drop bad chunk")).toBe(await look("rename ice to sea_ice"));
  expect(await look("fix: units of sst were wrong")).toBe(await look("append March"));
  expect(await look("drop bad chunk")).not.toBe(await look("append March"));
  await expect(picture("append March")).toHaveAttribute("alt", "");

  const search = history(page).getByRole("button", { name: "Since when is it wrong?" });
  await expect(search).toBeDisabled();
  await expect(search).toHaveAttribute("title", /no problem to search for.*refscope bisect/);
  // A line has no picture, and commits no room for one.
  await selectArray(page, "time");
  await showView(page, "History");
  await expect(commits(page).getByRole("row").filter({ hasText: "append March" })).toBeVisible();
  await expect(commits(page).locator("img")).toHaveCount(0);
});

test("a chunk's life: who wrote it, its value then, and Data slides along", async ({ page }) => {
  await openPage(page, "#url=samples/ocean.icechunk&array=sst&chunk=4.0.1&point=9,9,30&view=data&tab=history");
  const life = chunk(page).getByRole("group", { name: "Commits of the chunk" });
  const [newer, older] = [life.getByRole("listitem").nth(0), life.getByRole("listitem").nth(1)];
  await expect(newer).toContainText("reprocess February");
  await expect(newer).toHaveAttribute("aria-current", "true");
  await expect(older).toContainText("first two months");
  // The value at the point, in either commit.
  const value = async (of: Locator) => Number(/(\d+\.\d+) (?:K|°C)/.exec((await of.textContent()) ?? "")?.[1]);
  await expect.poll(async () => (await value(newer)) - (await value(older))).toBeCloseTo(0.34, 1);
  await life.press("ArrowDown");
  await idle(page);
  await expect(older).toHaveAttribute("aria-current", "true");
  await expect(life).toBeFocused();
  expect(hash(page)).toMatch(/&ref=snapshot:AG25XR97.*&view=data&point=9,9,30&tab=history/);
  await expect(page.getByRole("tab", { name: "Data", exact: true })).toHaveAttribute("aria-selected", "true");
  await chunk(page).getByRole("button", { name: "Newer" }).click();
  await idle(page);
  await expect(newer).toHaveAttribute("aria-current", "true");
});

test("a link to a tag that is gone: main opens instead, where all there are can be chosen", async ({ page }) => {
  putStore(server, "/repo", repository("v2"));
  await openPage(page, `#url=${encodeURIComponent(server.url("/repo"))}&ref=tag:gone&array=air/temp&view=chunks`);
  await expect(page.getByRole("alert")).toContainText("icechunk-ref-missing");
  await page.getByRole("button", { name: "Open main and its history" }).click();
  await idle(page);
  await expect(heading(page, "main")).toBeVisible();
  expect(hash(page)).toContain("&array=air/temp&view=history");
  expect(hash(page)).not.toContain("ref=");
});
