type Median = (numbers: readonly number[]) => number;
interface ThreadsBench {
    readonly threads: readonly number[];
    readonly rounds: number;
    readonly chunks: number;
    readonly places: readonly string[];
    readonly codec: string;
}
export declare function benchThreads(bench: ThreadsBench, median: Median): Promise<void>;
export {};
