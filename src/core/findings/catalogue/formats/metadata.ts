/** Metadata documents that cannot be read, and members that are read although readers disagree about them. */
import { type Place } from "../../place.ts";
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted } from "../../../words.ts";

const NOT_OPENED = "zarr-python cannot open the node either.";

/** Names of documents, as they stand in a store. */
export type DocumentName = ".zarray" | ".zattrs" | ".zgroup" | ".zmetadata" | "zarr.json";

const keyOf = (place: Place): string => (place.kind === "key" ? place.key : "A metadata document");

type NotFetched =
  | { readonly problem: "failed"; readonly cause: Finding | undefined }
  | { readonly problem: "reference"; readonly cause: Finding }
  | { readonly problem: "too-many"; readonly references: number; readonly limit: number; readonly cause?: undefined };

type Invalid = {
  readonly document: DocumentName;
  readonly expected: string;
  readonly found: string;
  /** Where the text is not JSON. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The document in which metadata of the version that was found belong. */
  readonly belongsIn?: DocumentName | undefined;
};

type Differing = {
  readonly consolidated: string;
  readonly differs?: {
    readonly member: string;
    readonly plain: string | undefined;
    readonly copy: string | undefined;
  };
};

const { error, warning, note, graded } = about("metadata");

export const METADATA = {
  "metadata-broken": error<{ readonly cause: Finding }>({
    title: "Invalid metadata",
    explain: (_, place) => `${keyOf(place)} cannot be understood.`,
    readers: NOT_OPENED,
  }),
  "metadata-invalid": error<Invalid>({
    title: "Invalid metadata field",
    explain: ({ document, expected, found, line, column }, place) => {
      const pointer = place.kind === "node" && place.pointer !== undefined ? `${place.pointer} of ` : "";
      const at = line === undefined ? "" : ` at line ${line}, column ${column ?? 1}`;
      return `${pointer}${document}${at}: expected ${expected}, but found ${found}.`;
    },
    remedy: ({ document, belongsIn }) =>
      belongsIn === undefined
        ? `Correct the ${document} there.`
        : `Such metadata belong in ${belongsIn}, not in ${document}.`,
    readers: NOT_OPENED,
  }),
  "metadata-unread": error<{ readonly cause: Finding | undefined }>({
    title: "A metadata document could not be read",
    explain: (_, place) => `${keyOf(place)} could not be read.`,
    readers: "Other readers may be able to read it.",
  }),
  "metadata-too-large": error<{ readonly size: number; readonly limit: number; readonly unit: "bytes" | "characters" }>(
    {
      title: "A metadata document is too large",
      explain: ({ size, limit, unit }, place) =>
        `${keyOf(place)} has ${count(size)} ${unit}, more than the ${count(limit)} that Refscope reads.`,
      readers: "Other readers read it, as far as memory allows.",
    },
  ),
  "metadata-not-fetched": graded<NotFetched>({
    title: "Metadata could not be fetched",
    severity: ({ problem }) => (problem === "too-many" ? "warning" : "error"),
    explain: (facts, place) => {
      if (facts.problem === "too-many") {
        return `${counted(facts.references, "metadata document")} are kept outside the set; only the first ${count(facts.limit)} were fetched.`;
      }
      const reason = facts.problem === "failed" ? "" : " Its reference cannot be read.";
      return `${keyOf(place)} could not be fetched.${reason}`;
    },
    remedy: ({ problem }) => (problem === "reference" ? "Correct the reference of the document." : undefined),
    readers: "Python's readers fetch each document when it is needed, and cannot open the node where they fail.",
    action: ({ problem }) => (problem === "failed" ? "locations" : undefined),
  }),
  "metadata-unknown": note<{ readonly key: string }>({
    title: "Unknown metadata document",
    explain: ({ key }) =>
      `${key} is not a metadata document of Zarr (.zarray, .zgroup, .zattrs, .zmetadata, zarr.json) and is ignored.`,
    readers: "Zarr's readers never ask for it.",
  }),
  "attributes-broken": warning<{ readonly found: string | undefined; readonly cause: Finding | undefined }>({
    title: "Attributes that cannot be understood",
    explain: ({ found }, place) => {
      const where = place.kind === "key" ? `${place.key} cannot be understood` : "The attributes cannot be understood";
      return `${where}, so the attributes are not known.${found === undefined ? "" : ` Expected an object, but found ${found}.`}`;
    },
    remedy: "Write the attributes as a JSON object.",
    readers: "zarr-python cannot open the node.",
  }),
  "consolidated-metadata-broken": warning<{
    /** What should be there, where the text itself can be read. */
    readonly expected: "metadata" | "inline" | undefined;
    readonly cause: Finding | undefined;
  }>({
    title: "Consolidated metadata that cannot be understood",
    explain: ({ expected }, place) => {
      const wanted =
        expected === "inline"
          ? ' Expected in /consolidated_metadata were the kind "inline" and an object "metadata".'
          : ' Expected an object that holds an object "metadata".';
      return `The consolidated metadata in ${keyOf(place)} cannot be understood, so only the plain documents count.${expected === undefined ? "" : wanted}`;
    },
    remedy: "Consolidate the metadata again.",
    readers: "zarr-python fails where it opens with consolidated=True; xarray then reads the plain documents.",
  }),
  "consolidated-lacks-array": warning<{ readonly consolidated: string }>({
    title: "Array missing from consolidated metadata",
    explain: ({ consolidated }, place) =>
      `The store has the array of ${keyOf(place)}, but ${consolidated} does not list it: readers that open with the consolidated metadata never see the array.`,
    remedy: "Consolidate the metadata again.",
    readers: "xarray and zarr-python open with consolidated metadata where there are any, and show no such array.",
    question: "complete",
  }),
  /** `differs`: the first member that does, with its JSON here and there. */
  "consolidated-metadata-differs": warning<Differing>({
    title: "Consolidated metadata differs from the document",
    explain: ({ consolidated, differs }, place) => {
      const member =
        differs === undefined
          ? ""
          : ` “${differs.member}” is ${differs.plain ?? "absent"} in the document and ${differs.copy ?? "absent"} in the copy.`;
      return `${keyOf(place)} differs from its copy in ${consolidated}.${member} The plain document is shown.`;
    },
    remedy: "Consolidate the metadata again, or open with consolidated=False.",
    readers: "Python readers use the copy when they open with consolidated=True.",
  }),
};
