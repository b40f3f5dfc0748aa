/** The tree of groups and arrays: what is missing in it, is there twice, or where no reader looks. */
import { keyAt, nodeAt, WHOLE_SET, type Place } from "../../place.ts";
import { entry } from "../entry.ts";
import type { NoFacts } from "../../fact.ts";
import { count, counted, listed, quoted } from "../../../words.ts";

const pathOf = (place: Place): string => quoted(place.kind === "node" && place.path !== "" ? place.path : "/", 80);

type TooLarge = {
  readonly problem: "nodes" | "documents";
  readonly limit: number;
  readonly documents?: number | undefined;
};

/** `document`: what would declare the group. */
type Implied = { readonly document: ".zgroup" | "zarr.json" | ".zgroup or zarr.json"; readonly others: number };

export const HIERARCHY = {
  "hierarchy-too-large": entry<TooLarge>({
    title: "Too many groups and arrays to show",
    severity: "error",
    explain: ({ problem, limit, documents = limit }) =>
      problem === "nodes"
        ? `The set has more than ${count(limit)} groups and arrays; the others are not shown.`
        : `The store has ${counted(documents, "metadata document")}; only the first ${count(limit)} are read.`,
    remedy: "Open a part of it: the address of one of its groups.",
    readers: "Python's readers have no such limit.",
    about: "metadata",
    example: { place: WHOLE_SET, facts: { problem: "nodes", limit: 200_000 } },
  }),
  "hierarchy-too-deep": entry<{ readonly limit: number; readonly path: string }>({
    title: "Path is too deep",
    severity: "error",
    explain: ({ limit, path }) => `A path has more than ${count(limit)} parts and is not shown: ${quoted(path, 80)}.`,
    readers: "Python's readers have no such limit.",
    about: "metadata",
    example: { place: WHOLE_SET, facts: { limit: 256, path: "a/b/c" } },
  }),
  "path-odd": entry<{ readonly problem: "backslash" | "part" }>({
    title: "Non-portable path",
    severity: "warning",
    explain: ({ problem }, place) =>
      `The path ${pathOf(place)} has ${problem === "backslash" ? "a backslash" : 'an empty part, "." or ".."'}; it is shown as it is written.`,
    remedy: "Rename the node.",
    readers: ({ problem }) =>
      problem === "backslash"
        ? "zarr-python treats a backslash as a slash, and looks for the node elsewhere."
        : "zarr-python cannot reach the node.",
    about: "metadata",
    example: { place: nodeAt("a\\b"), facts: { problem: "backslash" } },
  }),
  "array-inside-array": entry<NoFacts>({
    title: "Array nested inside an array",
    severity: "warning",
    explain: (_, place) => `${pathOf(place)} lies below another array; in Zarr only groups have children.`,
    remedy: "Move the array out of the other one.",
    readers: "Python readers do not list it.",
    about: "metadata",
    example: { place: nodeAt("sst/mask"), facts: {} },
  }),
  "group-implied": entry<Implied>({
    title: "Group has no metadata",
    severity: "info",
    explain: ({ document, others }, place) => {
      const first = place.kind === "node" && place.path !== "" ? `the group ${pathOf(place)}` : "the root group";
      const rest = others === 0 ? "" : `, nor ${counted(others, "other group")}`;
      return `No ${document} declares ${first}${rest}; only the keys below show that there is a group.`;
    },
    remedy: ({ document }) => `Add a ${document}.`,
    readers: "zarr-python cannot open a group that is not declared.",
    about: "metadata",
    example: { place: nodeAt(""), facts: { document: ".zgroup", others: 2 } },
  }),
  "array-metadata-missing": entry<NoFacts>({
    title: "Chunks without array metadata",
    severity: "error",
    explain: () => "There are chunk keys but no .zarray, so their shape, type and codecs are not known.",
    remedy: "Add the array's .zarray to the set, or remove the keys.",
    readers: "Python readers do not list the array.",
    about: "metadata",
    example: { place: nodeAt("sst"), facts: {} },
  }),
  "chunks-without-array": entry<NoFacts>({
    title: "Chunks directly below a group",
    severity: "warning",
    explain: () => "Keys that look like chunks stand directly below a group, where no array is declared.",
    remedy: "Add the array's metadata, or remove the keys.",
    readers: "No reader asks for them.",
    about: "metadata",
    example: { place: nodeAt("ocean"), facts: {} },
  }),
  "array-and-group": entry<NoFacts>({
    title: "An array that is also declared a group",
    severity: "warning",
    explain: () => "There are both a .zarray and a .zgroup here; it is read as an array.",
    remedy: "Remove the one that is wrong.",
    readers: "zarr-python reads it as an array, too.",
    about: "metadata",
    example: { place: nodeAt("sst"), facts: {} },
  }),
  "zarr-v2-and-v3": entry<{ readonly documents: readonly string[] }>({
    title: "Both Zarr v2 and v3 metadata",
    severity: "warning",
    explain: ({ documents }) =>
      `Beside zarr.json (Zarr v3) there is ${listed(documents)} (Zarr v2). The zarr.json is read.`,
    remedy: "Remove the metadata of the version that is not meant.",
    readers: "zarr-python reads zarr.json, too, unless a version is asked for; readers of Zarr v2 read the other.",
    about: "metadata",
    example: { place: nodeAt("sst"), facts: { documents: [".zarray", ".zattrs"] } },
  }),
  "lindi-external-array-link": entry<NoFacts>({
    title: "The chunks are in another file (LINDI)",
    severity: "warning",
    explain: () =>
      "The chunks of this array are not in this set: its attribute _EXTERNAL_ARRAY_LINK (LINDI) names the HDF5 file that has them.",
    readers: "Python's zarr reads fill values instead; LINDI's own library opens the file.",
    about: "metadata",
    example: { place: nodeAt("acquisition/data"), facts: {} },
  }),
  "lindi-soft-link": entry<NoFacts>({
    title: "The group stands for another node (LINDI)",
    severity: "info",
    explain: () =>
      "This group stands for another node, which its attribute _SOFT_LINK (LINDI) names; the arrays and chunks are there, not here.",
    readers: "Python's zarr sees an empty group; LINDI's own library follows the link.",
    about: "metadata",
    example: { place: nodeAt("general/electrode"), facts: {} },
  }),
  "store-not-listable": entry<NoFacts>({
    title: "The store cannot be listed",
    severity: "info",
    explain: () =>
      "Over HTTP a store cannot be listed, and it has no consolidated metadata: groups and arrays below the root are shown only where they were asked for.",
    remedy: "Ask for the path of a group or an array, or consolidate the store's metadata.",
    readers: "Python's readers cannot list it over HTTP either; they open nodes by their paths.",
    about: "metadata",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "key-denied": entry<{ readonly status: number }>({
    title: "Access to metadata denied",
    severity: "info",
    explain: ({ status }, place) =>
      `The server answers ${status} for ${place.kind === "key" ? place.key : "a document"}. Servers that forbid listing also send this for objects that do not exist, so it is taken as absent.`,
    remedy: "Give credentials for this URL prefix in the locations where the document exists.",
    readers: "Python's readers raise on it, or take it as absent, depending on their file system.",
    about: "metadata",
    action: "locations",
    example: { place: keyAt("sst/.zattrs"), facts: { status: 403 } },
  }),
  "no-such-node": entry<NoFacts>({
    title: "No group or array at this path",
    severity: "error",
    explain: (_, place) => `There is no group or array at ${pathOf(place)}.`,
    readers: "Python's readers raise on such a path, too.",
    about: "metadata",
    example: { place: nodeAt("sst"), facts: {} },
  }),
};
