import { type Locator, type Page } from "@playwright/test";
export declare const EXAMPLE: string;
/** What the specification prints for its example, in its order. */
export declare const EXAMPLE_VERSION_0: Readonly<Record<string, unknown>>;
export declare const editor: (page: Page) => Locator;
export declare const result: (page: Page) => Locator;
export declare const documentPart: (page: Page) => Locator;
export declare const suggestions: (page: Page) => Locator;
/** A line that is in sight in the editor. */
export declare const line: (page: Page, text: string | RegExp) => Locator;
/** References rendered, of the whole document. */
export declare function expectRows(page: Page, count: number): Promise<void>;
/** What is shown is of the text as it stands. */
export declare function settled(page: Page): Promise<void>;
export declare function openExample(page: Page): Promise<void>;
export declare function openNewDocument(page: Page): Promise<void>;
/** Pastes a text over all that is there. */
export declare function write(page: Page, text: string): Promise<void>;
/** Where a text stands within a line that is in sight, in CSS pixels of the page. */
export declare function placeIn(page: Page, lineText: string, text: string): Promise<DOMRect>;
/** Double-clicks what is bracketed in `around`, as in `{{[u]}}`: it is selected, and what is typed takes its place. */
export declare function selectWord(page: Page, lineText: string, around: string): Promise<void>;
/** The result's rows in sight: target, offset and length as shown, by key, in order. */
export declare function shownRows(page: Page): Promise<readonly (readonly string[])[]>;
/** A reference set as `shownRows` gives it. */
export declare function asShown(refs: Readonly<Record<string, unknown>>): readonly (readonly string[])[];
