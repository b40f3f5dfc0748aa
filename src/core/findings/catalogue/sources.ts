/** What asking a set's targets shows: what is not there, not what it was, or not to be had by everybody. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "../../words.ts";

const SEEN_AS_FILL =
  "fsspec reports the chunk as absent, so zarr-python silently returns the fill value: lost data looks like missing data.";
const TAKES_IT_FOR_DATA =
  "Readers take what is there for the data: codecs fail on it, and uncompressed chunks have wrong values.";
const SHORT = "fsspec returns what there is: codecs fail on it, uncompressed chunks are refused by their size.";
const BROWSERS_ONLY = "Python's readers are not affected: only browsers enforce this.";

/** Of one cause, how many targets; absent = 1. */
export type Several = { readonly targets?: number };

/** `The target`, or how many. */
const these = ({ targets = 1 }: Several, one = "The target", many = "targets"): string =>
  targets === 1 ? one : `${count(targets)} ${many}, this one the first,`;

const its = ({ targets = 1 }: Several, one: string, more: string): string => (targets === 1 ? one : more);

/**
 * A file that was taken for a target of the same name. `taken`: it is another target's. `shared`: several targets have no
 * better one. `others-in-place`: what other references mean lies where they say.
 */
type ByName = Several & { readonly file: string; readonly why: "taken" | "shared" | "others-in-place" };

type ErrorDocument = Several & { readonly said: string; readonly message: string };

const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  NoSuchBucket: "there is no such bucket",
  NoSuchKey: "there is no such object",
  AccessDenied: "access is denied",
  ContainerNotFound: "there is no such container",
  BlobNotFound: "there is no such object",
};

const saidBy = ({ said, message }: ErrorDocument): string => {
  const meaning = ERROR_MEANINGS[said];
  return `${said}${message === "" ? "" : `, ${quoted(message.replace(/\.$/, ""), 120)}`}${meaning === undefined ? "" : `: ${meaning}`}`;
};

type TooShort = Several & {
  readonly size: number | undefined;
  /** Ranges that reach past the end, of how many of the target; and how long it must be. */
  readonly past: number;
  readonly ranges: number;
  readonly end: number;
};

const { error, warning, note } = about("source");
const located = about("source", { action: "locations" });
const short = about("source", { readers: SHORT });
const located2 = about("source", { readers: TAKES_IT_FOR_DATA, action: "locations" });

export const SOURCES = {
  "target-missing": located.error<Several & { readonly near: string | undefined; readonly where: "root" | "beside" }>({
    title: "Source file not found",
    explain: (facts, place) => {
      const name = place.kind === "target" ? `${quoted(place.target)} ` : "";
      const where = facts.where === "root" ? "among those given" : "beside the document";
      const rest = (facts.targets ?? 1) > 1 ? `; ${counted((facts.targets ?? 1) - 1, "other target")} neither` : "";
      const meant = facts.near === undefined ? "" : ` Did you mean ${quoted(facts.near)}, which exists?`;
      return `There is no file ${name}${where}${rest}.${meant}`;
    },
    remedy: ({ near }) =>
      near === undefined
        ? "Fetch the file again, or correct the references, or leave them out where the data do not exist."
        : `Correct the spelling in the references: ${quoted(near)} is there.`,
    readers: SEEN_AS_FILL,
  }),
  "target-name-elsewhere": located.graded<ByName>({
    title: "Same-named file from another folder was read",
    severity: ({ why }) => (why === "taken" ? "error" : "warning"),
    explain: (facts, place) => {
      const { file, why } = facts;
      if (why === "shared")
        return `${quoted(file)} was read for targets of different folders: it can be only one of them.`;
      const name = place.kind === "target" ? `${quoted(place.target)} ` : "";
      const rest = (facts.targets ?? 1) > 1 ? `, nor ${counted((facts.targets ?? 1) - 1, "other target")}` : "";
      const but = why === "taken" ? "other references mean that one" : "the other targets are where references say";
      return `There is no file ${name}among those given${rest}. ${quoted(file)}, which has the same name, was read in its place; but ${but}.`;
    },
    remedy: ({ file }) =>
      `Give the file itself, or correct the references. If ${quoted(file)} is the one that is meant, point the references at it.`,
    readers:
      "Readers in Python take the target as it is written, find nothing, and read the fill value without a word.",
  }),
  "target-gone": located.error<Several & { readonly status: number; readonly near: string | undefined }>({
    title: "Source file not found",
    brief: ({ status }) => String(status),
    explain: (facts, place) =>
      `${these(facts, place.kind === "target" ? `The target ${quoted(place.target, 120)}` : undefined)} ${its(facts, "is", "are")} not there: the server answered status ${facts.status}.${facts.near === undefined ? "" : ` The set has ${quoted(facts.near)}, which is there: perhaps that is meant.`}`,
    remedy: ({ near }) =>
      near === undefined
        ? "If the data have moved, correct the references or add a rewrite rule from the old prefix to the new one."
        : `Correct the spelling in the references: ${quoted(near)} is there.`,
    readers: SEEN_AS_FILL,
  }),
  "target-too-short": short.error<TooShort>({
    title: "Source file is too short",
    explain: (facts) => {
      const { size, past, ranges, end } = facts;
      const have = size === undefined ? "is shorter than the references need" : `has ${counted(size, "byte")}`;
      const more =
        (facts.targets ?? 1) > 1 ? ` The same applies to ${count(facts.targets ?? 1)} sources in total.` : "";
      return `The target ${have}; ${past === ranges ? "all" : count(past)} of the ${counted(ranges, "range")} in it reach past its end, the furthest to byte ${count(end)}.${more}`;
    },
    remedy:
      "The transfer of the file was cut, or it was replaced since the references were made: fetch it again, or make the references anew.",
    inPlace: true,
  }),
  "offset-beyond-target": short.error<Several & { readonly offset: number; readonly size: number }>({
    title: "Offset far past the end of the source file",
    explain: ({ offset, size }) =>
      `The range begins at byte ${count(offset)}; the target has ${counted(size, "byte")}, so that nothing is there to be read.`,
    remedy: "Correct the offset: it may be one of another file, or have had a number added twice.",
    inPlace: true,
  }),
  "whole-file-for-chunk": error<{
    readonly size: number;
    /** Bytes of the decoded chunk. */
    readonly chunk: number;
    /** References to parts of the same target. */
    readonly parts: number;
    readonly format: string | undefined;
    readonly exact: boolean;
  }>({
    title: "Whole file where a chunk was expected",
    explain: ({ size, chunk, parts, format, exact }) => {
      const also = parts === 0 ? "" : ` ${counted(parts, "other reference")} read only parts of it.`;
      const is = format === undefined ? "" : ` It is ${/^[HF]/.test(format) ? "an" : "a"} ${format} file.`;
      return `The whole target is referenced, ${counted(size, "byte")}, for a chunk of ${exact ? "" : "at most "}${counted(chunk, "byte")}: offset and length are lost.${is}${also}`;
    },
    remedy: "Write the reference with the chunk's offset and length in the file.",
    readers: TAKES_IT_FOR_DATA,
    inPlace: true,
  }),
  "target-error-document": located2.error<ErrorDocument>({
    title: "Error message instead of data",
    explain: (facts) =>
      `${these(facts)} ${its(facts, "holds", "hold")} a store's error message (XML) instead of data: ${saidBy(facts)}.`,
    remedy: ({ said }) =>
      said === "AccessDenied"
        ? "The download was denied and its answer kept as the file: fetch it again with access."
        : "The answer to a failed download was kept as the file: check the bucket and key, and fetch it again.",
  }),
  "target-lfs-pointer": located2.error<Several & { readonly size: number | undefined }>({
    title: "A Git LFS pointer instead of the data",
    explain: (facts) =>
      `${these(facts)} ${its(facts, "is a pointer", "are pointers")} of Git LFS instead of the data${facts.size === undefined ? "" : `, which ${its(facts, "has", "have")} ${counted(facts.size, "byte")}`}.`,
    remedy: "Run git lfs pull in the repository; for files on the web use an address that serves the content (media).",
  }),
  "target-gzipped": located2.error<Several & { readonly size: number | undefined; readonly end: number }>({
    title: "A compressed file instead of the data",
    explain: (facts) =>
      `${these(facts)} ${its(facts, "is", "are")} compressed with gzip${facts.size === undefined ? "" : ` (${counted(facts.size, "byte")})`}, but the references count in the file before compression, up to byte ${count(facts.end)}.`,
    remedy: "Decompress the file where it is stored (gunzip), or refer to the uncompressed one.",
  }),
  "target-empty": short.error<Several>({
    title: "Empty source file",
    explain: (facts) => `${these(facts)} ${its(facts, "has", "have")} no bytes, but the dataset references data in it.`,
    remedy: "The transfer failed: fetch the file again.",
  }),
  "cors-absent": warning<Several & { readonly allowed: string | undefined; readonly origin: string }>({
    title: "Web pages cannot read the source (CORS)",
    explain: (facts) =>
      facts.allowed === undefined
        ? `${these(facts)} ${its(facts, "was", "were")} sent without Access-Control-Allow-Origin (CORS): programs can read it, web pages cannot.`
        : `${these(facts)} may be read by pages of ${facts.allowed} only (Access-Control-Allow-Origin, CORS), not by those of ${facts.origin}.`,
    remedy: "Let the server send Access-Control-Allow-Origin: refscope doctor URL prints what to configure.",
    readers: BROWSERS_ONLY,
  }),
  "cors-headers-hidden": note<{ readonly headers: readonly string[] }>({
    title: "Headers that pages may not read",
    explain: ({ headers }) =>
      `Pages may read the target, but not the header${headers.length === 1 ? "" : "s"} ${listed(headers)}: a page cannot tell its size, or whether it changed, as surely.`,
    remedy: "Let the server name them in Access-Control-Expose-Headers.",
    readers: BROWSERS_ONLY,
  }),
  "unreachable-undecided": located.error<{ readonly because: "mixed-content" | "only-head"; readonly url: string }>({
    title: "The browser hides why the request failed",
    explain: ({ because }) =>
      because === "mixed-content"
        ? "The page came over https, and browsers do not let it ask an http address: whether the target is there cannot be known here."
        : "The host answers, but not this request, and the browser does not say why.",
    remedy: ({ url }) => `A terminal knows for certain: “npm run -s refscope -- doctor ${url}”.`,
    readers: "Whether Python's readers get the data is not known.",
  }),
  "target-newer": note<Several & { readonly modified: string; readonly document: string }>({
    title: "Source file is newer than the references",
    explain: (facts) =>
      `${these(facts)} ${its(facts, "was", "were")} modified at ${facts.modified}, after the references were written (${facts.document}): ${its(facts, "it", "they")} may have changed since.`,
    remedy: "Make the references anew, or compare a chunk with what it held before.",
    readers: "Readers do not notice: where bytes moved, values are wrong or codecs fail.",
  }),
  "native-object-missing": error<Several & { readonly status: number | undefined }>({
    title: "Chunk object not found",
    explain: (facts, place) =>
      `The chunk's object${place.kind === "target" ? ` ${place.target}` : ""} should be in the store; it is not${facts.status === undefined ? "" : ` (status ${facts.status})`}.${(facts.targets ?? 1) > 1 ? ` So it is with ${count(facts.targets ?? 1)} objects.` : ""}`,
    remedy: "Bring the object back from a copy of the store, or write the chunk again.",
    readers: "Icechunk raises when it reads the chunk.",
  }),
  "native-object-short": error<Several & { readonly size: number; readonly end: number }>({
    title: "A chunk's object is cut short",
    explain: ({ size, end }, place) =>
      `The chunk's object${place.kind === "target" ? ` ${place.target}` : ""} should have ${counted(end, "byte")}; it has ${count(size)}.`,
    remedy: "Bring the object back from a copy of the store, or write the chunk again.",
    readers: "Icechunk raises when it reads the chunk.",
  }),
};
