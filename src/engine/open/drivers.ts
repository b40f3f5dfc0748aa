/**
 * All formats, in the order in which they are asked:
 *
 * | what there is                                                 | what it is opened as                          |
 * | ------------------------------------------------------------- | --------------------------------------------- |
 * | folder with `repo` (format 2), or `refs/` and `snapshots/`    | Icechunk repository                           |
 * | folder with `.zmetadata` that has `record_size`, or `refs.N.parq` | Kerchunk Parquet                          |
 * | folder with `zarr.json`, `.zgroup`, `.zarray` or `.zmetadata` | Zarr store; chunk manifests as its arrays say |
 * | bytes that begin as a Parquet file                            | one record of Kerchunk Parquet                |
 * | bytes that begin as an HDF5 file                              | data file: its own index                      |
 * | JSON with `refs`, or keys like `.zgroup` (plain, .gz, .zst)   | Kerchunk JSON                                 |
 */
import type { FormatDriver } from "./driver.ts";
import { dataFile } from "./data-file/driver.ts";
import { icechunk } from "./icechunk/driver.ts";
import { kerchunkJson } from "./kerchunk-json/driver.ts";
import { kerchunkParquet } from "./kerchunk-parquet/driver.ts";
import { zarr } from "./zarr/driver.ts";

const DRIVERS: readonly FormatDriver[] = [icechunk, kerchunkParquet, zarr, dataFile, kerchunkJson];

export const FOLDER_DRIVERS = DRIVERS.flatMap(({ folder }) => folder ?? []);
export const DOCUMENT_DRIVERS = DRIVERS.flatMap(({ document }) => document ?? []);

/** True if the address of a file of this name means the folder it lies in. */
export const isFolderMember = (name: string): boolean => FOLDER_DRIVERS.some((driver) => driver.isMember?.(name));
