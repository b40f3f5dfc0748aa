/** Kerchunk Parquet reference sets: `.zmetadata` and records of references, `<array>/refs.N.parq`. */
export type { Decompress, Decompressors } from "./column-pages.ts";
export { detectParquetMetadata, parseRecordKey, recordKey, type MetadataKind } from "./detect.ts";
export { hasParquetMagic, type RecordFooter } from "./footer.ts";
export { readParquetMetadata, type ParquetMetadata } from "./metadata.ts";
export { recordPages, recordTarget, type RecordPlace, type RecordSet } from "./pages.ts";
export { describeRecord, readRecord, type RecordColumns } from "./record.ts";
