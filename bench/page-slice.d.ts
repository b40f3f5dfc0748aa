type Median = (numbers: readonly number[]) => number;
export declare function benchPageSlice(words: readonly string[], median: Median): Promise<void>;
export {};
