export declare const SUBJECTS: readonly ["read", "js", "wasm", "parse", "zarrita"];
export type Subject = (typeof SUBJECTS)[number];
export interface Outcome {
    readonly milliseconds: number;
    /** References counted, to see that the work was done. */
    readonly references: number;
    /** Bytes of the table, where there is one. */
    readonly bytesAtRest?: number;
}
/** Keeps what was made, so that it counts as memory until the measurement is over. */
export declare const kept: unknown[];
export declare function measure(subject: Subject, document: Blob): Promise<Outcome>;
