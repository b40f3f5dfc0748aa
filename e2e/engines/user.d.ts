/** What somebody does with the page and sees of it, by role and name; every step waits until the page is ready for it. */
import type { EnginePage } from "./page.ts";
/** An element in sight. */
export interface Target {
    readonly role: string;
    /** Its accessible name, whole. */
    readonly name?: string;
    /** Part of its text. */
    readonly text?: string;
    readonly attributes?: Readonly<Record<string, string>>;
    readonly in?: Target;
    /** A text in it, where it is clicked; else its middle. */
    readonly at?: string;
}
/** What is known of an element: its text, its place in the window, its attributes. */
interface Seen {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly attributes: Readonly<Record<string, string>>;
    /** Its terms (`dt`) with their descriptions. */
    readonly terms: Readonly<Record<string, string>>;
}
export interface User {
    readonly page: EnginePage;
    /** Reloads the page at an address and waits until nothing is under way. */
    open(hash?: string): Promise<void>;
    idle(): Promise<void>;
    /** Waits until such an element is in sight, and for `fits` where it is given. */
    see(target: Target, fits?: (seen: Seen) => boolean): Promise<Seen>;
    gone(target: Target): Promise<void>;
    click(target: Target): Promise<void>;
    /** Keys, and then everything they start. */
    press(...keys: readonly string[]): Promise<void>;
    /** Presses Tab until an element that matches has the focus. */
    tabTo(selector: string): Promise<void>;
}
export declare function userOf(page: EnginePage, origin: string): User;
export {};
