type Median = (numbers: readonly number[]) => number;
export declare function benchDecoders(words: readonly string[], data: string, median: Median): Promise<void>;
export {};
