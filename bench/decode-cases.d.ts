export interface DecodeCase {
    readonly name: string;
    /** `.zarray` or `zarr.json`, by the Zarr format. */
    readonly zarrFormat: 2 | 3;
    readonly metadata: string;
    readonly stored: Uint8Array<ArrayBuffer>;
    /** numcodecs' configurations in the order of decoding, for Python. */
    readonly python: readonly object[];
}
export declare const CHUNK_BYTES: number;
/** Waves and noise, the same every time. */
export declare function field(): Uint8Array<ArrayBuffer>;
export declare function shuffled(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
export declare function decodeCases(): Promise<readonly DecodeCase[]>;
