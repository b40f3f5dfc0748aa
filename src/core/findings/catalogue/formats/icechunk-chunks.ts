/** Icechunk: references of manifests, and the targets of virtual chunks. */
import { about } from "../entry.ts";
import type { Finding } from "../../fact.ts";
import { count, counted, quoted } from "../../../words.ts";

const REFUSED = "Icechunk refuses the chunk too.";
const CONDITION =
  "Icechunk makes its request conditional on an unchanged target: a server that honours this refuses the chunk, one that does not silently sends the changed bytes (measured, icechunk 2.2.2).";
const WRITE_AGAIN = "Write the virtual references again, or bring the old file back.";

/** `text`: the location as stored, or the part of it; `reason`: what the decoder says. */
type UnreadableLocation = {
  readonly problem: "encoding" | "no-dictionary" | "decompression" | "not-a-url" | "escapes" | "not-compared";
  readonly text: string | undefined;
  readonly reason: string | undefined;
};

const LOCATION_PROBLEMS: Readonly<Record<UnreadableLocation["problem"], (facts: UnreadableLocation) => string>> = {
  encoding: () => "The location of a virtual chunk should be UTF-8 text; its bytes are not.",
  "no-dictionary": () =>
    "The location of a virtual chunk is compressed with a dictionary that should be in the manifest; there is none.",
  decompression: ({ reason = "" }) =>
    `The location of a virtual chunk should be a zstd frame of at most 1024 bytes of content, which it is not: ${reason.replace(/\.$/, "")}.`,
  "not-a-url": ({ text = "" }) => `The location of a virtual chunk should be a URL; it is ${quoted(text)}.`,
  escapes: ({ text = "" }) =>
    `The escapes (%xx) in the location of a virtual chunk should give UTF-8 text; those of ${quoted(text)} do not.`,
  "not-compared": () => "Locations that cannot be decompressed, or checksums that are not text, count as changed.",
};

/** `key`: what the location names in its store. */
type RefusedKey =
  | { readonly problem: "dots" | "path"; readonly key: string }
  | { readonly problem: "endpoint"; readonly endpoint: string }
  | { readonly problem: "location"; readonly cause: Finding };

function explainRefusedKey(facts: RefusedKey): string {
  switch (facts.problem) {
    case "dots":
      return `The key ${quoted(facts.key)} has a part “.” or “..”, which no URL can hold.`;
    case "path":
      return `The key ${quoted(facts.key)} has an empty part (“//”), a part “.” or “..”, or a control character.`;
    case "endpoint":
      return `The container's endpoint ${quoted(facts.endpoint)} is not an address.`;
    case "location":
      return "The location of the virtual chunk cannot be followed.";
  }
}

type ChangedTarget =
  | { readonly by: "time"; readonly recorded: string; readonly now: string }
  | { readonly by: "etag"; readonly recorded: string; readonly now: string };

const { error, warning, note, graded } = about("references");
const ofSource = about("source");

export const ICECHUNK_CHUNKS = {
  "icechunk-reference-empty": error({
    title: "A reference without a location",
    explain: "The reference has no chunk id, no location and no inline bytes.",
    readers: "The official reader raises on this chunk, too.",
  }),
  "icechunk-location-unreadable": graded<UnreadableLocation>({
    title: "Unreadable virtual chunk location",
    severity: ({ problem }) => (problem === "not-compared" ? "warning" : "error"),
    explain: (facts) => LOCATION_PROBLEMS[facts.problem](facts),
    remedy: ({ problem }) => (problem === "not-compared" ? undefined : "Write the virtual reference again."),
    readers: REFUSED,
  }),
  "icechunk-container-missing": error<{ readonly name: string; readonly known: readonly string[] }>({
    title: "A virtual chunk container that is not configured",
    explain: ({ name, known }) =>
      `The location names the virtual chunk container ${quoted(name)}; the repository's configuration has ${known.length === 0 ? "no container with a name" : known.map((one) => quoted(one)).join(", ")}.`,
    remedy: "Add the container to the repository's configuration.",
    readers: "Icechunk refuses the chunk too, until the container is configured.",
  }),
  "icechunk-no-container": warning<{ readonly host: string }>({
    title: "No virtual chunk container covers the targets",
    explain: ({ host }, place) =>
      `No virtual chunk container of the repository's configuration covers ${host}${place.kind === "target" ? `, where ${quoted(place.target)} is` : ""}.`,
    remedy: "Add a container with this prefix to the configuration, and authorise it when opening the repository.",
    readers: "Icechunk refuses chunks there; they are still read here.",
    question: "sources",
  }),
  "icechunk-key-refused": error<RefusedKey>({
    title: "Key cannot be requested",
    explain: explainRefusedKey,
    remedy: "Correct the virtual reference, or add a rewrite rule from this prefix to where the object is.",
    readers: ({ problem }) =>
      problem === "dots" ? "Icechunk asks S3 for the key as it is; a web page cannot." : "Icechunk refuses it too.",
    action: "locations",
  }),
  "icechunk-manifest-unordered": warning({
    title: "References out of order",
    explain:
      "The references of an array in this manifest should be in order, each chunk once; they are not in order, or repeat.",
    remedy: "Rewrite the manifests of the array with Icechunk, which puts them in order.",
    readers: "Icechunk finds chunks by binary search and may miss some of them: it then reads the fill value.",
  }),
  "icechunk-outside-extents": note({
    title: "References outside the manifest's extents",
    explain: "The manifest has references outside the extents that the snapshot gives it.",
    readers: "Readers do not ask the manifest for these chunks.",
  }),
  "icechunk-references-too-many": error<{ readonly rows: number; readonly limit: number }>({
    title: "Too many references that overlap or are out of order",
    explain: ({ rows, limit }) =>
      `Manifests of an array that overlap or are out of order can be read with at most ${counted(limit, "reference")} together; these have ${count(rows)}.`,
    remedy: "Rewrite the manifests of the array with Icechunk, which puts them in order.",
    readers: "Icechunk looks chunks up one by one and has no such limit.",
    action: "limit",
  }),
  /** Of the largest manifest of the array; `manifests`: how many it has. */
  "icechunk-manifest-large": note<{ readonly references: number; readonly manifests: number }>({
    title: "Manifest too large to read efficiently",
    explain: ({ references, manifests }) =>
      `The array's references are in ${counted(manifests, "manifest")}, the largest with up to ${count(references)} of them: it is fetched and read whole before a single chunk can be read.`,
    remedy: "Set manifest splitting for the array (ManifestSplittingConfig) and rewrite the manifests.",
    readers: "Icechunk reads right values, but slowly at first, and needs memory for the whole manifest.",
    question: "readers",
  }),
  "icechunk-no-checksum": note({
    title: "References without a checksum",
    explain:
      "There are references of this array that record neither an ETag nor a time of their targets: whether these have changed since cannot be known.",
    remedy: "Write the virtual references with the time of the targets' last change.",
    readers: "Icechunk reads the targets as they are now.",
    question: "sources",
  }),
  "icechunk-target-changed": ofSource.error<ChangedTarget>({
    title: "Source file changed since it was referenced",
    explain: ({ by, recorded, now }) =>
      by === "time"
        ? `The reference recorded that the target was last changed at ${recorded}; it was changed again at ${now}. Its bytes may be different now.`
        : `The reference recorded the ETag ${recorded}; the target has ${now} now. Its bytes may be different.`,
    remedy: WRITE_AGAIN,
    readers: CONDITION,
  }),
  "icechunk-etag-weak": ofSource.warning<{ readonly etag: string }>({
    title: "Recorded ETag is weak",
    explain: ({ etag }) =>
      `The target still has the ETag ${etag} that the reference recorded; but this tag is weak, and the condition If-Match is never true for weak tags.`,
    remedy: "Write the virtual references again, with the time of the last change instead of the ETag.",
    readers: "Icechunk sends If-Match: a server that honours it refuses the chunk although nothing has changed.",
  }),
  "icechunk-checksum-not-compared": ofSource.note<{ readonly by: "time" | "etag"; readonly recorded: string }>({
    title: "Cannot tell whether the source file changed",
    explain: ({ by, recorded }) =>
      `The reference records the ${by === "time" ? "time" : "ETag"} ${recorded} of its target, and the answer here has none to compare it with.`,
    readers:
      "Icechunk has the server compare it; a server that honours this refuses the chunk where the target has changed.",
  }),
};
