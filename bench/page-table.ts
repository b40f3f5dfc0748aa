/**
 * `npm run bench -- --page-table [--rows 10000000 --rounds 3 --port 4198]`: the table of chunks in the built page. One array
 * of so many chunks in 1000 targets, lengths at random, every 50th value inline and every 97th chunk missing; every filter,
 * every sort both ways, the way to the end. A round is a fresh browser, so that nothing is remembered from the last one; in
 * each, the same browser sorts as many plain numbers.
 */
import { createWriteStream, existsSync, mkdirSync, renameSync } from "node:fs";
import { once } from "node:events";
import type { Locator, Page } from "@playwright/test";
import { busyWords, printColumns, servePage, type BuiltPage, type Taken } from "./built-page.ts";

type Median = (numbers: readonly number[]) => number;

const FILES_A_STEP = 4;

interface Grid {
  readonly steps: number;
  readonly side: number;
}

/** 250 steps of 200 by 200 chunks for ten million. */
function gridOf(rows: number): Grid {
  const side = Math.max(4, Math.round(Math.cbrt(rows / 1.25) / FILES_A_STEP) * FILES_A_STEP);
  return { side, steps: Math.max(1, Math.round(rows / side / side)) };
}

async function writeTable(path: string, { steps, side }: Grid): Promise<void> {
  const file = createWriteStream(`${path}.part`, { highWaterMark: 1 << 22 });
  const zarray = JSON.stringify({
    zarr_format: 2,
    shape: [steps, side * 10, side * 10],
    chunks: [1, 10, 10],
    dtype: "<f4",
    compressor: { id: "zlib", level: 4 },
    filters: null,
    fill_value: null,
    order: "C",
  });
  const zattrs = JSON.stringify({ _ARRAY_DIMENSIONS: ["time", "y", "x"] });
  const metadata = { ".zgroup": '{"zarr_format":2}', "field/.zarray": zarray, "field/.zattrs": zattrs };
  file.write(`{"version":1,"refs":${JSON.stringify(metadata).slice(0, -1)}`);
  for (const piece of chunkLines({ steps, side })) if (!file.write(piece)) await once(file, "drain");
  file.end("}}");
  await once(file, "finish");
  renameSync(`${path}.part`, path);
}

/** In the order in which a tool writes them; a file has a band of the rows of one step. */
function* chunkLines({ steps, side }: Grid): Generator<string> {
  let random = 1;
  for (let step = 0; step < steps; step += 1) {
    for (let row = 0; row < side; row += 1) {
      const file = step * FILES_A_STEP + Math.floor((row * FILES_A_STEP) / side);
      const url = `https://data.example.org/run-17/field_${file}.nc`;
      let offset = 4096 + (row % (side / FILES_A_STEP)) * side * 4_200_000;
      let lines = "";
      for (let column = 0; column < side; column += 1) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        const length = random >>> 10;
        if (random % 97 === 0) continue;
        const value = random % 50 === 0 ? '"base64:AAAAAAAAAAA="' : `["${url}",${offset},${length}]`;
        lines += `,\n"field/${step}.${row}.${column}":${value}`;
        offset += length;
      }
      yield lines;
    }
  }
}

interface Action {
  readonly name: string;
  /** What is done before, untimed. */
  readonly first?: () => Promise<void>;
  readonly act: () => Promise<void>;
}

export async function benchPageTable(words: readonly string[], data: string, median: Median): Promise<void> {
  const value = (name: string, otherwise: number) =>
    words.includes(`--${name}`) ? Number(words[words.indexOf(`--${name}`) + 1]) : otherwise;
  const [rows, rounds] = [value("rows", 10_000_000), value("rounds", 3)];
  mkdirSync(data, { recursive: true });
  const path = `${data}page-table-${rows}.json`;
  if (!existsSync(path)) await writeTable(path, gridOf(rows));
  const server = await servePage(value("port", 4198));
  const taken = new Map<string, Taken[]>();
  const plain: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      console.log(`round ${round + 1}: ${busyWords()}`);
      const built = await server.open({ width: 1920, height: 900 });
      plain.push(await sortPlainly(built, rows));
      await openTable(built, path);
      for (const { name, first, act } of actionsOn(built)) {
        await first?.();
        await built.settled();
        const one = await built.timed(act);
        taken.set(name, [...(taken.get(name) ?? []), one]);
      }
      await built.chromium.close();
    }
  } finally {
    await server.close();
  }
  print(taken, plain, median);
}

/** The yardstick: as many numbers as there are rows, sorted by the same browser, without saying which came from where. */
async function sortPlainly({ chromium }: BuiltPage, rows: number): Promise<number> {
  const page = await chromium.newPage();
  const milliseconds = await page.evaluate((count) => {
    const numbers = Float64Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 35));
    const start = performance.now();
    numbers.sort();
    return performance.now() - start;
  }, rows);
  await page.close();
  return milliseconds;
}

async function openTable({ page, settled }: BuiltPage, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: /Open files/ }).click(),
  ]);
  await chooser.setFiles(path);
  const tree = page.getByRole("tree", { name: "Hierarchy" });
  await tree.waitFor({ timeout: 300_000 });
  await settled();
  await tree.getByRole("treeitem", { name: "field", exact: true }).click();
  await page.getByRole("tab", { name: /Manifest|Chunks/ }).click();
  await settled();
}

function actionsOn(built: BuiltPage): readonly Action[] {
  return [...filterActions(built), ...sortActions(built), ...moveActions(built)];
}

const allRows = (page: Page): Locator =>
  page.getByRole("group", { name: "States", exact: true }).getByRole("button", { name: /^All/ });

async function clearFilters(page: Page): Promise<void> {
  if ((await allRows(page).getAttribute("aria-pressed")) !== "true") await allRows(page).click();
}

function filterActions({ page }: BuiltPage): readonly Action[] {
  const clear = allRows(page);
  const cleared = () => clearFilters(page);
  const more = page.getByRole("button", { name: /More filters/ });
  const opened = async () => {
    await cleared();
    if ((await more.getAttribute("aria-expanded")) !== "true") await more.click();
  };
  const typed = (name: string, label: RegExp, text: string): Action => ({
    name,
    first: opened,
    act: () => page.getByLabel(label).first().fill(text),
  });
  const target = page.getByRole("listbox", { name: "Targets" }).getByRole("option");
  return [
    {
      name: "filter: state",
      first: cleared,
      act: () =>
        page
          .getByRole("button", { name: /^inline/ })
          .first()
          .click(),
    },
    { name: "filter: none again", act: () => clear.click() },
    typed("filter: text in target", /Target contains/, "_17"),
    typed("filter: text in key", /Key (contains|or place)/, "17."),
    {
      name: "filter: a target",
      first: async () => {
        await cleared();
        await page.getByRole("button", { name: /^target/ }).click();
      },
      act: () => target.nth(3).click(),
    },
    {
      name: "filter: length from",
      first: async () => {
        await page.keyboard.press("Escape");
        await cleared();
        await page.getByRole("button", { name: /^length/ }).click();
      },
      act: () => page.getByLabel("Length from").fill("3 MB"),
    },
    {
      name: "filter: coordinates",
      first: async () => {
        await page.keyboard.press("Escape");
        await opened();
      },
      act: () => page.getByLabel("y from").fill("17"),
    },
    { name: "filter: coordinates, twice", act: () => page.getByLabel("x to").fill("99") },
  ];
}

const tableOf = ({ page }: BuiltPage): Locator => page.getByRole("grid", { name: "Manifest" });

/** Rows of an array are in the order of their keys to begin with: its column's first click turns them round. */
function sortActions(built: BuiltPage): readonly Action[] {
  const unfiltered = () => clearFilters(built.page);
  const click = (column: string) => () =>
    tableOf(built)
      .getByRole("columnheader", { name: new RegExp(column) })
      .getByRole("button")
      .first()
      .click();
  const both = ["State", "Target", "Offset", "Length", "End"].flatMap((column): readonly Action[] => [
    { name: `sort: ${column}`, act: click(column) },
    { name: `sort: ${column}, descending`, act: click(column) },
  ]);
  return [{ name: "sort: Key, descending", first: unfiltered, act: click("Key") }, ...both];
}

function moveActions(built: BuiltPage): readonly Action[] {
  const press = (key: string) => () => built.page.keyboard.press(key);
  const focused = () => tableOf(built).focus();
  return [
    { name: "scroll to the end", first: focused, act: press("Control+End") },
    { name: "scroll to the start", act: press("Control+Home") },
  ];
}

function print(taken: ReadonlyMap<string, readonly Taken[]>, plain: readonly number[], median: Median): void {
  const yardstick = median(plain);
  console.log(`plain sort of as many numbers: ${yardstick.toFixed(0)} ms (least ${Math.min(...plain).toFixed(0)})`);
  const rows = [...taken].map(([name, rounds]) => {
    const of = (part: keyof Taken) => rounds.map((one) => one[part]);
    const middle = (part: keyof Taken) => median(of(part)).toFixed(0);
    const share = median(rounds.map(({ worker }, round) => worker / (plain[round] ?? Number.NaN)));
    return [name, middle("idle"), Math.min(...of("idle")).toFixed(0), middle("shown"), middle("worker"), middle("processor"), middle("main"), share.toFixed(2)]; // prettier-ignore
  });
  printColumns([
    [
      "milliseconds",
      "until idle",
      "least",
      "until shown",
      "worker",
      "its processor",
      "main thread",
      "worker × plain sort",
    ],
    ...rows,
  ]);
}
