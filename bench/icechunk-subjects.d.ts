export interface Timings {
    /** Milliseconds of each round; the rounds before count for nothing. */
    readonly ours: readonly number[];
    readonly parse: readonly number[];
    /** The very first round of ours: nothing compiled, nothing warm. */
    readonly first: number;
    readonly references: number;
    readonly targets: number;
    readonly bytesAtRest: number;
}
export declare function timeReferences(bytes: Uint8Array, kerchunk: string, rounds: number): Promise<Timings>;
