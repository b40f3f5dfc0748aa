import { type Locator, type Page } from "@playwright/test";
export { SAMPLES, truthOf } from "./truth.ts";
/** Waits until nothing is under way. */
export declare function idle(page: Page): Promise<void>;
/** Opens the page at an address and fails the test on anything the console calls an error. */
export declare function openPage(page: Page, hash?: string): Promise<void>;
export declare const tree: (page: Page) => Locator;
export declare const manifest: (page: Page) => Locator;
export declare const chunk: (page: Page) => Locator;
export declare const problems: (page: Page) => Locator;
export declare function openSample(page: Page, name?: string): Promise<void>;
export declare function selectArray(page: Page, name: string): Promise<void>;
/** By the manifest's own field: rows further down are drawn when they are scrolled to. */
export declare function goToChunk(page: Page, key: string): Promise<void>;
/** Views of the set stand above the tree, those of an array beside its name. */
export declare function showView(page: Page, name: string): Promise<void>;
/** What was found wrong so far, in the view that lists it. */
export declare function showProblems(page: Page): Promise<Locator>;
/** Shows a tab of the Chunk region: Values, Request, Decode or Hex. */
export declare function showTab(page: Page, name: string): Promise<void>;
/** What a tab of the Chunk region says; the tab that was shown is shown again. */
export declare function onTab<T>(page: Page, name: string, read: () => Promise<T>): Promise<T>;
/** Exact text of a statistic in the Chunk region. */
export declare function statistic(page: Page, term: string): Promise<string>;
/** The same of values as they are stored, which are shown from now on. */
export declare function storedStatistic(page: Page, term: string): Promise<string>;
/** The reference as written and all else that led to the bytes, as the Chunk region says it. */
export declare function expectRequest(page: Page, text: string | RegExp): Promise<void>;
export declare const sha256: (bytes: Uint8Array) => string;
/** Drops real files, as a file manager would: Chromium's own drag events, trusted, with paths on disk. */
export declare function dropFiles(page: Page, paths: readonly string[]): Promise<void>;
/** As Ctrl+V does where no field has the focus. `file`: the text is that of a file of this name, which was copied. */
export declare function paste(page: Page, text: string, file?: string): Promise<void>;
export declare const trialPart: (page: Page) => Locator;
export declare const comparison: (page: Page) => Locator;
/** Texts of a row of the comparison: as declared, and the trial's. */
export declare function compared(page: Page, term: string): Promise<readonly string[]>;
