export interface VirtualReferences {
    readonly name: string;
    /** A manifest file of one array, along one dimension. */
    readonly manifest: Uint8Array;
    readonly kerchunk: string;
}
/** `distinct`: files that the references are spread over in turn. */
export declare function virtualReferences(name: string, count: number, distinct: number): VirtualReferences;
/**
 * A zstd frame (RFC 8878) of the dictionary's content (at most 34 bytes), then a text of at most 31 bytes: one block with raw
 * literals and one sequence, whose codes have tables of one symbol each.
 */
export declare function compressedLocation(text: string, dictionary: string): Uint8Array;
