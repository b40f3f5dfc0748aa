/** Words for the sign by which a set was recognised. */
import { listed, quoted } from "../words.ts";
import { sentenceOf, type ToldBy } from "./sentences.ts";

/** After "Detected from". */
export const RECOGNITIONS = {
  /** These members of a document. */
  members: ({ names }: { names: readonly string[] }) =>
    `its ${listed(names.map((name) => quoted(name)))} ${names.length === 1 ? "key" : "keys"}`,
  references: "its keys: references and Zarr metadata, without “version”",
  /**
   * Record size in `.zmetadata`, `undefined` if it is not a number of references; `isConsolidated`: Zarr's mark is
   * there too.
   */
  "record-size": ({ size, isConsolidated }: { size: number | undefined; isConsolidated: boolean }) => {
    const given =
      size === undefined ? "“record_size”, which is not a whole number from 1 on," : `“record_size” of ${size}`;
    const also = isConsolidated ? ", which has “zarr_consolidated_format” too, as Zarr stores do" : "";
    return `the ${given} in .zmetadata${also}`;
  },
  /** Records beside a `.zmetadata` that says neither. */
  "records-beside":
    "the records (refs.0.parq) beside .zmetadata, which has neither “record_size” nor “zarr_consolidated_format”",
  /** First bytes of a single record. */
  "first-bytes": ({ bytes }: { bytes: string }) => `its first bytes (${bytes}) and its columns`,
  /** First bytes of a data file. */
  signature: ({ format }: { format: string }) => `its first bytes (${format})`,
  "metadata-documents": ({ names }: { names: readonly string[] }) => `its metadata documents (${listed(names, "or")})`,
  file: ({ name, writer }: { name: string; writer: string | undefined }) =>
    `the file ${name}${writer === undefined ? "" : `, written by ${writer}`}`,
};

export const recognitionWords: (recognition: ToldBy<typeof RECOGNITIONS, "kind">) => string = sentenceOf(
  RECOGNITIONS,
  "kind",
);
