/** Sources that cannot be read from here, known without a request. */
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const OUT_OF_REACH = "fsspec reads it if it has the files, or the package for the scheme.";
const FSSPEC_RAISES = "fsspec raises, or finds nothing and zarr-python then returns the fill value.";
const DROP_OR_REWRITE = "Drop the file here, or add a rewrite rule from this prefix to a URL of the same files.";

const LOCAL_PATHS = {
  windows: "a Windows path",
  file: "a path on the machine that wrote the dataset",
  absolute: "an absolute path",
  name: "a file name",
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

const MALFORMED_DATA = {
  comma: "Expected a comma before the data of the data: URL; found none.",
  scheme: "The data contains “://”, and fsspec looks for a scheme before it.",
  base64: "Expected the data to be base64; either it is not, or its last group is not padded with “=”.",
  surrogate: "The data contains half a character (a lone surrogate), which has no bytes.",
  length: ({ length, limit }: { length: number; limit: number }) =>
    `Refscope reads data: URLs of at most ${counted(limit, "character")}; this one has ${count(length)}.`,
};

const { error, graded } = about("references", { question: "sources", action: "locations" });
const sources = about("references", { question: "sources" });

export const TARGET = {
  /** `references`: how many of a set; absent where one of them is to be read. */
  "target-null": graded<{ references?: number }>("References without a URL", {
    severity: ({ references }) => (references === undefined ? "error" : "info"),
    explain: ({ references }) =>
      references === undefined
        ? "The reference's URL is null, and the dataset was opened without a target."
        : `${counted(references, "reference")} ${references === 1 ? "has" : "have"} null for a URL. This means the target given when opening (fsspec's “target”).`,
    remedy: "Set the file that the null URLs stand for as the dataset's target in Locations, or drop it here.",
    readers: "fsspec reads the target given when it opened the dataset, and raises without one.",
  }),
  "target-has-template": sources.error("Unresolved template in a URL", {
    explain: "The URL contains an unresolved template ({{…}}).",
    remedy: "Correct the URL: no template of the dataset resolves it, and no reader does.",
    readers: FSSPEC_RAISES,
  }),
  "target-chained": error<{ scheme: string }>("Chained URL", {
    explain: ({ scheme }) => `The URL is a chain (fsspec's “::”) through ${scheme}, which Refscope does not follow.`,
    remedy: "Unpack the inner file, and add a rewrite rule from this prefix to its new place.",
    readers: "fsspec follows chains when it opens a file, but not in references.",
  }),
  "target-archive-unnamed": error<{ path: string }>("Archive not named", {
    explain: ({ path }) => `The URL names the file ${quoted(path)} in a ZIP archive, but not the archive.`,
    remedy: "Drop the archive here, or set it as the dataset's target in Locations.",
    readers: 'fsspec reads it if it is given the archive: remote_protocol="zip", remote_options={"fo": …}.',
  }),
  "target-data-malformed": sources.error<ToldBy<typeof MALFORMED_DATA>>("Invalid data: URL", {
    explain: sentenceOf(MALFORMED_DATA, "problem"),
    remedy: "Write the data as base64, or as an inline value.",
    readers: ({ problem }) =>
      problem === "scheme"
        ? "fsspec reads the text before “://” as an unknown scheme, and opens nothing of the dataset."
        : problem === "length"
          ? "fsspec reads it: it has no such limit."
          : "fsspec raises when it reads it.",
  }),
  "target-data-replaced": sources.warning("Non-UTF-8 data: URL", {
    explain:
      "The URL's percent-encoded bytes are not UTF-8. fsspec reads them as text, with “\ufffd” (three bytes) for invalid ones. Refscope shows these bytes.",
    remedy: "Write the data as base64.",
    readers: "fsspec's bytes differ from those of RFC 2397, which browsers follow.",
    inPlace: true,
  }),
  "target-malformed": sources.error<Malformed>("Invalid URL", {
    explain: explainMalformed,
    remedy: "Correct the URL, or add a rewrite rule.",
    readers: FSSPEC_RAISES,
  }),
  "target-scheme-unsupported": error<{ scheme: string }>("Unsupported URL scheme", {
    explain: ({ scheme }) => `A page cannot read URLs with the scheme ${scheme}:.`,
    remedy: "Add a rewrite rule from this prefix to an http(s) URL of the same files, or drop the files here.",
    readers: OUT_OF_REACH,
  }),
  "target-has-credentials": error("Password in the URL", {
    explain: "The URL contains a user name or a password.",
    remedy: "Remove them from the URL, because browsers refuse it. Add a header for its prefix instead.",
    readers: "fsspec sends them to the server.",
  }),
  /** `from`: what leads there, a set from a public address or one from a file or a paste. */
  "target-private-address": error<{ host: string; from: "public-address" | "file" }>("Private network address", {
    explain: ({ host, from }) =>
      `${host} is on this machine or a private network. A dataset from a ${from === "file" ? "file or pasted text" : "public URL"} needs your permission to read from it.`,
    remedy: "If you trust the dataset, allow private addresses for it.",
    action: "allow-private",
    readers: "fsspec reads from there without asking.",
  }),
  "target-relative": error<{ path: string }>("Relative path", {
    explain: ({ path }) =>
      `${quoted(path)} is a relative path, or names a bucket without a scheme. None of the files you provided matches it.`,
    remedy: "Drop the source file together with the reference file, or add a rewrite rule from this prefix to its URL.",
    readers: "fsspec resolves it from the folder where Python runs.",
  }),
  "target-is-local": error<{ path: string; syntax: keyof typeof LOCAL_PATHS }>("Path on another machine", {
    explain: ({ path, syntax }) =>
      `${quoted(path)} is ${LOCAL_PATHS[syntax]}. None of the files you provided matches it.`,
    remedy: DROP_OR_REWRITE,
    readers: "fsspec reads it on the machine that has the file; elsewhere it finds nothing.",
  }),
  "target-ambiguous": error<{ paths: readonly string[]; fitting: number }>("Several files match", {
    explain: ({ paths, fitting }) =>
      `${count(fitting)} of the files you provided match equally well: ${fitting > paths.length ? `${paths.join(", ")}, …` : listed(paths)}.`,
    remedy: "Provide only the right one, or add a rewrite rule from this URL to its path.",
    readers: "Readers are not affected: this is about the files you provided.",
    about: "source",
  }),
  "target-account-missing": error<{ scheme: string; container: string }>("Missing Azure storage account", {
    explain: ({ container }) => `The URL names the Azure container ${container}, but not its storage account.`,
    remedy: ({ scheme, container }) =>
      `Add a rewrite rule from ${scheme}://${container}/ to https://ACCOUNT.blob.core.windows.net/${container}/.`,
    readers: "adlfs gets the account from its options or the environment, and raises without one.",
  }),
};
