/** Metadata documents that cannot be read, and fields that readers disagree about. */
import { about } from "../entry.ts";
import type { Finding, Place } from "#core/findings/fact.ts";
import { count, counted } from "#core/words.ts";

const NOT_OPENED = "zarr-python cannot open the node either.";

/** Names of documents in a store. */
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
  /** Position at which the text stops being JSON. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The document in which metadata of the version that was found belongs. */
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
  "metadata-broken": error<{ cause: Finding }>("Invalid metadata", {
    explain: (_, place) => `${keyOf(place)} is invalid.`,
    readers: NOT_OPENED,
  }),
  "metadata-invalid": error<Invalid>("Invalid metadata field", {
    explain: ({ document, expected, found, line, column }, place) => {
      const pointer = place.kind === "node" && place.pointer !== undefined ? `${place.pointer} of ` : "";
      const at = line === undefined ? "" : ` at line ${line}, column ${column ?? 1}`;
      return `${pointer}${document}${at}: expected ${expected}; found ${found}.`;
    },
    remedy: ({ document, belongsIn }) =>
      belongsIn === undefined
        ? `Correct the ${document} there.`
        : `Move such metadata to ${belongsIn}: it does not belong in ${document}.`,
    readers: NOT_OPENED,
  }),
  "metadata-unread": error<{ cause: Finding | undefined }>("Metadata document could not be read", {
    explain: (_, place) => `${keyOf(place)} could not be read.`,
    readers: "Other readers may be able to read it.",
  }),
  "metadata-too-large": error<{ size: number; limit: number; unit: "bytes" | "characters" }>(
    "Metadata document too large",
    {
      explain: ({ size, limit, unit }, place) =>
        `${keyOf(place)} has ${count(size)} ${unit}, more than the ${count(limit)} that Refscope reads.`,
      readers: "Other readers read it if it fits in memory.",
    },
  ),
  "metadata-not-fetched": graded<NotFetched>("Metadata could not be fetched", {
    severity: ({ problem }) => (problem === "too-many" ? "warning" : "error"),
    explain: (facts, place) => {
      if (facts.problem === "too-many") {
        return `${counted(facts.references, "metadata document")} are stored outside the dataset; Refscope fetched only the first ${count(facts.limit)}.`;
      }
      const reason = facts.problem === "failed" ? "" : " Its reference cannot be read.";
      return `${keyOf(place)} could not be fetched.${reason}`;
    },
    remedy: ({ problem }) => (problem === "reference" ? "Correct the document's reference." : undefined),
    readers: "Python's readers fetch each document when needed, and cannot open the node if this fails.",
    action: ({ problem }) => (problem === "failed" ? "locations" : undefined),
  }),
  "metadata-unknown": note<{ key: string }>("Unknown metadata document", {
    explain: ({ key }) =>
      `${key} is not a Zarr metadata document (.zarray, .zgroup, .zattrs, .zmetadata, zarr.json). Refscope ignores it.`,
    readers: "Zarr readers never request it.",
  }),
  "attributes-broken": warning<{ found: string | undefined; cause: Finding | undefined }>("Invalid attributes", {
    explain: ({ found }, place) => {
      const where = place.kind === "key" ? `${place.key} is invalid` : "The attributes are invalid";
      return `${where}, so the attributes are unknown.${found === undefined ? "" : ` Expected an object; found ${found}.`}`;
    },
    remedy: "Write the attributes as a JSON object.",
    readers: "zarr-python cannot open the node.",
  }),
  "consolidated-metadata-broken": warning<{
    /** Expected content, if the text itself can be read. */
    expected: "metadata" | "inline" | undefined;
    cause: Finding | undefined;
  }>("Invalid consolidated metadata", {
    explain: ({ expected }, place) => {
      const wanted =
        expected === "inline"
          ? ' Expected /consolidated_metadata to have the kind "inline" and an object "metadata".'
          : ' Expected an object with an object "metadata" in it.';
      return `The consolidated metadata in ${keyOf(place)} is invalid, so only the plain documents count.${expected === undefined ? "" : wanted}`;
    },
    remedy: "Consolidate the metadata again.",
    readers: "zarr-python fails if it opens with consolidated=True; xarray then reads the plain documents.",
  }),
  "consolidated-lacks-array": warning<{ consolidated: string }>("Array missing from consolidated metadata", {
    explain: ({ consolidated }, place) =>
      `The store has the array of ${keyOf(place)}, but ${consolidated} does not list it. Readers that use consolidated metadata never see the array.`,
    remedy: "Consolidate the metadata again.",
    readers: "If there is consolidated metadata, xarray and zarr-python open with it, and do not list the array.",
    question: "complete",
  }),
  /** `differs`: the first field that does, with its JSON here and there. */
  "consolidated-metadata-differs": warning<Differing>("Consolidated metadata differs from the document", {
    explain: ({ consolidated, differs }, place) => {
      const member =
        differs === undefined
          ? ""
          : ` “${differs.member}” is ${differs.plain ?? "missing"} in the document and ${differs.copy ?? "missing"} in the copy.`;
      return `${keyOf(place)} differs from its copy in ${consolidated}.${member} Refscope uses the plain document.`;
    },
    remedy: "Consolidate the metadata again, or open with consolidated=False.",
    readers: "Python's readers use the copy when they open with consolidated=True.",
  }),
};
