/**
 * Every case of what published virtual stores need decoded, through the built engine worker in a real browser, under the
 * page's Content-Security-Policy: each set opened from files and read whole. What is known not to be built is listed in
 * src/engine/testing/flagship-sets.ts. `npm run flagship` builds the page and runs this alone.
 */
import { expect, test, type Page } from "@playwright/test";
import { type Locations, NO_LOCATIONS } from "../src/core/byte-source.ts";
import { FLAGSHIP } from "../src/core/testing/flagship.ts";
import {
  differenceOf,
  flagshipSets,
  tallyOf,
  type Answer,
  type FlagshipSet,
} from "../src/engine/testing/flagship-sets.ts";
import { openPage } from "./support/app.ts";

/** So many sets are handed to the page at once. */
const BATCH = 40;

interface Asked {
  readonly opened: string;
  readonly array: string;
  readonly isText: boolean;
  /** Base64, by path; absent where the set is open already. */
  readonly files: Readonly<Record<string, string>> | undefined;
}

interface Given {
  readonly npy?: string;
  readonly texts?: readonly string[];
  readonly code?: string;
}

/** A worker of the page's own file, spoken to as the page speaks to it (src/worker/protocol.ts). */
async function startEngine(page: Page): Promise<void> {
  const started = page.waitForEvent("worker");
  await openPage(page);
  await page.evaluate(
    (address) => {
      const worker = new Worker(address, { type: "module" });
      const waiting = new Map<number, (answer: unknown) => void>();
      worker.addEventListener("message", ({ data }: MessageEvent<{ readonly type: string; readonly id: number }>) => {
        if (data.type === "result" || data.type === "failure") waiting.get(data.id)?.(data);
      });
      let last = 0;
      const ask = (operation: string, request: object) =>
        new Promise((resolve) => {
          last += 1;
          waiting.set(last, resolve);
          worker.postMessage({ type: "call", id: last, operation, request }, []);
        });
      Object.assign(globalThis, { askEngine: ask });
    },
    (await started).url(),
  );
}

/** In the page. */
async function answerAll([asked, locations]: readonly [readonly Asked[], Locations]): Promise<Given[]> {
  interface Reply {
    readonly result?: { readonly set: { readonly id: number }; readonly bytes: Uint8Array; readonly texts: string[] };
    readonly error?: { readonly fields: { readonly code: string } };
  }
  const home = globalThis as unknown as {
    askEngine: (operation: string, request: object) => Promise<Reply>;
    lastOpened?: { readonly opened: string; readonly answer: Reply };
  };
  const unpacked = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const packed = (bytes: Uint8Array) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  };
  /** As the page does it: one set at a time. */
  const open = async ({ opened, files = {} }: Asked) => {
    const last = home.lastOpened;
    if (last?.opened === opened) return last.answer;
    if (last?.answer.result !== undefined) await home.askEngine("set.close", { set: last.answer.result.set.id });
    const list = Object.entries(files).map(([path, content]) => ({ path, blob: new Blob([unpacked(content)]) }));
    const answer = await home.askEngine("set.open", { source: { kind: "files", files: list }, locations });
    home.lastOpened = { opened, answer };
    return answer;
  };
  const given: Given[] = [];
  for (const one of asked) {
    const { result, error } = await open(one);
    const part = { set: result?.set.id, array: one.array, select: "...", scaled: false };
    const read: Reply =
      error !== undefined
        ? { error }
        : await home.askEngine(one.isText ? "plane.table" : "plane.file", { ...part, format: "npy" });
    if (read.result === undefined) given.push({ code: read.error?.fields.code ?? "unexpected" });
    else given.push(one.isText ? { texts: read.result.texts } : { npy: packed(read.result.bytes) });
  }
  return given;
}

function askedOf(sets: readonly FlagshipSet[]): readonly Asked[] {
  return sets.map(({ opened, array, expected, files }, at) => {
    const isOpen = sets[at - 1]?.opened === opened;
    const base64 = (content: Uint8Array) => Buffer.from(content).toString("base64");
    const packed = () => Object.fromEntries(Object.entries(files()).map(([path, content]) => [path, base64(content)]));
    return { opened, array, isText: expected?.values !== undefined, files: isOpen ? undefined : packed() };
  });
}

function answerOf({ npy, texts, code }: Given): Answer {
  if (npy !== undefined) return { kind: "npy", bytes: new Uint8Array(Buffer.from(npy, "base64")) };
  return texts === undefined ? { kind: "refused", code: code ?? "unexpected" } : { kind: "texts", texts };
}

test("what published virtual stores need decoded is read as Python reads it", async ({ page }) => {
  const sets = flagshipSets();
  test.skip(sets.length === 0, `The recorded cases are not here: ${FLAGSHIP}.`);
  await startEngine(page);
  const asked = askedOf(sets);
  const given: Given[] = [];
  for (let at = 0; at < asked.length; at += BATCH) {
    given.push(...(await page.evaluate(answerAll, [asked.slice(at, at + BATCH), NO_LOCATIONS] as const)));
  }
  const { lines, surprises } = tallyOf(
    sets.map((set, at) => ({ set, difference: differenceOf(set, answerOf(given[at] ?? {})) })),
  );
  for (const line of lines) console.log(line);
  expect(surprises).toEqual([]);
});
