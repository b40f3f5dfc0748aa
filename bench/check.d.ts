import type { Layout } from "./generate.ts";
type Median = (numbers: readonly number[]) => number;
export declare function benchCheck(wanted: {
    readonly refs: readonly number[];
    readonly layouts: readonly Layout[];
    readonly rounds: number;
}, document: (references: number, layout: Layout) => Promise<string>, median: Median): Promise<void>;
export {};
