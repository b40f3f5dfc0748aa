/** Source URLs as they are written: typos, secrets, and those that differ from all others of the dataset. */
import { about, type Entry, said as saidOf } from "./entry.ts";
import type { Facts, NoFacts, Place } from "../fact.ts";
import type { Placeholder, PlaceholderKind } from "#core/urls/placeholders.ts";
import { count, counted, quoted } from "#core/words.ts";

/** Distinct sources of which it is found, and that there are. */
type Affected = { readonly targets: number; readonly of: number };

const RAISES = "fsspec raises, or finds nothing and zarr-python then returns the fill value.";

const urlOf = (place: Place): string => quoted(place.kind === "target" ? place.target : "", 160);

/** "All 12 sources", "3 of 12 sources". */
const share = ({ targets, of }: Affected): string =>
  targets === of ? `All ${counted(of, "source")}` : `${count(targets)} of ${counted(of, "source")}`;

const such = ({ targets }: Affected): string =>
  targets === 1 ? "" : ` The same applies to ${counted(targets - 1, "more source")}.`;

type About<F extends Facts> = Pick<Entry<F & Affected>, "remedy" | "readers"> & {
  /** With its full stop; of further sources the family tells. */
  readonly explain: (facts: F & Affected, url: string) => string;
  readonly severity?: Entry<F>["severity"];
  readonly isShare?: true;
};

const { graded } = about("references", { question: "sources", action: "locations" });

/** About the URL of a source that the references name. */
const url = <F extends Facts = NoFacts>(title: string, { explain, severity = "warning", isShare, ...rest }: About<F>) =>
  graded<F & Affected>(title, {
    ...rest,
    // `isGone`: nothing was found there.
    severity: (facts: Facts) => (facts["isGone"] === true ? "error" : saidOf(severity, facts as F)),
    explain: (facts, place) => `${explain(facts, urlOf(place))}${isShare ? "" : such(facts)}`,
  });

const SYNTAX = {
  windows: "a path on a Windows machine",
  file: "a path on the machine that wrote the dataset (file:)",
  absolute: "a path on the machine that wrote the dataset",
} as const;

const BUCKET_RULES = {
  length: "has 3 to 63 characters",
  "upper-case": "has no upper-case letters",
  underscore: "has no underscore",
  character: "has only lower-case letters, digits, dots and hyphens",
  edge: "begins and ends with a letter or digit",
  dots: "never has two dots in a row",
  address: "is not an IP address",
} as const;

const STORES = { s3: "S3", gcs: "Google Cloud Storage", azure: "Azure" } as const;

type Slip = {
  readonly problem: "slashes" | "host" | "case" | "unknown";
  readonly scheme: string;
  readonly meant: string | undefined;
};

function explainSlip({ problem, scheme }: Slip, url: string): string {
  if (problem === "slashes") return `In ${url} the scheme ${quoted(scheme)} is not followed by exactly “://”.`;
  if (problem === "host") return `In ${url} no host or bucket follows “${scheme}://”.`;
  const known = problem === "case" ? "fsspec accepts schemes in lower case only" : "no reader knows this scheme";
  return `The URL ${url} begins with ${quoted(scheme)}: ${known}.`;
}

function hostRelation({ near, regions }: { readonly near: boolean; readonly regions?: unknown }): string {
  if (regions !== undefined) return ": a bucket is in one region only";
  return near ? ": the names differ in a letter or two" : "";
}

const meantText = (meant: string | undefined) => (meant === undefined ? "" : ` “${meant}” was probably meant.`);

type UrlBucketInvalid = { name: string; rule: keyof typeof BUCKET_RULES; store: keyof typeof STORES };
type UrlMixedScheme = { scheme: string; usual: string; others: number; same: boolean };

const PLACEHOLDERS: Readonly<Record<PlaceholderKind, readonly [is: string, remedy: string]>> = {
  dmrpp: [
    "OPeNDAP's placeholder for the address of the data file: only its server fills it in",
    "Replace it with the data file's URL, or make the DMR++ again with get_dmrpp -u URL.",
  ],
  "dmrpp-missing": [
    "OPeNDAP's placeholder for the address of the file with generated coordinates, which get_dmrpp writes beside the data file: only its server fills it in",
    "Replace it with the URL of that file (get_dmrpp -p URL), or make these arrays from the description of the grid.",
  ],
  template: [
    "a template that nobody filled in",
    "Define it under “templates” of a Version 1 document, or replace it with its value.",
  ],
  name: ["a name to be filled in", "Write the real name instead."],
  nothing: [
    "what a program writes when it has no address",
    "Make the references again and pass the file's URL, or replace the text with the URL.",
  ],
  memory: [
    "an address in the memory of the process that wrote the references",
    "Upload the file and replace the address with its URL, or write these chunks inline.",
  ],
  object: [
    "Python's description of an open file",
    "Make the references again and pass the file's URL as text, not the open file.",
  ],
};

export const URLS = {
  /** `beside`: the file that OPeNDAP's placeholder probably stands for. */
  "url-placeholder": url<Placeholder & { beside: string | undefined }>("Placeholder instead of a URL", {
    severity: "error",
    explain: ({ problem, text }, url) =>
      `${url === quoted(text, 160) ? `The address ${url}` : `${quoted(text, 80)} in ${url}`} is ${text === "" ? "empty: it is " : ""}${PLACEHOLDERS[problem][0]}.`,
    remedy: ({ problem, beside }) =>
      `${PLACEHOLDERS[problem][1]}${beside === undefined ? "" : ` The file is probably named ${quoted(beside, 120)}.`}`,
    readers: RAISES,
  }),
  "url-relative": url<{ whole: number }>("Relative path among absolute URLs", {
    severity: "info",
    isShare: true,
    explain: (facts, url) =>
      `${share(facts)} ${facts.targets === 1 ? "is a relative path" : "are relative paths"}, such as ${url}, among ${counted(facts.whole, "absolute URL")}. Where they lead depends on where the reference file is.`,
    remedy: "Write absolute URLs, as for the other sources.",
    readers: "fsspec resolves relative paths from the folder where Python runs, or from its remote_protocol.",
  }),
  /** `others`: sources that are not local paths. */
  "url-local-path": url<{ syntax: keyof typeof SYNTAX; others: number }>("Path on the machine that wrote the dataset", {
    severity: ({ others }) => (others > 0 ? "warning" : "info"),
    isShare: true,
    explain: (facts, url) =>
      `${url} is ${SYNTAX[facts.syntax]}; nobody else can read it.${such(facts)}${facts.others > 0 ? ` ${counted(facts.others, "other source")} ${facts.others === 1 ? "is not a local path" : "are not local paths"}.` : ""}`,
    remedy: "Upload the file and replace the path with its URL, or add a rewrite rule for the start of the path.",
    readers:
      "fsspec reads it on the machine that has the file. Elsewhere it finds nothing, and zarr-python returns the fill value.",
  }),
  "url-double-encoded": url<{ written: string; once: string; meant: string }>("URL percent-encoded twice", {
    explain: ({ written, once, meant }, url) =>
      `In ${url} “${written}” is the escape “${once}” encoded again${meant === "" ? "" : `; “${meant}” was probably meant`}. Decoded once it is still an escape, so readers request a file of another name.`,
    remedy: ({ written, once, meant }) =>
      `Replace “${written}” with ${meant === "" ? `“${once}”` : `“${meant}” or “${once}”`}.`,
    readers: "fsspec requests a name with a percent sign in it; the server answers that there is no such file.",
  }),
  "url-two-spellings": url<{ folder: string; usual: string }>("Inconsistent folder name", {
    severity: "info",
    explain: ({ folder, usual }, url) =>
      `${url} writes ${quoted(folder, 120)}; the other sources write ${quoted(usual, 120)}. To an object store these are different keys. On a server that treats them as one, a single file counts as two.`,
    remedy: ({ folder, usual }) => `Replace ${quoted(folder, 120)} with ${quoted(usual, 120)}.`,
    readers: "fsspec sends the URL as it is written; S3 finds nothing under the other spelling.",
  }),
  /** `meant`: what was probably meant. */
  "url-scheme-typo": url<Slip>("Mistyped URL scheme", {
    explain: (facts, url) => `${explainSlip(facts, url)}${meantText(facts.meant)}`,
    remedy: ({ meant }) => (meant === undefined ? "Correct the scheme." : `Write “${meant}”.`),
    readers: "fsspec raises on an unknown scheme, and treats a URL without “://” as a local path.",
  }),
  "url-in-archive": url("File inside a ZIP archive", {
    explain: (_, url) =>
      `${url} is a file in a ZIP archive, written as an fsspec URL chain. Refscope reads it; fsspec's reference filesystem does not follow the chain by itself.`,
    remedy:
      "Unpack the archive and write the URLs of its files, or open the dataset with the Python lines Refscope offers.",
    readers:
      "fsspec.open follows such a chain. fsspec's reference filesystem does not, and raises IsADirectoryError when it opens the dataset.",
  }),
  "url-credentials": url<{ hasPassword: boolean }>("Credentials in a URL", {
    explain: ({ hasPassword }, url) =>
      `The URL ${url} contains ${hasPassword ? "a user name and a password (or a key and its secret)" : "a user name or token"}. Anyone with the reference file has these credentials.`,
    remedy:
      "Remove them from the references, change the password, and give credentials to the reader (storage_options) instead.",
    readers: "fsspec's HTTP client sends them; s3fs reads them as part of the bucket name; browsers refuse such URLs.",
  }),
  "url-fragment": url<{ fragment: string; scheme: string }>("Fragment (#) in a URL", {
    explain: ({ fragment }, url) =>
      `In ${url} “#” begins a fragment. Clients never send ${quoted(fragment, 80)} to a server; they request only the part before it.`,
    remedy: "If “#” is part of the file name, write %23; otherwise remove the fragment.",
    readers: "HTTP clients request the URL without the fragment; s3fs and gcsfs read “#” as a character of the name.",
  }),
  "url-query-unsent": url("Query not sent with a location", {
    severity: "info",
    explain: (_, url) =>
      `The location ${url} has a query (“?” and what follows it). Icechunk locations name an object: the official reader, and Refscope like it, request the URL without the query.`,
    remedy: "If “?” is part of the object's name, write %3F. If the query is a signature, give credentials instead.",
    readers: "Icechunk requests the URL without the query.",
  }),
  "url-blank": url<{ at: "start" | "end" | "inside" }>("Whitespace or invisible characters in a URL", {
    explain: ({ at }, url) =>
      `The URL ${url} ${at === "inside" ? "contains a line break or another invisible character" : at === "start" ? "begins with a space" : "ends with a space"}.`,
    remedy: "Remove the character.",
    readers: RAISES,
  }),
  "url-bucket-invalid": url<UrlBucketInvalid>("Invalid bucket name", {
    explain: ({ name, rule, store }, url) =>
      `A bucket name on ${STORES[store]} ${BUCKET_RULES[rule]}; ${quoted(name, 80)}, in ${url}, breaks this rule.`,
    remedy: "Correct the bucket name.",
    readers: RAISES,
  }),
  /** `isPossible`: it may be a region that is newer than this version. */
  "url-region-typo": url<{ region: string; meant: string | undefined; isPossible: boolean }>("Unknown AWS region", {
    severity: ({ isPossible }) => (isPossible ? "info" : "warning"),
    explain: ({ region, meant, isPossible }, url) =>
      `${url} names the AWS region ${quoted(region, 60)}, which ${isPossible ? "this version of Refscope does not know" : "does not exist"}.${meantText(meant)}`,
    remedy: ({ meant }) => (meant === undefined ? "Correct the region." : `Write “${meant}”.`),
    readers: "The host name is not found (DNS): fsspec raises, and zarr-python returns the fill value.",
  }),
  /** `near`: its name is nearly that of the others. */
  "url-host-outlier": url<{
    host: string;
    usual: string;
    others: number;
    near: boolean;
    /** The bucket is the same: its region here, and that of the others. */
    regions?: readonly [here: string, usual: string];
  }>("Host differs from all other sources", {
    severity: ({ regions }) => (regions === undefined ? "info" : "warning"),
    explain: (facts, url) =>
      `${url} is on the ${facts.host}, ${counted(facts.others, "other source")} on the ${facts.usual}${hostRelation(facts)}.`,
    remedy: ({ host, usual, near, regions }) => {
      if (regions !== undefined)
        return `Write the region that the bucket is in: ${quoted(regions[1])} or ${quoted(regions[0])}.`;
      if (near) return `If ${quoted(host, 80)} is a typo, write ${quoted(usual, 80)}.`;
      return "Check that this source belongs to the dataset.";
    },
    readers: RAISES,
  }),
  /** `same`: it is the same bucket. */
  "url-mixed-scheme": url<UrlMixedScheme>("Sources over two schemes", {
    severity: "info",
    explain: ({ scheme, usual, others, same }, url) =>
      `${url} uses ${scheme}:; ${counted(others, "other source")} ${others === 1 ? "uses" : "use"} ${usual}:${same ? ", although both lead to the same bucket" : ""}.`,
    remedy: "Write all sources with one scheme: readers get options (storage_options) for one protocol.",
    readers:
      "fsspec's remote_protocol and remote_options apply to one scheme; sources with another are read without them.",
  }),
  "url-mixed-http": url<{ https: number }>("Some sources use http, others https", {
    severity: "info",
    explain: ({ https }, url) =>
      `${url} uses http:; ${counted(https, "other source")} ${https === 1 ? "uses" : "use"} https:. A page on https may not fetch it (mixed content).`,
    remedy: "Write https: for all sources.",
    readers: "Programs read both; browsers block those on http.",
  }),
  "url-signature-expired": url<{ ends: string }>("Signed URL has expired", {
    explain: ({ ends }, url) =>
      `The signature of the URL ${url} was valid until ${ends} UTC. Since then its server may refuse the URL.`,
    remedy: "Sign the URLs again, or write them without a signature and give credentials to the reader.",
    readers: "The server returns status 403: fsspec raises, and zarr-python may return the fill value.",
  }),
  "url-signature-ends": url<{ ends: string }>("Signed URL will expire", {
    severity: "info",
    explain: ({ ends }, url) =>
      `The URL ${url} is signed and valid until ${ends} UTC; then its server will refuse it. Until then anyone with the reference file can read it.`,
    remedy: "Write URLs without a signature, and give credentials to the reader.",
    readers: "Readers can use it until then.",
  }),
};
