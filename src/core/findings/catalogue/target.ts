/** Targets that cannot be read from here, known without a request. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "../../words.ts";

const OUT_OF_REACH = "fsspec reads it where it has the files, or the package for the scheme.";
const FSSPEC_RAISES = "fsspec raises as well, or finds nothing: zarr-python then reads the fill value.";
const DROP_OR_REWRITE = "Drop the file here, or add a rewrite rule from this prefix to the address of the same files.";

const LOCAL_PATHS = {
  windows: "a Windows path",
  file: "a path on the machine where the set was made",
  absolute: "an absolute path",
  name: "the name of a file",
} as const;

const NAMES = {
  "s3-bucket": "an S3 bucket",
  "aws-region": "an AWS region",
  "gcs-bucket": "a Google Cloud Storage bucket",
  "azure-container": "an Azure container",
  "azure-account": "an Azure storage account",
} as const;

type Malformed =
  | { readonly problem: "empty" }
  | { readonly problem: "not-a-url"; readonly url: string }
  | { readonly problem: keyof typeof NAMES; readonly name: string }
  | { readonly problem: "key"; readonly key: string };

function explainMalformed(facts: Malformed): string {
  if (facts.problem === "empty") return "The URL is empty.";
  if ("url" in facts) return `${quoted(facts.url)} is not a URL.`;
  if ("name" in facts) return `${quoted(facts.name)} cannot be the name of ${NAMES[facts.problem]}.`;
  return `The key ${quoted(facts.key)} cannot be written in a URL (“.” or “..” as a part, or broken text).`;
}

type MalformedData =
  | { readonly problem: "comma" | "scheme" | "base64" | "surrogate" }
  | { readonly problem: "length"; readonly length: number; readonly limit: number };

function explainMalformedData(facts: MalformedData): string {
  switch (facts.problem) {
    case "comma":
      return "A data: URL has a comma before its data; this one has none.";
    case "scheme":
      return "The data contain “://”, before which fsspec looks for a scheme.";
    case "base64":
      return "The data should be base64; they are not, or their last group is not filled up with “=”.";
    case "surrogate":
      return "The data contain half a character (a lone surrogate), which has no bytes.";
    case "length":
      return `A data: URL of at most ${counted(facts.limit, "character")} is read; this one has ${count(facts.length)}.`;
  }
}

const { error, graded } = about("references", { question: "sources", action: "locations" });
const sourcesOf = about("references", { question: "sources" });
const ofSource = about("source");

export const TARGET = {
  /** `references`: how many of a set; absent where one of them is to be read. */
  "target-null": graded<{ readonly references?: number }>({
    title: "References without a URL",
    severity: ({ references }) => (references === undefined ? "error" : "info"),
    explain: ({ references }) =>
      references === undefined
        ? "The reference names no URL (null), and no target was given for this set."
        : `${counted(references, "reference")} ${references === 1 ? "has" : "have"} null for a URL: the target given when opening is meant (fsspec's “target”).`,
    remedy: "Give the file that the null URLs mean as the set's target in the locations, or drop it here.",
    readers: "fsspec reads the target it was given when the set was opened, and raises without one.",
  }),
  "target-has-template": sourcesOf.error({
    title: "Unresolved template in a URL",
    explain: "The URL contains a template ({{…}}) that is not filled in.",
    remedy: "No template of the set fills it in, nor does any reader: correct the URL.",
    readers: FSSPEC_RAISES,
  }),
  "target-chained": error<{ readonly scheme: string }>({
    title: "A chain of URLs",
    explain: ({ scheme }) => `The URL is a chain (fsspec's “::”) through ${scheme}, which is not followed.`,
    remedy: "Unpack the inner file, and add a rewrite rule from this prefix to where it then is.",
    readers: "fsspec follows chains when it opens a file, but not as targets of references.",
  }),
  "target-archive-unnamed": error<{ readonly path: string }>({
    title: "An archive that is not named",
    explain: ({ path }) => `The URL names the file ${quoted(path)} in a zip archive, but not the archive.`,
    remedy: "Drop the archive here, or give it as the set's target in the locations.",
    readers: 'fsspec reads it where it is given the archive: remote_protocol="zip", remote_options={"fo": …}.',
  }),
  "target-data-malformed": sourcesOf.error<MalformedData>({
    title: "A data: URL without data",
    explain: explainMalformedData,
    remedy: "Write the data as base64, or as an inline value of the reference set.",
    readers: ({ problem }) =>
      problem === "scheme"
        ? "fsspec takes what stands before “://” for a scheme that it does not know, and opens nothing of the set."
        : problem === "length"
          ? "fsspec reads it: it has no such limit."
          : "fsspec raises when it is read.",
  }),
  "target-data-replaced": sourcesOf.warning({
    title: "A data: URL whose bytes are not text",
    explain:
      "The URL writes bytes by percent signs that are not UTF-8. fsspec reads them as text, with “\ufffd” (three bytes) where they are none; these bytes are shown.",
    remedy: "Write the data as base64.",
    readers: "fsspec's bytes differ from those that RFC 2397 means; browsers read the latter.",
    inPlace: true,
  }),
  "target-malformed": sourcesOf.error<Malformed>({
    title: "Invalid URL",
    explain: explainMalformed,
    remedy: "Correct the URL, or add a rewrite rule.",
    readers: FSSPEC_RAISES,
  }),
  "target-scheme-unsupported": error<{ readonly scheme: string }>({
    title: "Unsupported URL scheme",
    explain: ({ scheme }) => `The URL's scheme is ${scheme}:, which a page cannot read.`,
    remedy: "Add a rewrite rule from this prefix to an http(s) address of the same files, or drop the files here.",
    readers: OUT_OF_REACH,
  }),
  "target-has-credentials": error({
    title: "A password in the URL",
    explain: "The URL contains a user name or a password.",
    remedy: "Browsers refuse it: take them out of the URL and give a header for its prefix instead.",
    readers: "fsspec sends them to the server.",
  }),
  /** `from`: what leads there, a set from a public address or one from a file or a paste. */
  "target-private-address": error<{ readonly host: string; readonly from: "public-address" | "file" }>({
    title: "A private address",
    explain: ({ host, from }) =>
      `${host} is on this machine or a private network. A dataset from a ${from === "file" ? "file or pasted text" : "public URL"} needs your permission to read from it.`,
    remedy: "If you trust the set, allow private addresses for it.",
    readers: "fsspec reads from there without asking.",
  }),
  "target-relative": error<{ readonly path: string }>({
    title: "A relative path",
    explain: ({ path }) =>
      `${quoted(path)} is a relative path (or names a bucket without a scheme), and none of the files given matches it.`,
    remedy:
      "Drop the target file together with the reference file, or add a rewrite rule from this prefix to its address.",
    readers: "fsspec takes it from the folder where Python runs.",
  }),
  "target-is-local": error<{ readonly path: string; readonly syntax: keyof typeof LOCAL_PATHS }>({
    title: "A path on another machine",
    explain: ({ path, syntax }) => `${quoted(path)} is ${LOCAL_PATHS[syntax]}, and none of the files given matches it.`,
    remedy: DROP_OR_REWRITE,
    readers: "fsspec reads it on the machine that has the file; elsewhere nothing is found.",
  }),
  "target-ambiguous": ofSource.error<{ readonly paths: readonly string[]; readonly fitting: number }>({
    title: "Several files match",
    explain: ({ paths, fitting }) =>
      `${count(fitting)} of the files given match equally well: ${fitting > paths.length ? `${paths.join(", ")}, …` : listed(paths)}.`,
    remedy: "Give only the right one, or add a rewrite rule from this URL to its path.",
    readers: "Readers are not affected: this is about the files that were given here.",
    action: "locations",
    question: "sources",
  }),
  "target-account-missing": error<{ readonly scheme: string; readonly container: string }>({
    title: "No Azure storage account",
    explain: ({ container }) => `The URL names the Azure container ${container} but not the storage account it is in.`,
    remedy: ({ scheme, container }) =>
      `Add a rewrite rule from ${scheme}://${container}/ to https://ACCOUNT.blob.core.windows.net/${container}/.`,
    readers: "adlfs takes the account from its options or the environment, and raises without one.",
  }),
};
