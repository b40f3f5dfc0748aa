type Median = (numbers: readonly number[]) => number;
type Bytes = Uint8Array<ArrayBuffer>;
interface SliceCase {
    readonly name: string;
    readonly compressor: object;
    readonly filters: readonly object[] | null;
    readonly encode: (chunk: Bytes) => Promise<Uint8Array>;
}
export declare const CASES: readonly SliceCase[];
export interface SliceSet {
    readonly zarray: string;
    readonly stored: readonly Bytes[];
    readonly ranges: readonly (readonly [offset: number, length: number])[];
}
/** Four chunks, again and again. */
export declare function makeSet({ compressor, filters, encode }: SliceCase): Promise<SliceSet>;
export type Refs = Readonly<Record<string, string | readonly [string, number, number]>>;
export declare function referencesTo(url: string, { zarray, ranges }: SliceSet): Refs;
export declare function benchSlice(words: readonly string[], median: Median): Promise<void>;
export {};
