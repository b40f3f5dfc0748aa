/** The tree of groups and arrays: what is missing, duplicate, or where no reader looks. */
import { type Refusal, saidWords } from "../network.ts";
import type { Place } from "#core/findings/fact.ts";
import { about } from "../entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

const pathOf = (place: Place): string => quoted(place.kind === "node" && place.path !== "" ? place.path : "/", 80);

type TooLarge = {
  readonly problem: "nodes" | "documents";
  readonly limit: number;
  readonly documents?: number | undefined;
};

/** `document`: what would declare the group. */
type Implied = { readonly document: ".zgroup" | "zarr.json" | ".zgroup or zarr.json"; readonly others: number };

const { error, warning, note } = about("metadata");

export const HIERARCHY = {
  "hierarchy-too-large": error<TooLarge>("Too many groups and arrays to show", {
    explain: ({ problem, limit, documents = limit }) =>
      problem === "nodes"
        ? `The dataset has more than ${count(limit)} groups and arrays. Refscope does not show the others.`
        : `The store has ${counted(documents, "metadata document")}. Refscope reads only the first ${count(limit)}.`,
    remedy: "Open the URL of one of its groups.",
    readers: "Python's readers have no such limit.",
  }),
  "hierarchy-too-deep": error<{ limit: number; path: string }>("Path is too deep", {
    explain: ({ limit, path }) =>
      `A path has more than ${count(limit)} parts: ${quoted(path, 80)}. Refscope does not show it.`,
    readers: "Python's readers have no such limit.",
  }),
  "path-odd": warning<{ problem: "backslash" | "part" }>("Non-portable path", {
    explain: ({ problem }, place) =>
      `The path ${pathOf(place)} has ${problem === "backslash" ? "a backslash" : 'an empty part, "." or ".."'}. Refscope shows it as it is written.`,
    remedy: "Rename the node.",
    readers: ({ problem }) =>
      problem === "backslash"
        ? "zarr-python reads a backslash as a slash, and looks for the node elsewhere."
        : "zarr-python cannot reach the node.",
  }),
  "array-inside-array": warning("Array nested inside an array", {
    explain: (_, place) => `${pathOf(place)} is below another array. In Zarr only groups have children.`,
    remedy: "Move the array out of the other one.",
    readers: "Python's readers do not list it.",
  }),
  "group-implied": note<Implied>("Group has no metadata", {
    explain: ({ document, others }, place) => {
      const first = place.kind === "node" && place.path !== "" ? `the group ${pathOf(place)}` : "the root group";
      const rest = others === 0 ? "" : `, nor ${counted(others, "other group")}`;
      return `No ${document} declares ${first}${rest}. Only the keys below it show that the group exists.`;
    },
    remedy: ({ document }) => `Add a ${document}.`,
    readers: "zarr-python cannot open an undeclared group.",
  }),
  "array-metadata-missing": error("Chunks without array metadata", {
    explain: "There are chunk keys but no .zarray, so their shape, type and codecs are unknown.",
    remedy: "Add the array's .zarray to the dataset, or remove the keys.",
    readers: "Python's readers do not list the array.",
  }),
  "chunks-without-array": warning("Chunks directly below a group", {
    explain: "Keys that look like chunks are directly below a group, where no array is declared.",
    remedy: "Add the array's metadata, or remove the keys.",
    readers: "No reader requests them.",
  }),
  "array-and-group": warning("Array also declared as a group", {
    explain: "There are both a .zarray and a .zgroup here. Refscope reads an array.",
    remedy: "Remove the wrong one.",
    readers: "zarr-python also reads it as an array.",
  }),
  "zarr-v2-and-v3": warning<{ documents: readonly string[] }>("Both Zarr v2 and v3 metadata", {
    explain: ({ documents }) =>
      `Besides zarr.json (Zarr v3) there is ${listed(documents)} (Zarr v2). Refscope reads zarr.json.`,
    remedy: "Remove the metadata of the wrong version.",
    readers: "zarr-python also reads zarr.json unless told a version; Zarr v2 readers read the other.",
  }),
  "lindi-external-array-link": warning("Chunks are in another file (LINDI)", {
    elements: () => Infinity,
    explain:
      "The chunks of this array are not in this dataset. Its attribute _EXTERNAL_ARRAY_LINK (LINDI) names the HDF5 file that has them.",
    readers: "zarr-python returns fill values instead; LINDI's own library opens the file.",
  }),
  "lindi-soft-link": note("Group is a link to another node (LINDI)", {
    explain:
      "This group is a link to another node, named in its attribute _SOFT_LINK (LINDI). The arrays and chunks are there, not here.",
    readers: "zarr-python sees an empty group; LINDI's own library follows the link.",
  }),
  "store-not-listable": note("Store cannot be listed", {
    explain:
      "The server does not list all that is in this store, and the store has no consolidated metadata. Refscope shows groups and arrays below the root only once you ask for them.",
    remedy: "Enter the path of a group or an array, let the server list the store, or consolidate its metadata.",
    readers: "Python's readers cannot list it at this URL either; they open nodes by path.",
  }),
  "key-denied": note<Refusal>("Access to metadata denied", {
    explain: ({ status, ...facts }, place) =>
      `The server returned ${status} for ${place.kind === "key" ? place.key : "a document"}.${saidWords(facts)} Servers that forbid listing also send this for missing objects, so Refscope treats it as missing.`,
    remedy: "If the document exists, add credentials for this URL prefix in Locations.",
    readers: "Python's readers raise on it or treat it as missing, depending on their file system.",
    action: "locations",
  }),
  "no-such-node": error("No group or array at this path", {
    explain: (_, place) => `There is no group or array at ${pathOf(place)}.`,
    readers: "Python's readers also raise on such a path.",
  }),
};
