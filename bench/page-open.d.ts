export declare function benchPageOpen(words: readonly string[], median: (numbers: readonly number[]) => number): Promise<void>;
