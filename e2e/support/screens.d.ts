/** Every screen of the page, for stories that look at them all: where it is, and what is opened there. */
import { type Page } from "@playwright/test";
export interface Screen {
    readonly name: string;
    /** What stands after `#`; absent = where the screen before was. */
    readonly hash?: string;
    readonly open?: (page: Page) => Promise<void>;
    readonly close?: (page: Page) => Promise<void>;
    /** What of it is not on other screens too, as a selector; absent = all. */
    readonly part?: string;
}
/** `sharded`: the address of a sharded array. */
export declare const screens: (sharded: string) => readonly Screen[];
/** Shows a screen, and waits until nothing is under way. */
export declare function show(page: Page, { hash, open }: Screen): Promise<void>;
