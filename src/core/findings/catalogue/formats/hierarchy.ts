/** The tree of groups and arrays: what is missing in it, is there twice, or where no reader looks. */
import { type Place } from "../../place.ts";
import { about } from "../entry.ts";
import { count, counted, listed, quoted } from "../../../words.ts";

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
  "hierarchy-too-large": error<TooLarge>({
    title: "Too many groups and arrays to show",
    explain: ({ problem, limit, documents = limit }) =>
      problem === "nodes"
        ? `The set has more than ${count(limit)} groups and arrays; the others are not shown.`
        : `The store has ${counted(documents, "metadata document")}; only the first ${count(limit)} are read.`,
    remedy: "Open a part of it: the address of one of its groups.",
    readers: "Python's readers have no such limit.",
  }),
  "hierarchy-too-deep": error<{ readonly limit: number; readonly path: string }>({
    title: "Path is too deep",
    explain: ({ limit, path }) => `A path has more than ${count(limit)} parts and is not shown: ${quoted(path, 80)}.`,
    readers: "Python's readers have no such limit.",
  }),
  "path-odd": warning<{ readonly problem: "backslash" | "part" }>({
    title: "Non-portable path",
    explain: ({ problem }, place) =>
      `The path ${pathOf(place)} has ${problem === "backslash" ? "a backslash" : 'an empty part, "." or ".."'}; it is shown as it is written.`,
    remedy: "Rename the node.",
    readers: ({ problem }) =>
      problem === "backslash"
        ? "zarr-python treats a backslash as a slash, and looks for the node elsewhere."
        : "zarr-python cannot reach the node.",
  }),
  "array-inside-array": warning({
    title: "Array nested inside an array",
    explain: (_, place) => `${pathOf(place)} lies below another array; in Zarr only groups have children.`,
    remedy: "Move the array out of the other one.",
    readers: "Python readers do not list it.",
  }),
  "group-implied": note<Implied>({
    title: "Group has no metadata",
    explain: ({ document, others }, place) => {
      const first = place.kind === "node" && place.path !== "" ? `the group ${pathOf(place)}` : "the root group";
      const rest = others === 0 ? "" : `, nor ${counted(others, "other group")}`;
      return `No ${document} declares ${first}${rest}; only the keys below show that there is a group.`;
    },
    remedy: ({ document }) => `Add a ${document}.`,
    readers: "zarr-python cannot open a group that is not declared.",
  }),
  "array-metadata-missing": error({
    title: "Chunks without array metadata",
    explain: "There are chunk keys but no .zarray, so their shape, type and codecs are not known.",
    remedy: "Add the array's .zarray to the set, or remove the keys.",
    readers: "Python readers do not list the array.",
  }),
  "chunks-without-array": warning({
    title: "Chunks directly below a group",
    explain: "Keys that look like chunks stand directly below a group, where no array is declared.",
    remedy: "Add the array's metadata, or remove the keys.",
    readers: "No reader asks for them.",
  }),
  "array-and-group": warning({
    title: "An array that is also declared a group",
    explain: "There are both a .zarray and a .zgroup here; it is read as an array.",
    remedy: "Remove the one that is wrong.",
    readers: "zarr-python reads it as an array, too.",
  }),
  "zarr-v2-and-v3": warning<{ readonly documents: readonly string[] }>({
    title: "Both Zarr v2 and v3 metadata",
    explain: ({ documents }) =>
      `Beside zarr.json (Zarr v3) there is ${listed(documents)} (Zarr v2). The zarr.json is read.`,
    remedy: "Remove the metadata of the version that is not meant.",
    readers: "zarr-python reads zarr.json, too, unless a version is asked for; readers of Zarr v2 read the other.",
  }),
  "lindi-external-array-link": warning({
    title: "The chunks are in another file (LINDI)",
    explain:
      "The chunks of this array are not in this set: its attribute _EXTERNAL_ARRAY_LINK (LINDI) names the HDF5 file that has them.",
    readers: "Python's zarr reads fill values instead; LINDI's own library opens the file.",
  }),
  "lindi-soft-link": note({
    title: "The group stands for another node (LINDI)",
    explain:
      "This group stands for another node, which its attribute _SOFT_LINK (LINDI) names; the arrays and chunks are there, not here.",
    readers: "Python's zarr sees an empty group; LINDI's own library follows the link.",
  }),
  "store-not-listable": note({
    title: "The store cannot be listed",
    explain:
      "Over HTTP a store cannot be listed, and it has no consolidated metadata: groups and arrays below the root are shown only where they were asked for.",
    remedy: "Ask for the path of a group or an array, or consolidate the store's metadata.",
    readers: "Python's readers cannot list it over HTTP either; they open nodes by their paths.",
  }),
  "key-denied": note<{ readonly status: number }>({
    title: "Access to metadata denied",
    explain: ({ status }, place) =>
      `The server answers ${status} for ${place.kind === "key" ? place.key : "a document"}. Servers that forbid listing also send this for objects that do not exist, so it is taken as absent.`,
    remedy: "Give credentials for this URL prefix in the locations where the document exists.",
    readers: "Python's readers raise on it, or take it as absent, depending on their file system.",
    action: "locations",
  }),
  "no-such-node": error({
    title: "No group or array at this path",
    explain: (_, place) => `There is no group or array at ${pathOf(place)}.`,
    readers: "Python's readers raise on such a path, too.",
  }),
};
