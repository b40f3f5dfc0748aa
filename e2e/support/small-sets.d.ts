import type { StoreFiles } from "./stores.ts";
/** Over HTTP its arrays are found by their consolidated metadata, or one by one by their names. */
export declare function smallStore(version: 2 | 3, consolidated: boolean): StoreFiles;
/** References of `sources`: one file a variable, `NAME.bin`, at an address. Records of two rows. */
export declare function smallParquet(address: string): {
    readonly set: StoreFiles;
    readonly sources: StoreFiles;
};
/** 1,500 days from 2020 on, of a field of 4 × 6 in chunks of 100 days: element = its day. */
export declare function dailySteps(): StoreFiles;
/**
 * Where much could be read unasked: eight fields whose pictures are small one by one, a coordinate of 7.6 MB, and six
 * fields of chunks of 1 MB that claim to be zlib streams and are none.
 */
export declare function heavySet(): StoreFiles;
