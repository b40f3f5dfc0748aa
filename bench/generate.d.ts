export type Layout = "file" | "variable" | "shuffled" | "escaped" | "spaced" | "unique" | "slashes";
export declare const LAYOUTS: readonly Layout[];
/** A set of about `references` references, as pieces of JSON text. */
export declare function generate(references: number, layout: Layout): Generator<string>;
/** How many references `generate` makes. */
export declare function countOf(references: number): number;
export declare function writeSet(path: string, references: number, layout: Layout): Promise<void>;
