/** Every screen of the page, for stories that look at them all: where it is, and what is opened there. */
import { expect, type Page } from "@playwright/test";
import { idle } from "./app.ts";

export interface Screen {
  readonly name: string;
  /** What stands after `#`; absent = where the screen before was. */
  readonly hash?: string;
  readonly open?: (page: Page) => Promise<void>;
  readonly close?: (page: Page) => Promise<void>;
  /** What of it is not on other screens too, as a selector; absent = all. */
  readonly part?: string;
}

const BROKEN = "#url=samples/ocean-broken.json";
const VIEW = '[role="tabpanel"]';
const CHUNK = 'section[aria-label="Chunk"]';
const SST = `${BROKEN}&array=sst`;

/** The chunk 0.0.0 of sst is good; 0.0.1 is no zlib stream, 1.0.0 is not there. */
const inspector = (tab: string): readonly Screen[] =>
  ["0.0.0", "0.0.1", "1.0.0"].map((chunk) => ({
    name: `inspector: ${tab} of ${chunk}`,
    hash: `${SST}&chunk=${chunk}&view=metadata&tab=${tab}`,
    part: CHUNK,
  }));

/** `sharded`: the address of a sharded array. */
export const screens = (sharded: string): readonly Screen[] => [
  { name: "start" },
  { name: "start with an error", hash: "#url=samples/nothing-here.json" },
  { name: "overview", hash: `${BROKEN}&view=overview` },
  { name: "open", ...dialog((page) => command(page, "Open a dataset")) },
  { name: "locations", ...dialog((page) => command(page, "Locations")) },
  { name: "export", ...dialog((page) => command(page, "Export")) },
  { name: "limit", ...dialog((page) => command(page, "Limit of generated")) },
  { name: "commands", ...dialog(palette) },
  { name: "keys", ...dialog((page) => command(page, "Help: all keys")) },
  { name: "codes", ...dialog(openCode) },
  { name: "arrays", open: openTree, close: escape },
  { name: "Data", hash: `${SST}&view=data` },
  { name: "Data of a line", hash: `${BROKEN}&array=time&view=data`, part: VIEW },
  { name: "Data beside a chunk that failed", hash: `${SST}&chunk=0.0.1&view=data` },
  { name: "chunks", hash: `${SST}&view=chunks` },
  { name: "references of the set", hash: `${BROKEN}&view=chunks`, part: VIEW },
  { name: "metadata", hash: `${SST}&view=metadata`, part: VIEW },
  { name: "metadata of the set", hash: `${BROKEN}&view=metadata`, part: VIEW },
  ...["values", "request", "decode", "hex"].flatMap(inspector),
  {
    name: "trial",
    hash: `${SST}&chunk=0.0.1&view=chunks`,
    open: (page) => command(page, "Trial: decode"),
    part: CHUNK,
  },
  { name: "check", hash: `${BROKEN}&view=check`, open: openProblem },
  { name: "readers", hash: `${BROKEN}&view=check`, open: compareReaders },
  { name: "what is expected", hash: `${BROKEN}&view=check`, open: openExpectation, part: VIEW },
  { name: "setting a cause aside", hash: `${BROKEN}&view=check`, open: openSetAside, close: escape, part: VIEW },
  { name: "sources", hash: `${BROKEN}&view=sources` },
  { name: "arrays of a target", open: (page) => sourceTab(page, "Arrays"), part: VIEW },
  { name: "replacing a prefix", open: replacePrefix, part: VIEW },
  { name: "sources in Python", open: (page) => sourceTab(page, "In Python"), part: VIEW },
  { name: "shard", hash: `#url=${encodeURIComponent(sharded)}&view=chunks` },
  { name: "compare", hash: "#url=samples/ocean.v1.json&view=compare&with=samples/ocean-broken.json" },
  { name: "history", hash: "#url=samples/ocean.icechunk&array=sst&chunk=4.0.1&view=history&tab=history" },
  { name: "anatomy", open: weigh, part: VIEW },
  { name: "studio", hash: "#url=samples/specification.v1.json&view=edit", open: editorReady },
];

/** Shows a screen, and waits until nothing is under way. */
export async function show(page: Page, { hash, open }: Screen): Promise<void> {
  if (hash !== undefined) {
    await page.evaluate(async (to) => {
      if (location.hash === to) return;
      const gone = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = to;
      await gone;
    }, hash);
    await idle(page);
  }
  await open?.(page);
  await idle(page);
}

/** All of them, one with its evidence. */
async function compareReaders(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Compare readers" }).first().click();
  await page.getByRole("button", { name: "More about zarrita" }).click();
  await expect(page.getByRole("list", { name: "What zarrita does" })).toBeVisible();
}

async function weigh(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Anatomy/ }).click();
  await page.getByRole("button", { name: "Weigh" }).click();
  await expect(page.getByRole("table", { name: "Bytes by array" })).toBeVisible();
}

async function palette(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Go to array" }).click();
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
}

async function command(page: Page, title: string): Promise<void> {
  await palette(page);
  await page.keyboard.type(title);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Commands" })).toHaveCount(0);
}

function dialog(open: (page: Page) => Promise<void>): Pick<Screen, "open" | "close" | "part"> {
  return {
    part: "dialog",
    open: async (page) => {
      await open(page);
      await expect(page.getByRole("dialog")).toBeVisible();
    },
    close: escape,
  };
}

async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** The sheet of small screens. */
async function openTree(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Arrays", exact: true });
  if (await button.isVisible()) await button.click();
}

/** All codes are several hundred times the same. */
async function openCode(page: Page): Promise<void> {
  await command(page, "Show problem codes");
  await page.getByRole("searchbox", { name: "Find a code" }).fill("shard");
  await page.getByRole("dialog").locator("summary").first().click();
}

async function openProblem(page: Page): Promise<void> {
  await page.getByRole("list", { name: "Problems" }).getByRole("button", { name: "More" }).first().click();
}

async function openExpectation(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^Create expectations/ })
    .first()
    .click();
  await expect(page.getByRole("textbox", { name: "Expectations as JSON" })).toBeVisible();
}

async function openSetAside(page: Page): Promise<void> {
  const more = page.getByRole("list", { name: "Problems" }).locator("li").first().getByRole("button", { name: "More" });
  if (await more.isVisible()) await more.click();
  await page.getByRole("button", { name: "Accept…" }).first().click();
}

async function sourceTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).click();
}

async function replacePrefix(page: Page): Promise<void> {
  await sourceTab(page, "Replace a prefix");
  await page.getByRole("textbox", { name: "Replace" }).fill("ocean-a");
  await page.getByRole("textbox", { name: "with" }).fill("ocean-b");
  await page.getByRole("button", { name: "Preview" }).click();
}

async function editorReady(page: Page): Promise<void> {
  await expect(page.getByRole("textbox", { name: "Reference document" })).toBeAttached();
}
