/** Icechunk: what stands in the way of opening a repository, and what is noticed about its own files. */
import { about } from "../entry.ts";
import { counted, listed, quoted } from "../../../words.ts";

const NOT_ON_FILE = "Whether Icechunk notices this damage is not known; where it does, it raises.";
const SAME_IN_PYTHON = "Icechunk raises as well.";

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

type MissingRef =
  | {
      readonly problem: "unknown-ref";
      /** As it was given: `dev`, `tag:v1`, `snapshot:…`. */
      readonly ref: string;
      /** The first few that there are, `branch:main`, and how many in all. */
      readonly known: readonly string[];
      readonly count: number;
      /** Whether branches and tags could be listed. */
      readonly complete: boolean;
      readonly deleted: boolean;
    }
  | { readonly problem: "not-an-id" | "not-in-history" | "no-object"; readonly ref: string };

function explainMissingRef(facts: MissingRef): string {
  const { ref } = facts;
  switch (facts.problem) {
    case "not-an-id":
      return `The id of a snapshot has 20 characters; ${quoted(ref)} cannot be one.`;
    case "not-in-history":
      return `The repository's history has no snapshot ${quoted(ref)}.`;
    case "no-object":
      return `There is no file for the snapshot ${quoted(ref)}.`;
    case "unknown-ref": {
      const { known, count, complete, deleted } = facts;
      const more = count > known.length ? [`${count - known.length} more`] : [];
      const there = count === 0 ? "there are none" : `there are ${listed([...known, ...more])}`;
      const others = complete ? "" : " Others cannot be listed here.";
      return `The repository has no branch, tag or snapshot ${quoted(ref)}: ${there}.${deleted ? " The tag of this name was deleted." : ""}${others}`;
    }
  }
}

const MISSING_OBJECTS = {
  snapshot: {
    words: "The snapshot's file is missing.",
    remedy: "It may have expired and been removed: open a branch or another snapshot.",
    readers: "Icechunk cannot open this snapshot either.",
  },
  manifest: {
    words: "The snapshot names a manifest that is missing: none of its references can be known.",
    remedy: "Copy the repository again, with all its files.",
    readers: "Icechunk opens the snapshot, and raises for each chunk that the manifest should list.",
  },
  "log of operations": {
    words: "The log of operations continues in an older state of the repository, which is missing.",
    remedy: "It may have been removed: older operations are then lost, but no snapshot is.",
    readers: "Data are read as before; Icechunk cannot list these operations either.",
  },
} as const;

type IgnoredContainer = {
  readonly problem: "name" | "prefix" | "store" | "host";
  readonly prefix: string;
  readonly name: string | undefined;
  readonly store: string;
};

const IGNORED: Readonly<Record<IgnoredContainer["problem"], (facts: IgnoredContainer) => string>> = {
  name: ({ name = "" }) => `its name ${quoted(name)} is empty or has a slash`,
  prefix: ({ prefix }) => `its prefix ${quoted(prefix)} is not a URL`,
  store: ({ prefix, store }) => `its store ${quoted(store)} does not serve URLs such as its prefix ${quoted(prefix)}`,
  host: ({ prefix }) => `its prefix ${quoted(prefix)} names no host or path`,
};

const { error, warning, note, graded } = about("source");
const sameInPython = about("source", { readers: SAME_IN_PYTHON });

export const ICECHUNK = {
  "icechunk-file-damaged": graded<DamagedFile>({
    title: "A file of the repository is damaged",
    severity: ({ file }) => (DISPENSABLE.has(file) ? "warning" : "error"),
    explain: ({ file, field, expected, found }) =>
      `${field === undefined ? "" : `The field ${field} of `}${field === undefined ? "The" : "the"} Icechunk ${file} cannot be read: expected ${expected}, but found ${withoutStop(found)}.`,
    remedy: ({ file }) => {
      if (file === "branch" || file === "tag") return "Reset it with Icechunk, or open another branch or tag.";
      if (file === "transaction log") return "Snapshots are compared by their manifests instead.";
      return "The file is damaged or was cut off: fetch or copy it again, or open another snapshot.";
    },
    readers: ({ file }) =>
      file === "transaction log" ? "Icechunk's diff raises; data are read as before." : NOT_ON_FILE,
  }),
  "icechunk-not-icechunk": sameInPython.error<{
    readonly file: FileKind;
    readonly size: number;
    readonly start: string;
  }>({
    title: "Not an Icechunk file",
    explain: ({ file, size, start }) =>
      `The ${file} should begin with “ICE🧊CHUNK”, as all files have since Icechunk 0.1.0; ${size === 0 ? "it is empty" : `its ${counted(size, "byte")} begin with ${start}`}.`,
    remedy: "The file is of another kind, damaged, or was written by a development version of Icechunk before 0.1.0.",
  }),
  "icechunk-version-unknown": error<{
    readonly file: FileKind;
    readonly format: number;
    readonly writer: string;
  }>({
    title: "Unsupported Icechunk format version",
    explain: ({ file, format, writer }) =>
      `The ${file} is of version ${format} of the format, written by ${writer === "" ? "an unnamed writer" : writer}; versions 1, 2 and 2.1 can be read.`,
    remedy: "Open the repository with the Icechunk library that wrote it.",
    readers: "An Icechunk library that does not know the version raises as well.",
  }),
  "icechunk-too-old": error<{
    readonly writer: string | undefined;
    readonly format: number | undefined;
    readonly headless: boolean;
  }>({
    title: "Repository predates Icechunk 1.0",
    explain: ({ writer, format, headless }) => {
      const unnamed = `a development version of Icechunk 0.1${headless ? ", whose files have no header" : ""}`;
      const by = writer === undefined ? unnamed : `${writer} in version ${format ?? 0} of the format`;
      return `Branches are stored as before Icechunk 1.0, and snapshots were written by ${by}: only repositories of Icechunk 1.0 or later can be read.`;
    },
    remedy: "Copy the data with the version that wrote it.",
    readers: "Icechunk 1.0 and later cannot read it either.",
  }),
  "icechunk-config-unreadable": error<{ readonly expected: string; readonly found: string }>({
    title: "The repository's configuration cannot be read",
    explain: ({ expected, found }) =>
      `Virtual chunk containers are unknown, since the configuration cannot be read: expected ${expected}, but found ${withoutStop(found)}.`,
    remedy: "Inline and native chunks can still be read; correct config.yaml for the virtual ones.",
    readers: "Icechunk does not open the repository.",
  }),
  "icechunk-object-missing": error<{ readonly file: keyof typeof MISSING_OBJECTS }>({
    title: "A file of the repository is missing",
    explain: ({ file }) => MISSING_OBJECTS[file].words,
    remedy: ({ file }) => MISSING_OBJECTS[file].remedy,
    readers: ({ file }) => MISSING_OBJECTS[file].readers,
  }),
  "icechunk-ref-missing": sameInPython.error<MissingRef>({
    title: "No such branch, tag or snapshot",
    explain: explainMissingRef,
    remedy: ({ problem }) =>
      problem === "unknown-ref"
        ? "Choose one of these, or give the id of a snapshot."
        : "It may have expired and been removed: choose one of those that the history lists.",
    action: "open-main",
  }),
  "icechunk-no-repository": sameInPython.error<{ readonly refs: number | undefined }>({
    title: "Not an Icechunk repository",
    explain: ({ refs }) =>
      `Neither the file repo (format 2) nor refs/branch.main/ref.json (format 1) is there${refs === undefined ? "" : `; refs/ has ${counted(refs, "object")}`}.`,
    remedy: "Give the address of the folder that holds repo, or snapshots/ and refs/.",
  }),
  "icechunk-denied": error<{ readonly status: number }>({
    title: "Access to a file of the repository is denied",
    explain: ({ status }) =>
      `The server answered status ${status}; it should send the file, or say that there is none (status 404).`,
    remedy:
      "Give the credentials that this prefix needs; servers that forbid listing also answer this way when there is no file.",
    readers: "Icechunk raises as well, unless it has credentials.",
    action: "locations",
  }),
  "icechunk-taken-as-absent": note({
    title: "File treated as missing",
    explain:
      "This page may not read the server's answer for this file, as often happens where a file is absent: the repository is shown without it.",
    remedy: "If the file is there, have the server send Access-Control-Allow-Origin with every answer.",
    readers: "Icechunk is not a web page: it reads the file if it is there.",
  }),
  "icechunk-refs-unlisted": note({
    title: "Branches and tags cannot be listed",
    explain:
      "Over HTTP the branches and tags of a repository of format 1 cannot be listed: only main, and those asked for, are known.",
    remedy: "Ask for another by its name: &ref=NAME in the address, --ref NAME in a terminal.",
    readers: "Icechunk lists them where its storage can be listed.",
  }),
  "icechunk-container-ignored": warning<IgnoredContainer>({
    title: "Ignored virtual chunk container",
    explain: (facts) =>
      `The virtual chunk container of ${quoted(facts.prefix)} is ignored: ${IGNORED[facts.problem](facts)}.`,
    remedy: "Correct the container in the repository's configuration.",
    readers: "Icechunk ignores the container too, and refuses virtual chunks that no other container covers.",
  }),
};
