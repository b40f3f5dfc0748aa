/** Prints milliseconds and ratios to ours. */
export declare function benchParquet(data: string, references: number, rounds: number, median: (numbers: readonly number[]) => number): Promise<void>;
