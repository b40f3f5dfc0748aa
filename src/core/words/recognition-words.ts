/** What a set was recognised by, for people. */
import { listed, quoted } from "../words.ts";
import type { Recognition } from "../open-set.ts";

/** After "Recognised by". */
export function recognitionWords(recognition: Recognition): string {
  switch (recognition.kind) {
    case "members":
      return `its members ${listed(recognition.names.map((name) => quoted(name)))}`;
    case "references":
      return "its members: references and metadata of Zarr, without “version”";
    case "record-size": {
      const { size, isConsolidated } = recognition;
      const given =
        size === undefined ? "“record_size”, which is not a whole number from 1 on," : `“record_size” of ${size}`;
      const also = isConsolidated ? ", which has “zarr_consolidated_format” too, as Zarr stores do" : "";
      return `the ${given} in .zmetadata${also}`;
    }
    case "records-beside":
      return "the records (refs.0.parq) beside .zmetadata, which has neither “record_size” nor “zarr_consolidated_format”";
    case "first-bytes":
      return `its first bytes (${recognition.bytes}) and its columns`;
    case "metadata-documents":
      return `its metadata documents (${listed(recognition.names, "or")})`;
    case "file":
      return `the file ${recognition.name}${recognition.writer === undefined ? "" : `, written by ${recognition.writer}`}`;
  }
}
