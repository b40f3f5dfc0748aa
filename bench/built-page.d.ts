import { type Browser, type Page } from "@playwright/test";
export interface Taken {
    /** All in milliseconds. From the input until `data-pending` is 0, the pause in which it waits for more included. */
    readonly idle: number;
    /** From the input until the frame after the worker's last answer. */
    readonly shown: number;
    /** In which the worker owed an answer. */
    readonly worker: number;
    /** Of the processor, in all workers: on a busy machine only this means something. 0 where the system does not say. */
    readonly processor: number;
    /** In which the main thread was busy. */
    readonly main: number;
}
export interface BuiltPage {
    readonly page: Page;
    readonly chromium: Browser;
    /** Until the page is idle. */
    settled(this: void): Promise<void>;
    timed(act: () => Promise<unknown>): Promise<Taken>;
}
export interface PageServer {
    /** A fresh page, idle. */
    open(viewport: {
        readonly width: number;
        readonly height: number;
    }, hash?: string): Promise<BuiltPage>;
    close(): Promise<void>;
}
export declare function servePage(port: number): Promise<PageServer>;
/** How busy the machine is with others: the times of a busy minute mean little. */
export declare const busyWords: () => string;
export declare function printColumns(rows: readonly (readonly string[])[]): void;
