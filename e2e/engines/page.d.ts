/** What every engine can be asked for, however it is driven: the stories know nothing else of it. */
export type Json = string | number | boolean | null | readonly Json[] | {
    readonly [key: string]: Json;
};
export interface EnginePage {
    /** A new document, also where only the part after `#` differs. */
    goto(url: string): Promise<void>;
    /** Runs a function in the page, alone: nothing around it is there. A promise is waited for. */
    run<Args extends readonly unknown[], Result>(task: (...args: Args) => Result | Promise<Result>, ...args: Args): Promise<Result>;
    /** A real press of the mouse's button, in CSS pixels of the window. */
    click(x: number, y: number, times?: number): Promise<void>;
    /** Real keys, held together, by their names in the DOM: `press("Control", "k")`. */
    press(...keys: readonly string[]): Promise<void>;
    /** Real keys one after another; a line break is Enter. */
    type(text: string): Promise<void>;
}
/** An engine under test. */
export interface Engine {
    readonly version: string;
    readonly page: EnginePage;
    stop(): Promise<void>;
}
export interface EngineKind {
    readonly name: string;
    /** `undefined` where it is not installed. */
    readonly launch: () => Promise<Engine | undefined>;
}
export declare const WINDOW: {
    width: number;
    height: number;
};
/** As text for the drivers. The tool that strips the types wraps named functions in `__name`. */
export declare function scriptOf(task: (...args: never) => unknown): string;
