type Median = (numbers: readonly number[]) => number;
export declare function benchPageTable(words: readonly string[], data: string, median: Median): Promise<void>;
export {};
