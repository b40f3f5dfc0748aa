/** Findings about a dataset's sources: missing, changed, or not readable by everybody. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

const SEEN_AS_FILL =
  "fsspec reports the chunk as absent, so zarr-python silently returns the fill value: lost data looks like missing data.";
const TAKES_IT_FOR_DATA = "Readers read it as data: codecs fail on it, and uncompressed chunks get wrong values.";
const SHORT = "fsspec passes on what there is: codecs fail on it, and uncompressed chunks are refused for their size.";
const BROWSERS_ONLY = "Python's readers are not affected: only browsers enforce this.";

/** Number of sources with this cause; absent = 1. */
export type Several = { readonly targets?: number };

/** `The source`, or how many. */
const these = ({ targets = 1 }: Several, one = "The source"): string =>
  targets === 1 ? one : `${count(targets)} sources (this is the first)`;

const targetsRead = ({ targets = 1 }: Several): string =>
  targets === 1 ? "the source" : `these ${count(targets)} sources`;

const its = ({ targets = 1 }: Several, one: string, more: string): string => (targets === 1 ? one : more);

/**
 * A file that was read for a source of the same name. `taken`: it is another source's. `shared`: several sources have no
 * better one. `others-in-place`: other sources are where the references say.
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
  /** Ranges that reach past the end, of how many of the file; and how long it must be. */
  readonly past: number;
  readonly ranges: number;
  readonly end: number;
};

const { error, warning, note, graded } = about("source");
const located = about("source", { action: "locations" });
const short = about("source", { readers: SHORT });
const mistaken = about("source", { readers: TAKES_IT_FOR_DATA, action: "locations" });

const MISSING_WHERE = {
  root: "among those you provided",
  beside: "next to the document",
  path: "on this machine",
} as const;

export const SOURCES = {
  "target-missing": located.error<Several & { near: string | undefined; where: "root" | "beside" | "path" }>(
    "Source file not found",
    {
      explain: (facts, place) => {
        const name = place.kind === "target" ? `${quoted(place.target)} ` : "";
        const where = MISSING_WHERE[facts.where];
        const rest =
          (facts.targets ?? 1) > 1 ? ` The same applies to ${counted((facts.targets ?? 1) - 1, "other source")}.` : "";
        const meant = facts.near === undefined ? "" : ` Did you mean ${quoted(facts.near)}, which exists?`;
        return `There is no file ${name}${where}.${rest}${meant}`;
      },
      remedy: ({ near, where }, place) => {
        if (near !== undefined) return `Correct the spelling in the references: ${quoted(near)} exists.`;
        const path = place.kind === "target" ? place.target : "";
        if (/(?:^|\/)(?:tmp|var\/folders)\/|[\\/]Temp[\\/]/.test(path))
          return "Replace the path with the URL of the file that was copied there: nothing stays in a temporary folder.";
        if (where === "path")
          return "Name the folder that has the file with --root, or publish the file and replace the path with its URL.";
        return /^(?:\/|file:|[a-z]:[\\/])/i.test(path)
          ? "Provide the file, or publish it and replace the path with its URL."
          : "Fetch the file again, or correct the references. If the data does not exist, leave them out.";
      },
      readers: SEEN_AS_FILL,
    },
  ),
  "target-name-elsewhere": located.graded<ByName>("Same-named file from another folder was read", {
    severity: ({ why }) => (why === "taken" ? "error" : "warning"),
    explain: (facts, place) => {
      const { file, why } = facts;
      if (why === "shared")
        return `${quoted(file)} was read for sources from different folders, but it can be only one of them.`;
      const name = place.kind === "target" ? `${quoted(place.target)} ` : "";
      const rest = (facts.targets ?? 1) > 1 ? `, nor ${counted((facts.targets ?? 1) - 1, "other source")}` : "";
      const but =
        why === "taken" ? "other references mean that file" : "the other sources are where the references say";
      return `There is no file ${name}among those you provided${rest}. Refscope read ${quoted(file)} instead, which has the same name, but ${but}.`;
    },
    remedy: ({ file }) =>
      `Provide the file itself, or correct the references. If ${quoted(file)} is the right one, make the references point to it.`,
    readers: "Python's readers use the path as it is written, find nothing, and silently return the fill value.",
  }),
  "target-gone": located.error<Several & { status: number; near: string | undefined }>("Source file not found", {
    brief: ({ status }) => String(status),
    explain: (facts, place) =>
      `${these(facts, place.kind === "target" ? `The source ${quoted(place.target, 120)}` : undefined)} ${its(facts, "was", "were")} not found: the server returned ${facts.status}.${facts.near === undefined ? "" : ` Did you mean ${quoted(facts.near)}, which exists?`}`,
    remedy: ({ near }) =>
      near === undefined
        ? "If the data has moved, correct the references or add a rewrite rule from the old prefix to the new one."
        : `Correct the spelling in the references: ${quoted(near)} exists.`,
    readers: SEEN_AS_FILL,
  }),
  "target-too-short": short.error<TooShort>("Source file is too short", {
    explain: (facts) => {
      const { size, past, ranges, end } = facts;
      const have = size === undefined ? "is shorter than the references need" : `has ${counted(size, "byte")}`;
      const more =
        (facts.targets ?? 1) > 1 ? ` The same applies to ${count(facts.targets ?? 1)} sources in total.` : "";
      return `The source file ${have}; ${past === ranges ? "all" : count(past)} of its ${counted(ranges, "range")} reach past its end, the furthest to byte ${count(end)}.${more}`;
    },
    remedy:
      "The transfer was interrupted, or the file was replaced after the references were made. Fetch it again, or make the references again.",
    inPlace: true,
  }),
  "offset-beyond-target": short.error<Several & { offset: number; size: number }>(
    "Offset far past the end of the source file",
    {
      explain: ({ offset, size }) =>
        `The range begins at byte ${count(offset)}, but the source file has only ${counted(size, "byte")}.`,
      remedy: "Correct the offset: it may belong to another file, or a number was added to it twice.",
      inPlace: true,
    },
  ),
  "whole-file-for-chunk": error<{
    size: number;
    /** Bytes of the decoded chunk. */
    chunk: number;
    /** References to parts of the same file. */
    parts: number;
    format: string | undefined;
    exact: boolean;
  }>("Whole file where a chunk was expected", {
    explain: ({ size, chunk, parts, format, exact }) => {
      const also = parts === 0 ? "" : ` ${counted(parts, "other reference")} read only parts of it.`;
      const is = format === undefined ? "" : ` It is ${/^[HF]/.test(format) ? "an" : "a"} ${format} file.`;
      return `The reference is to the whole file (${counted(size, "byte")}) for a chunk of ${exact ? "" : "at most "}${counted(chunk, "byte")}: offset and length are missing.${is}${also}`;
    },
    remedy: "Write the reference with the chunk's offset and length in the file.",
    readers: TAKES_IT_FOR_DATA,
    inPlace: true,
  }),
  "target-error-document": mistaken.error<ErrorDocument>("Error message instead of data", {
    explain: (facts) =>
      `${these(facts)} ${its(facts, "holds", "hold")} a store's error message (XML) instead of data: ${saidBy(facts)}.`,
    remedy: ({ said }) =>
      said === "AccessDenied"
        ? "Fetch the file again with access: the download was denied, and the error response was saved as the file."
        : "Check the bucket and key, and fetch the file again: a failed download's error response was saved as the file.",
  }),
  "target-lfs-pointer": mistaken.error<Several & { size: number | undefined }>("Git LFS pointer instead of data", {
    explain: (facts) =>
      `${these(facts)} ${its(facts, "is a Git LFS pointer", "are Git LFS pointers")} instead of the data${facts.size === undefined ? "" : `, which has ${counted(facts.size, "byte")}`}.`,
    remedy: "Run git lfs pull in the repository. For files on the web, use a URL that serves the content (media).",
  }),
  "target-gzipped": mistaken.error<Several & { size: number | undefined; end: number }>(
    "Compressed file instead of data",
    {
      explain: (facts) =>
        `${these(facts)} ${its(facts, "is", "are")} compressed with gzip${facts.size === undefined ? "" : ` (${counted(facts.size, "byte")})`}, but the references count bytes of the uncompressed file, up to byte ${count(facts.end)}.`,
      remedy: "Decompress the file where it is stored (gunzip), or refer to the uncompressed one.",
    },
  ),
  "target-empty": short.error<Several>("Empty source file", {
    explain: (facts) => `${these(facts)} ${its(facts, "has", "have")} no bytes, but the dataset references data in it.`,
    remedy: "Fetch the file again: its transfer failed.",
  }),
  /** `redirect`: of which status it was that lacks the header. */
  "cors-absent": warning<Several & { allowed: string | undefined; origin: string; redirect?: number }>(
    "Web pages cannot read the source (CORS)",
    {
      explain: (facts) =>
        facts.redirect !== undefined
          ? `The redirect (status ${facts.redirect}) does not allow pages of ${facts.origin} (Access-Control-Allow-Origin, CORS), so they stop there, whatever the place that it leads to allows.`
          : facts.allowed?.includes(",") === true
            ? `Access-Control-Allow-Origin was sent more than once, or with several values (${facts.allowed}): browsers then let no page read the source. Send it once.`
            : facts.allowed === undefined
              ? `${these(facts)} ${its(facts, "was", "were")} sent without Access-Control-Allow-Origin (CORS). Programs can read it; web pages cannot.`
              : `Only pages of ${facts.allowed} may read ${targetsRead(facts)} (Access-Control-Allow-Origin, CORS), not those of ${facts.origin}.`,
      remedy: "Configure the server to send Access-Control-Allow-Origin; refscope doctor URL prints how.",
      readers: BROWSERS_ONLY,
    },
  ),
  /** `isAskedFor`: names that do not exist are asked for, as readers of stores do. */
  "cors-absent-on-missing": graded<{ status: number; origin: string; isAskedFor: boolean }>(
    "“Not found” is sent without CORS headers",
    {
      severity: ({ isAskedFor }) => (isAskedFor ? "warning" : "info"),
      explain: ({ status }) =>
        `The server sends Access-Control-Allow-Origin (CORS) with files it has, but not with status ${status}. In a browser, “not found” then looks like a blocked request.`,
      remedy: "Configure the server to send CORS headers with errors too (nginx: add_header … always).",
      readers:
        "Readers in a browser fail on metadata and chunks that do not exist, instead of treating them as missing. Python's readers are not affected.",
    },
  ),
  /** `why`: which part of its answer refuses. `exposes`: pages may read Content-Range. */
  "preflight-refused": warning<{
    status: number;
    why: "status" | "origin" | "header";
    allowHeaders: string | undefined;
    exposes: boolean;
    origin: string;
  }>("The server refuses the preflight for ranges", {
    explain: ({ status, why, allowHeaders, exposes, origin }) => {
      const answer = {
        status: `The server answers it with status ${status}.`,
        origin: `Its answer (status ${status}) does not allow pages of ${origin}.`,
        header: `Its answer allows ${allowHeaders === undefined ? "no headers" : `only the headers ${quoted(allowHeaders, 120)}`}.`,
      }[why];
      const hidden = exposes ? "" : " It does not expose Content-Range either.";
      return `The index of each shard is at its end. Browsers request it by a suffix range (bytes=-N), and first ask with OPTIONS whether they may (a preflight). ${answer}${hidden}`;
    },
    remedy: ({ exposes }) =>
      `Configure the server to answer OPTIONS with Access-Control-Allow-Headers: Range${exposes ? "" : ", and to list Content-Range in Access-Control-Expose-Headers"}.`,
    readers:
      "Viewers in a browser that use suffix ranges, such as neuroglancer, cannot read the shards (google/neuroglancer#651). Python's readers are not affected.",
  }),
  "chunk-missing-as-denied": warning<{ status: number }>("Missing chunks look denied", {
    explain: ({ status }) =>
      `The server returns ${status} for the chunk, as for a name that cannot exist, and gives other chunks: here ${status} means that the chunk is missing.`,
    remedy: "Let readers list the store, so that the server returns 404, or write the missing chunks.",
    readers: ({ status }) =>
      `Readers that treat only status 404 as missing raise (zarr-python 3: PermissionError), others return the fill value for ${status} (fsspec/filesystem_spec#342).`,
    question: "complete",
  }),
  "cors-headers-hidden": note<{ headers: readonly string[] }>("Headers hidden from web pages", {
    explain: ({ headers }) =>
      `Pages may read the source, but not the header${headers.length === 1 ? "" : "s"} ${listed(headers)}. A page therefore cannot tell its size, or whether it changed, as reliably.`,
    remedy: "Configure the server to list them in Access-Control-Expose-Headers.",
    readers: BROWSERS_ONLY,
  }),
  "unreachable-undecided": located.error<{ because: "mixed-content" | "only-head"; url: string }>(
    "The browser hides why the request failed",
    {
      explain: ({ because }) =>
        because === "mixed-content"
          ? "The page is on https, and browsers do not let it request an http URL. It cannot be known here whether the source exists."
          : "The host responds, but not to this request, and the browser does not say why.",
      remedy: ({ url }) => `Find out in a terminal: “refscope doctor ${url}”.`,
      readers: "It is not known whether Python's readers can read the data.",
    },
  ),
  "target-newer": note<Several & { modified: string; document: string }>("Source file is newer than the references", {
    explain: (facts) =>
      `${these(facts)} ${its(facts, "was", "were")} modified at ${facts.modified}, after the references were written (${facts.document}). ${its(facts, "It", "They")} may have changed since then.`,
    remedy: "Make the references again, or compare a chunk with its earlier values.",
    readers: "Readers do not notice: if bytes have moved, values are wrong or codecs fail.",
  }),
  "native-object-missing": error<Several & { status: number | undefined }>("Chunk object not found", {
    explain: (facts, place) =>
      `The chunk's object${place.kind === "target" ? ` ${place.target}` : ""} is not in the store${facts.status === undefined ? "" : ` (status ${facts.status})`}.${(facts.targets ?? 1) > 1 ? ` The same applies to ${count(facts.targets ?? 1)} objects in total.` : ""}`,
    remedy: "Restore the object from a copy of the store, or rewrite the chunk.",
    readers: "Icechunk raises when it reads the chunk; zarr-python reads the fill value where a Zarr store lacks it.",
  }),
  "native-object-short": error<Several & { size: number; end: number }>("Truncated chunk object", {
    explain: ({ size, end }, place) =>
      `The chunk's object${place.kind === "target" ? ` ${place.target}` : ""} should have ${counted(end, "byte")}; it has ${count(size)}.`,
    remedy: "Restore the object from a copy of the store, or rewrite the chunk.",
    readers: "Icechunk does not check the length: it returns the bytes that there are, and decoding fails.",
  }),
  "native-object-long": note<Several & { size: number; end: number }>("Chunk object longer than its reference", {
    explain: ({ size, end }, place) =>
      `The chunk's object${place.kind === "target" ? ` ${place.target}` : ""} should have ${counted(end, "byte")}; it has ${count(size)}.`,
    remedy: "Compare the object with a copy of the store: Icechunk never rewrites one.",
    readers: "Icechunk does not check the length: it reads the part that the reference names.",
  }),
};
