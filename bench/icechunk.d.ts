type Median = (numbers: readonly number[]) => number;
export declare function benchIcechunk(rounds: number, median: Median): Promise<void>;
export {};
