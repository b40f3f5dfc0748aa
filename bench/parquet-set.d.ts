export declare const RECORD_SIZE = 100000;
export declare const VARIABLES: readonly ["tas", "pr", "ua", "va", "hus"];
export interface RecordRows {
    readonly path: (string | null)[];
    readonly offset: bigint[];
    readonly size: bigint[];
    readonly raw: (Uint8Array | null)[];
}
/** Writes the set into a folder below `data` and returns the folder; does nothing where it is there. */
export declare function writeParquetSet(data: string, references: number): Promise<string>;
/** Rows of a record, padded with nulls to the record size as fsspec pads them. */
export declare function recordRows(variable: number, record: number, cells: number): RecordRows;
