import { type Layout } from "./generate.ts";
export declare function benchPageCheck(words: readonly string[], wanted: {
    readonly refs: readonly number[];
    readonly layouts: readonly Layout[];
}, document: (references: number, layout: Layout) => Promise<string>): Promise<void>;
