type Median = (numbers: readonly number[]) => number;
export declare function benchDecoding(words: readonly string[], data: string, median: Median): Promise<void>;
export {};
