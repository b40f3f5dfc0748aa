/** Targets that cannot be read from here, known without a request. */
import { targetAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { NoFacts } from "../fact.ts";
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

export const TARGET = {
  /** `references`: how many of a set; absent where one of them is to be read. */
  "target-null": entry<{ readonly references?: number }>({
    title: "References without a URL",
    severity: ({ references }) => (references === undefined ? "error" : "info"),
    explain: ({ references }) =>
      references === undefined
        ? "The reference names no URL (null), and no target was given for this set."
        : `${counted(references, "reference")} ${references === 1 ? "has" : "have"} null for a URL: the target given when opening is meant (fsspec's “target”).`,
    remedy: "Give the file that the null URLs mean as the set's target in the locations, or drop it here.",
    readers: "fsspec reads the target it was given when the set was opened, and raises without one.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: WHOLE_SET, facts: { references: 12 } },
  }),
  "target-has-template": entry<NoFacts>({
    title: "Unresolved template in a URL",
    severity: "error",
    explain: () => "The URL contains a template ({{…}}) that is not filled in.",
    remedy: "No template of the set fills it in, nor does any reader: correct the URL.",
    readers: FSSPEC_RAISES,
    about: "references",
    question: "sources",
    example: { place: targetAt("{{base}}/ocean-a.nc"), facts: {} },
  }),
  "target-chained": entry<{ readonly scheme: string }>({
    title: "A chain of URLs",
    severity: "error",
    explain: ({ scheme }) => `The URL is a chain (fsspec's “::”) through ${scheme}, which is not followed.`,
    remedy: "Unpack the inner file, and add a rewrite rule from this prefix to where it then is.",
    readers: "fsspec follows chains when it opens a file, but not as targets of references.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("tar://ocean-a.nc::s3://ocean/all.tar"), facts: { scheme: "tar" } },
  }),
  "target-archive-unnamed": entry<{ readonly path: string }>({
    title: "An archive that is not named",
    severity: "error",
    explain: ({ path }) => `The URL names the file ${quoted(path)} in a zip archive, but not the archive.`,
    remedy: "Drop the archive here, or give it as the set's target in the locations.",
    readers: 'fsspec reads it where it is given the archive: remote_protocol="zip", remote_options={"fo": …}.',
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("zip://ocean-a.nc"), facts: { path: "ocean-a.nc" } },
  }),
  "target-data-malformed": entry<MalformedData>({
    title: "A data: URL without data",
    severity: "error",
    explain: explainMalformedData,
    remedy: "Write the data as base64, or as an inline value of the reference set.",
    readers: ({ problem }) =>
      problem === "scheme"
        ? "fsspec takes what stands before “://” for a scheme that it does not know, and opens nothing of the set."
        : problem === "length"
          ? "fsspec reads it: it has no such limit."
          : "fsspec raises when it is read.",
    about: "references",
    question: "sources",
    example: { place: targetAt("data:text/plain"), facts: { problem: "comma" } },
  }),
  "target-data-replaced": entry<NoFacts>({
    title: "A data: URL whose bytes are not text",
    severity: "warning",
    explain: () =>
      "The URL writes bytes by percent signs that are not UTF-8. fsspec reads them as text, with “\ufffd” (three bytes) where they are none; these bytes are shown.",
    remedy: "Write the data as base64.",
    readers: "fsspec's bytes differ from those that RFC 2397 means; browsers read the latter.",
    about: "references",
    inPlace: true,
    question: "sources",
    example: { place: targetAt("data:,%ff%fe"), facts: {} },
  }),
  "target-malformed": entry<Malformed>({
    title: "Invalid URL",
    severity: "error",
    explain: explainMalformed,
    remedy: "Correct the URL, or add a rewrite rule.",
    readers: FSSPEC_RAISES,
    about: "references",
    question: "sources",
    example: { place: targetAt("s3://-ocean/a.nc"), facts: { problem: "s3-bucket", name: "-ocean" } },
  }),
  "target-scheme-unsupported": entry<{ readonly scheme: string }>({
    title: "Unsupported URL scheme",
    severity: "error",
    explain: ({ scheme }) => `The URL's scheme is ${scheme}:, which a page cannot read.`,
    remedy: "Add a rewrite rule from this prefix to an http(s) address of the same files, or drop the files here.",
    readers: OUT_OF_REACH,
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("hdfs://ocean/a.nc"), facts: { scheme: "hdfs" } },
  }),
  "target-has-credentials": entry<NoFacts>({
    title: "A password in the URL",
    severity: "error",
    explain: () => "The URL contains a user name or a password.",
    remedy: "Browsers refuse it: take them out of the URL and give a header for its prefix instead.",
    readers: "fsspec sends them to the server.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("https://data.example/ocean-a.nc"), facts: {} },
  }),
  /** `from`: what leads there, a set from a public address or one from a file or a paste. */
  "target-private-address": entry<{ readonly host: string; readonly from: "public-address" | "file" }>({
    title: "A private address",
    severity: "error",
    explain: ({ host, from }) =>
      `${host} is on this machine or a private network. A dataset from a ${from === "file" ? "file or pasted text" : "public URL"} needs your permission to read from it.`,
    remedy: "If you trust the set, allow private addresses for it.",
    readers: "fsspec reads from there without asking.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("http://192.168.0.7/a.nc"), facts: { host: "192.168.0.7", from: "file" } },
  }),
  "target-relative": entry<{ readonly path: string }>({
    title: "A relative path",
    severity: "error",
    explain: ({ path }) =>
      `${quoted(path)} is a relative path (or names a bucket without a scheme), and none of the files given matches it.`,
    remedy:
      "Drop the target file together with the reference file, or add a rewrite rule from this prefix to its address.",
    readers: "fsspec takes it from the folder where Python runs.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("data/ocean-a.nc"), facts: { path: "data/ocean-a.nc" } },
  }),
  "target-is-local": entry<{ readonly path: string; readonly syntax: keyof typeof LOCAL_PATHS }>({
    title: "A path on another machine",
    severity: "error",
    explain: ({ path, syntax }) => `${quoted(path)} is ${LOCAL_PATHS[syntax]}, and none of the files given matches it.`,
    remedy: DROP_OR_REWRITE,
    readers: "fsspec reads it on the machine that has the file; elsewhere nothing is found.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("/data/ocean-a.nc"), facts: { path: "/data/ocean-a.nc", syntax: "absolute" } },
  }),
  "target-ambiguous": entry<{ readonly paths: readonly string[]; readonly fitting: number }>({
    title: "Several files match",
    severity: "error",
    explain: ({ paths, fitting }) =>
      `${count(fitting)} of the files given match equally well: ${fitting > paths.length ? `${paths.join(", ")}, …` : listed(paths)}.`,
    remedy: "Give only the right one, or add a rewrite rule from this URL to its path.",
    readers: "Readers are not affected: this is about the files that were given here.",
    about: "source",
    action: "locations",
    question: "sources",
    example: {
      place: targetAt("s3://ocean/a.nc"),
      facts: { paths: ["2020/a.nc", "2021/a.nc"], fitting: 2 },
    },
  }),
  "target-account-missing": entry<{ readonly scheme: string; readonly container: string }>({
    title: "No Azure storage account",
    severity: "error",
    explain: ({ container }) => `The URL names the Azure container ${container} but not the storage account it is in.`,
    remedy: ({ scheme, container }) =>
      `Add a rewrite rule from ${scheme}://${container}/ to https://ACCOUNT.blob.core.windows.net/${container}/.`,
    readers: "adlfs takes the account from its options or the environment, and raises without one.",
    about: "references",
    action: "locations",
    question: "sources",
    example: { place: targetAt("az://ocean/a.nc"), facts: { scheme: "az", container: "ocean" } },
  }),
};
