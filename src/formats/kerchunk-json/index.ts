/** Kerchunk JSON reference sets, Version 0 and 1. */
export { detectKerchunkJson } from "./detect.ts";
export { decodeInline, type InlineBytes, type InlineOddity } from "./inline.ts";
export type { KerchunkDocument, KerchunkRead } from "./kerchunk-document.ts";
export { readKerchunkJson, type ReadOptions } from "./read.ts";
export type { RowOrigins } from "./origins.ts";
export type { MetadataEntry } from "./reference-set.ts";
export { resolveGrids, type FinishedTable } from "./table.ts";
export type { Grid } from "./slots.ts";
export { writeReferences, type ReferenceWriting } from "./write.ts";
