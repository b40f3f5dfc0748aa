/** Icechunk: opening a repository, and its own files. */
import { type Refusal, saidWords } from "../network.ts";
import { about } from "../entry.ts";
import { MEMBER_NAMES, type MetadataMember } from "#core/metadata/member-names.ts";
import { counted, listed, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const NOT_ON_FILE = "It is not known whether Icechunk notices this damage; if it does, it raises.";
const SAME_IN_PYTHON = "Icechunk also raises.";

/** Which of a repository's files. */
export type FileKind =
  | "snapshot"
  | "manifest"
  | "transaction log"
  | "repository info"
  | "log of operations"
  | "branch"
  | "tag"
  | "configuration"
  | "repository";

/** `field`: in the format's own words, `nodes[3].path`; the rest are short noun phrases. */
export type DamagedFile = {
  readonly file: FileKind;
  readonly field: string | undefined;
  readonly expected: string;
  readonly found: string;
};

const withoutStop = (text: string): string => text.replace(/\.$/, "");

/** Without these a repository can be read all the same. */
const DISPENSABLE: ReadonlySet<FileKind> = new Set<FileKind>(["branch", "tag", "transaction log"]);

type UnknownRef = {
  /** Ref as it was given: `dev`, `tag:v1`, `snapshot:…`. */
  ref: string;
  /** The first few that there are, `branch:main`, and how many in all. */
  known: readonly string[];
  count: number;
  /** True if branches and tags could be listed. */
  complete: boolean;
  deleted: boolean;
};

const MISSING_REFS = {
  "not-an-id": ({ ref }: { ref: string }) => `A snapshot ID has 20 characters; ${quoted(ref)} cannot be one.`,
  "not-in-history": ({ ref }: { ref: string }) => `The repository's history has no snapshot ${quoted(ref)}.`,
  "not-an-ancestor": ({ ref, of }: { ref: string; of: string }) =>
    `The snapshot ${quoted(ref)} is not among the commits that led to ${quoted(of)}.`,
  "no-object": ({ ref }: { ref: string }) => `There is no file for the snapshot ${quoted(ref)}.`,
  "unknown-ref": ({ ref, known, count, complete, deleted }: UnknownRef) => {
    const more = count > known.length ? [`${count - known.length} more`] : [];
    const there = count === 0 ? "there are none" : `there are ${listed([...known, ...more])}`;
    const others = complete ? "" : " Others cannot be listed here.";
    return `The repository has no branch, tag or snapshot ${quoted(ref)}: ${there}.${deleted ? " The tag of this name was deleted." : ""}${others}`;
  },
};

const MISSING_OBJECTS = {
  snapshot: {
    words: "The snapshot's file is missing.",
    remedy: "Open a branch or another snapshot: this one may have expired and been removed.",
    readers: "Icechunk cannot open this snapshot either.",
  },
  manifest: {
    words: "The snapshot names a manifest that is missing, so none of its references are known.",
    remedy:
      "Bring the file back from a copy of the repository, or write the array again: an incomplete copy lacks it, or garbage collection deleted it (earth-mover/icechunk#1717).",
    readers: "Icechunk opens the snapshot, and raises for every chunk of the manifest's arrays and when it lists keys.",
  },
  "log of operations": {
    words: "The log of operations continues in an older state of the repository, which is missing.",
    remedy: "If it was removed, older operations are lost, but no snapshots.",
    readers: "Reading data is not affected; Icechunk cannot list these operations either.",
  },
} as const;

type Container = { prefix: string; name: string | undefined; store: string };

const IGNORED = {
  name: ({ name = "" }: Container) => `its name ${quoted(name)} is empty or has a slash`,
  prefix: ({ prefix }: Container) => `its prefix ${quoted(prefix)} is not a URL`,
  store: ({ prefix, store }: Container) =>
    `its store ${quoted(store)} does not serve URLs such as its prefix ${quoted(prefix)}`,
  host: ({ prefix }: Container) => `its prefix ${quoted(prefix)} names no host or path`,
};

/** Reasons for which the official library refuses repositories that Refscope reads. */
const LIBRARY_LIMITS = {
  uncompressed: "it is not compressed, which Icechunk's library does not accept",
  version: "it says it has format 1, where the file repo has format 2",
  "branches-unordered": "its branches are not in the order of their names",
  "snapshots-unordered": "its snapshots are not in the order of their IDs",
  "nodes-unordered": "its nodes are not in the order of their paths",
  "manifest-unlisted": "it does not list a manifest that the array names",
  "manifest-cut": "it is longer than the snapshot says",
  "chunks-uncounted": "it counts fewer chunks than the array has",
  "tags-unordered": "its tags are not in the order of their names",
  "manifests-unordered": "it does not list its manifests in the order of their IDs",
  "field-absent": "it lacks a field that the format requires",
  "node-kind": "it calls the array a group",
  "path-above": "the path of the node has “..”",
  "shape-absent": "it has the array's shape only in the form of format 1",
  "updates-broken": "its log of operations is empty, or its newest operation is not first",
} as const;
export type LibraryLimit = keyof typeof LIBRARY_LIMITS;

const LIMITED = {
  refused: "Icechunk's library raises where it needs this file or node.",
  history:
    "Icechunk's library does not find some snapshots or tags when it is asked for them, for history or changes, or commits.",
  commit: "Icechunk's library reads it, but its next commit fails.",
  misread: "Icechunk's library reads the chunks beyond as missing, without an error.",
} as const;
/** Effect on chunks, or on the whole repository. */
export type LibraryEffect = keyof typeof LIMITED;
type LibraryRefusal = { problem: LibraryLimit; effect: LibraryEffect; file: string };

type Append = { array: string; name: string; expected: string; found: string };

/** Reasons against appending a dataset to a repository. */
const APPENDING = {
  kind: ({ array }: Append) => `${quoted(array)} is a group in one and an array in the other.`,
  member: ({ array, name, expected, found }: Append) =>
    `The ${MEMBER_NAMES[name as MetadataMember] ?? name} of ${array} must stay the same: expected ${expected}; found ${found}.`,
  length: ({ array, name, expected, found }: Append) =>
    `${array} has another length along ${name}: expected ${expected}; found ${found}.`,
  boundary: ({ array, name, expected, found }: Append) =>
    `${array} has ${found} elements along ${name}, which is no multiple of its chunks of ${expected}: its last chunk would have to be written again.`,
  lacking: ({ array, name }: Append) => `${array} has the dimension ${name}, but the dataset has no such array.`,
  late: ({ array, name }: Append) =>
    `${array} is new, but has the dimension ${name}: it would lack the steps that the other arrays have.`,
  order: ({ array, expected, found }: Append) =>
    `${array} does not go on: expected a value beyond ${expected}; found ${found}.`,
  values: ({ array }: Append) => `${array} has other values in the repository.`,
  unread: ({ array }: Append) => `The values of ${array} could not be read in both, so they cannot be compared.`,
  "too-large": ({ array }: Append) =>
    `${array} has too many elements to compare with those of the repository, and its references are others.`,
  "no-dimension": ({ name }: Append) => `No array that is in both has the dimension ${name}, so nothing grows.`,
  nothing: () => "The repository has all of the dataset's groups and arrays.",
  "format-1": () => "The repository has format 1.",
  "no-repository": () => "There is no local Icechunk repository of this name.",
  "read-only": () => "The repository's status is not online.",
  overtaken: () => "Other writers committed faster, each time that the commit was tried.",
} as const;
export type AppendProblem = keyof typeof APPENDING;

const APPEND_REMEDIES: Partial<Readonly<Record<AppendProblem, string>>> = {
  boundary: "Write the array with chunks that its length fills, or write a new repository.",
  length: "If the array grows along this dimension, name it with --along.",
  values: "Leave the array out of the dataset, or name the dimension along which it grows with --along.",
  late: "Add it without --along first, with all of its steps.",
  "too-large": "Leave the array out of the dataset if it is the same.",
  "no-dimension": "Check the name after --along, or leave it out to add new arrays.",
  unread: "Make the sources of both available, with --root or --network.",
  "format-1": "Migrate it to format 2 with Icechunk's own library.",
  "no-repository": "Name its folder; write a new one with --as icechunk --out.",
  "read-only": "Set its status to online with Icechunk's own library.",
};

const { error, warning, note, graded } = about("source");
const alike = about("source", { readers: SAME_IN_PYTHON });

type IcechunkVersionUnknown = { file: FileKind; format: number; writer: string };
type IcechunkTooOld = { writer: string | undefined; format: number | undefined; headless: boolean };

export const ICECHUNK = {
  "icechunk-file-damaged": graded<DamagedFile>("Damaged file in the repository", {
    severity: ({ file }) => (DISPENSABLE.has(file) ? "warning" : "error"),
    explain: ({ file, field, expected, found }) =>
      `${field === undefined ? "" : `The field ${field} of `}${field === undefined ? "The" : "the"} Icechunk ${file} cannot be read: expected ${expected}; found ${withoutStop(found)}.`,
    remedy: ({ file }) => {
      if (file === "branch" || file === "tag") return "Reset it with Icechunk, or open another branch or tag.";
      if (file === "transaction log")
        return "Nothing needs to be done: Refscope compares snapshots by their manifests instead.";
      return "Fetch or copy the file again, or open another snapshot: the file is damaged or truncated.";
    },
    readers: ({ file }) =>
      file === "transaction log" ? "Icechunk's diff raises; reading data is not affected." : NOT_ON_FILE,
  }),
  "icechunk-library-limit": graded<LibraryRefusal>("Refused by Icechunk's own library", {
    severity: ({ effect }) => (effect === "commit" ? "info" : "warning"),
    explain: ({ problem, file, effect }) =>
      `Refscope reads ${quoted(file)}, but Icechunk's own library ${effect === "commit" ? "cannot commit to it" : "does not take it"}: ${LIBRARY_LIMITS[problem]}.`,
    remedy: "Write the repository with Icechunk's own library, or write the file as it does.",
    readers: ({ effect }) => LIMITED[effect],
    question: "readers",
  }),
  "append-refused": error<ToldBy<typeof APPENDING>>("Dataset does not fit the repository", {
    explain: sentenceOf(APPENDING, "problem"),
    remedy: ({ problem }) =>
      APPEND_REMEDIES[problem] ?? "Change the dataset so that it goes on where the repository ends.",
    readers: "Nothing was written: readers are not affected.",
  }),
  "icechunk-not-icechunk": alike.error<{ file: FileKind; size: number; start: string }>("Not an Icechunk file", {
    explain: ({ file, size, start }) =>
      `Expected the ${file} to begin with “ICE🧊CHUNK”, as in all files since Icechunk 0.1.0; ${size === 0 ? "it is empty" : `its ${counted(size, "byte")} begin with ${start}`}.`,
    remedy:
      "Check the file: it is of another kind, damaged, or was written by a development version before Icechunk 0.1.0.",
  }),
  "icechunk-version-unknown": error<IcechunkVersionUnknown>("Unsupported Icechunk format version", {
    explain: ({ file, format, writer }) =>
      `The ${file} has format version ${format}, written by ${writer === "" ? "an unnamed writer" : writer}; Refscope reads versions 1, 2 and 2.1.`,
    remedy: "Open the repository with the Icechunk library that wrote it.",
    readers: "An Icechunk library that does not know the version also raises.",
  }),
  "icechunk-too-old": error<IcechunkTooOld>("Repository predates Icechunk 1.0", {
    explain: ({ writer, format, headless }) => {
      const unnamed = `a development version of Icechunk 0.1${headless ? ", whose files have no header" : ""}`;
      const by = writer === undefined ? unnamed : `${writer} in format version ${format ?? 0}`;
      return `Branches are stored as before Icechunk 1.0, and snapshots were written by ${by}. Refscope reads only repositories of Icechunk 1.0 or later.`;
    },
    remedy: "Copy the data with the version that wrote it.",
    readers: "Icechunk 1.0 and later cannot read it either.",
  }),
  "icechunk-config-unreadable": error<{ expected: string; found: string }>("Invalid repository configuration", {
    explain: ({ expected, found }) =>
      `The configuration cannot be read, so virtual chunk containers are unknown: expected ${expected}; found ${withoutStop(found)}.`,
    remedy: "Correct config.yaml for virtual chunks. Inline and native chunks can still be read.",
    readers: "Icechunk does not open the repository.",
  }),
  "icechunk-object-missing": error<{ file: keyof typeof MISSING_OBJECTS }>("File missing from the repository", {
    explain: ({ file }) => MISSING_OBJECTS[file].words,
    remedy: ({ file }) => MISSING_OBJECTS[file].remedy,
    readers: ({ file }) => MISSING_OBJECTS[file].readers,
  }),
  "icechunk-ref-missing": alike.error<ToldBy<typeof MISSING_REFS>>("No such branch, tag or snapshot", {
    explain: sentenceOf(MISSING_REFS, "problem"),
    remedy: ({ problem }) =>
      problem === "unknown-ref"
        ? "Choose one of these, or enter a snapshot ID."
        : problem === "not-an-ancestor"
          ? "Choose an older snapshot of the same branch."
          : "Choose one from the history: this one may have expired and been removed.",
    action: "open-main",
  }),
  "icechunk-no-repository": alike.error<{ refs: number | undefined }>("Not an Icechunk repository", {
    explain: ({ refs }) =>
      `Expected the file repo (format 2) or refs/branch.main/ref.json (format 1); found neither${refs === undefined ? "" : `; refs/ has ${counted(refs, "object")}`}.`,
    remedy: "Open the folder that holds repo, or snapshots/ and refs/.",
  }),
  "icechunk-denied": error<Refusal>("Access to a repository file denied", {
    explain: ({ status, ...facts }) =>
      `Expected the file, or status 404 if there is none; the server returned ${status}.${saidWords(facts)}`,
    remedy:
      "Add the credentials for this prefix. Servers that forbid listing also respond this way if there is no file.",
    readers: "Icechunk also raises, unless it has credentials.",
    action: "locations",
  }),
  "icechunk-taken-as-absent": note("File treated as missing", {
    explain:
      "This page may not read the server's response for this file, which often means that the file is missing. Refscope shows the repository without it.",
    remedy: "If the file exists, configure the server to send Access-Control-Allow-Origin with every response.",
    readers: "Icechunk is not a web page: it reads the file if it exists.",
  }),
  "icechunk-refs-unlisted": note("Branches and tags cannot be listed", {
    explain:
      "The branches and tags of a format 1 repository cannot be listed over HTTP. Refscope knows only main and those you ask for.",
    remedy: "Open another by name: &ref=NAME in the page's URL, --ref NAME in a terminal.",
    readers: "Icechunk lists them if its storage can be listed.",
  }),
  "icechunk-container-ignored": warning<ToldBy<typeof IGNORED>>("Ignored virtual chunk container", {
    explain: (facts) =>
      `Refscope ignores the virtual chunk container of ${quoted(facts.prefix)}: ${sentenceOf(IGNORED, "problem")(facts)}.`,
    remedy: "Correct the container in the repository's configuration.",
    readers: "Icechunk also ignores the container, and refuses virtual chunks that no other container covers.",
  }),
};
