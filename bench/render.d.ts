/** Prints microseconds an entry and the ratio to ours, medians over the rounds. */
export declare function benchRendering(entries: number, rounds: number, median: (numbers: readonly number[]) => number): void;
