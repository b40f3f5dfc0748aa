import type { RangeServer } from "./range-server.ts";
export type StoreFiles = Readonly<Record<string, string | Uint8Array>>;
export declare const SHARDED: string;
export declare const PARQUET: string;
/** An array `temp` of 3 × 4 int32 in chunks of 2 × 2, in a group. */
export declare function version2Store(): StoreFiles;
/** The same in Version 3, below a group `sub`; without consolidated metadata. */
export declare function version3Store(): StoreFiles;
/** A folder of files as a store. */
export declare function filesIn(folder: string): StoreFiles;
/** Writes them to a new folder of the given name. */
export declare function writeStore(name: string, files: StoreFiles): string;
export declare function putStore(server: RangeServer, prefix: string, files: StoreFiles): void;
/** What was asked below a prefix and answered with the object. */
export declare function fetched({ requests }: RangeServer, prefix: string): readonly string[];
/** An Icechunk repository of the reader's fixtures, by path. */
export declare function repository(name: "v1" | "v2" | "v2dict"): StoreFiles;
