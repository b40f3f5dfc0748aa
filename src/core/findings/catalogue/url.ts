/** Targets' URLs as they are written: slips, secrets, and those that differ from all others of the set. */
import { targetAt, type Place } from "../place.ts";
import { entry, type Entry } from "./entry.ts";
import type { Facts, NoFacts } from "../fact.ts";
import { count, counted, quoted } from "../../words.ts";

/** Distinct targets of which it is found, and that there are. */
type Affected = { readonly targets: number; readonly of: number };

const RAISES = "fsspec raises, or finds nothing: zarr-python then reads the fill value.";

const urlOf = (place: Place): string => quoted(place.kind === "target" ? place.target : "", 160);

/** "All 12 targets", "3 of 12 targets". */
const share = ({ targets, of }: Affected): string =>
  targets === of ? `All ${counted(of, "target")}` : `${count(targets)} of ${counted(of, "target")}`;

const such = ({ targets }: Affected): string =>
  targets === 1 ? "" : ` The same holds for ${counted(targets - 1, "more target", "more targets")}.`;

type About<F extends Facts> = Pick<Entry<F & Affected>, "title" | "severity" | "explain" | "remedy" | "readers"> & {
  readonly example: { readonly target: string; readonly facts: F };
};

/** About a target that the references name. */
function urlEntry<F extends Facts>({ example, ...rest }: About<F>): Entry<F & Affected> {
  return entry<F & Affected>({
    ...rest,
    about: "references",
    question: "sources",
    action: "locations",
    example: { place: targetAt(example.target), facts: { ...example.facts, targets: 1, of: 12 } },
  });
}

const SYNTAX = {
  windows: "a path on a Windows machine",
  file: "a path on the machine where the set was made (file:)",
  absolute: "a path on the machine where the set was made",
} as const;

const BUCKET_RULES = {
  length: "has 3 to 63 characters",
  "upper-case": "has no upper-case letters",
  underscore: "has no underscore",
  character: "has only lower-case letters, digits, dots and hyphens",
  edge: "begins and ends with a letter or digit",
  dots: "has no two dots in a row",
  address: "is no IP address",
} as const;

const STORES = { s3: "S3", gcs: "Google Cloud Storage", azure: "Azure" } as const;

type Slip = {
  readonly problem: "slashes" | "host" | "case" | "unknown";
  readonly scheme: string;
  readonly meant: string | undefined;
};

function explainSlip({ problem, scheme }: Slip, place: Place): string {
  if (problem === "slashes") return `In ${urlOf(place)} the scheme ${quoted(scheme)} is not followed by exactly “://”.`;
  if (problem === "host") return `In ${urlOf(place)} no host or bucket stands behind “${scheme}://”.`;
  if (problem === "case")
    return `The URL ${urlOf(place)} begins with ${quoted(scheme)}: fsspec knows schemes in small letters only.`;
  return `The URL ${urlOf(place)} begins with ${quoted(scheme)}, a scheme that no reader knows.`;
}

function hostRelation({ near, regions }: { readonly near: boolean; readonly regions?: unknown }): string {
  if (regions !== undefined) return ": a bucket is in one region only";
  return near ? ": the names differ in a letter or two" : "";
}

export const URLS = {
  "url-relative": urlEntry<{ readonly whole: number }>({
    title: "Relative path among absolute URLs",
    severity: "info",
    explain: (facts, place) =>
      `${share(facts)} ${facts.targets === 1 ? "is a relative path" : "are relative paths"}, such as ${urlOf(place)}, among ${counted(facts.whole, "whole address", "whole addresses")}: where they lead depends on where the document lies.`,
    remedy: "Write whole addresses, as for the other targets.",
    readers: "fsspec takes relative paths from the folder where Python runs, or from its remote_protocol.",
    example: { target: "ocean-a.nc", facts: { whole: 11 } },
  }),
  /** `others`: targets that are no such paths. */
  "url-local-path": urlEntry<{ readonly syntax: keyof typeof SYNTAX; readonly others: number }>({
    title: "Path on the machine that wrote the dataset",
    severity: ({ others }) => (others > 0 ? "warning" : "info"),
    explain: (facts, place) =>
      `${urlOf(place)} is ${SYNTAX[facts.syntax]}: nobody else can read it.${such(facts)}${facts.others > 0 ? ` ${counted(facts.others, "other source")} ${facts.others === 1 ? "is not a local path" : "are not local paths"}.` : ""}`,
    remedy:
      "Upload the file and write its address in place of the path, or give a rewrite rule for the path's beginning.",
    readers:
      "fsspec reads it on the machine that has the file; elsewhere nothing is found, and zarr-python reads the fill value.",
    example: { target: "/home/anna/ocean-a.nc", facts: { syntax: "absolute", others: 11 } },
  }),
  "url-double-encoded": urlEntry<{ readonly written: string; readonly once: string; readonly meant: string }>({
    title: "URL percent-encoded twice",
    severity: "warning",
    explain: (facts, place) =>
      `In ${urlOf(place)} “${facts.written}” is the escape “${facts.once}” encoded once more${facts.meant === "" ? "" : `; “${facts.meant}” was probably meant`}. Undone once it still is an escape, so a file of another name is asked for.${such(facts)}`,
    remedy: ({ written, once, meant }) =>
      `Write ${meant === "" ? `“${once}”` : `“${meant}” or “${once}”`} in place of “${written}”.`,
    readers: "fsspec asks for a name with a percent sign in it; the server answers that there is no such file.",
    example: { target: "s3://ocean/a%255Fb.nc", facts: { written: "%255F", once: "%5F", meant: "_" } },
  }),
  "url-two-spellings": urlEntry<{ readonly folder: string; readonly usual: string }>({
    title: "Inconsistent folder name",
    severity: "info",
    explain: (facts, place) =>
      `${urlOf(place)} writes ${quoted(facts.folder, 120)} where the other targets write ${quoted(facts.usual, 120)}. To an object store these are different keys; where they are the same, one file counts as two.${such(facts)}`,
    remedy: ({ folder, usual }) => `Write ${quoted(usual, 120)} in place of ${quoted(folder, 120)}.`,
    readers: "fsspec sends the address as it is written; S3 finds nothing under the other spelling.",
    example: { target: "s3://ocean//a.nc", facts: { folder: "s3://ocean//", usual: "s3://ocean/" } },
  }),
  /** `meant`: what was probably meant. */
  "url-scheme-typo": urlEntry<Slip>({
    title: "Mistyped URL scheme",
    severity: "warning",
    explain: (facts, place) =>
      `${explainSlip(facts, place)}${facts.meant === undefined ? "" : ` “${facts.meant}” was probably meant.`}${such(facts)}`,
    remedy: ({ meant }) => (meant === undefined ? "Correct the scheme." : `Write “${meant}”.`),
    readers: "fsspec raises on a scheme that it does not know, and takes an address without “://” for a local path.",
    example: { target: "htps://data.example/a.nc", facts: { problem: "unknown", scheme: "htps", meant: "https://" } },
  }),
  "url-in-archive": urlEntry<NoFacts>({
    title: "A file in a zip archive",
    severity: "warning",
    explain: (facts, place) =>
      `${urlOf(place)} is a file in a zip archive, as fsspec chains URLs. It is read here; fsspec's reference filesystem does not follow the chain by itself.${such(facts)}`,
    remedy:
      "Unpack the archive and write the addresses of its files, or open the set by the Python lines that are offered for it.",
    readers:
      "fsspec.open follows such a chain; fsspec's reference filesystem does not, and raises when the set is opened (IsADirectoryError).",
    example: { target: "zip://ocean-a.nc::s3://ocean/all.zip", facts: {} },
  }),
  "url-credentials": urlEntry<{ readonly hasPassword: boolean }>({
    title: "Credentials in an address",
    severity: "warning",
    explain: (facts, place) =>
      `The address ${urlOf(place)} contains ${facts.hasPassword ? "a user name and a password (or a key and its secret)" : "a user name or token"}: whoever has the document has the credentials.${such(facts)}`,
    remedy:
      "Take them out of the references, change the password, and give credentials to the reader (storage_options) instead.",
    readers:
      "fsspec's HTTP client sends them; s3fs takes them for a part of the bucket's name; browsers refuse such addresses.",
    example: { target: "https://…@data.example/a.nc", facts: { hasPassword: true } },
  }),
  "url-fragment": urlEntry<{ readonly fragment: string; readonly scheme: string }>({
    title: "An address with a fragment (#)",
    severity: "warning",
    explain: (facts, place) =>
      `In ${urlOf(place)} “#” begins a fragment: ${quoted(facts.fragment, 80)} is never sent to a server, which is asked for what stands before it.${such(facts)}`,
    remedy: "Write %23 where “#” is part of the file's name, or remove the fragment.",
    readers:
      "HTTP clients ask for the address without the fragment; s3fs and gcsfs take “#” for a character of the name.",
    example: { target: "https://data.example/run#2.nc", facts: { fragment: "#2.nc", scheme: "https" } },
  }),
  "url-blank": urlEntry<{ readonly at: "start" | "end" | "inside" }>({
    title: "Whitespace or invisible characters in a URL",
    severity: "warning",
    explain: (facts, place) =>
      facts.at === "inside"
        ? `The address ${urlOf(place)} contains a line break or another invisible character.${such(facts)}`
        : `The address ${urlOf(place)} ${facts.at === "start" ? "begins" : "ends"} with a blank.${such(facts)}`,
    remedy: "Remove the character.",
    readers: RAISES,
    example: { target: "s3://ocean/a.nc ", facts: { at: "end" } },
  }),
  "url-bucket-invalid": urlEntry<{
    readonly name: string;
    readonly rule: keyof typeof BUCKET_RULES;
    readonly store: keyof typeof STORES;
  }>({
    title: "Invalid bucket name",
    severity: "warning",
    explain: (facts, place) =>
      `The name of a bucket of ${STORES[facts.store]} ${BUCKET_RULES[facts.rule]}; ${quoted(facts.name, 80)}, in ${urlOf(place)}, cannot be one.${such(facts)}`,
    remedy: "Correct the bucket's name.",
    readers: RAISES,
    example: { target: "s3://Ocean_data/a.nc", facts: { name: "Ocean_data", rule: "upper-case", store: "s3" } },
  }),
  /** `isPossible`: it may be a region that is newer than this version. */
  "url-region-typo": urlEntry<{
    readonly region: string;
    readonly meant: string | undefined;
    readonly isPossible: boolean;
  }>({
    title: "Unknown AWS region",
    severity: ({ isPossible }) => (isPossible ? "info" : "warning"),
    explain: (facts, place) =>
      `${urlOf(place)} names the AWS region ${quoted(facts.region, 60)}, which ${facts.isPossible ? "is not known to this version of Refscope" : "does not exist"}.${facts.meant === undefined ? "" : ` “${facts.meant}” was probably meant.`}${such(facts)}`,
    remedy: ({ meant }) => (meant === undefined ? "Correct the region." : `Write “${meant}”.`),
    readers: "The host's name is not found (DNS): fsspec raises, and zarr-python reads the fill value.",
    example: {
      target: "https://ocean.s3.us-est-1.amazonaws.com/a.nc",
      facts: { region: "us-est-1", meant: "us-east-1", isPossible: false },
    },
  }),
  /** `near`: its name is nearly that of the others. */
  "url-host-outlier": urlEntry<{
    readonly host: string;
    readonly usual: string;
    readonly others: number;
    readonly near: boolean;
    /** The bucket is the same: its region here, and that of the others. */
    readonly regions?: readonly [here: string, usual: string];
  }>({
    title: "Host differs from all other sources",
    severity: ({ regions }) => (regions === undefined ? "info" : "warning"),
    explain: (facts, place) =>
      `${urlOf(place)} is on the ${facts.host}, ${counted(facts.others, "other target")} on the ${facts.usual}${hostRelation(facts)}.${such(facts)}`,
    remedy: ({ host, usual, near, regions }) =>
      regions !== undefined
        ? `Write the region in which the bucket is: ${quoted(regions[1])} or ${quoted(regions[0])}.`
        : near
          ? `Write ${quoted(usual, 80)} if ${quoted(host, 80)} is a typo.`
          : "Check that this target belongs to the set.",
    readers: RAISES,
    example: {
      target: "s3://oceandata/a.nc",
      facts: { host: "s3 bucket oceandata", usual: "s3 bucket ocean-data", others: 11, near: true },
    },
  }),
  /** `same`: it is the same bucket. */
  "url-mixed-scheme": urlEntry<{
    readonly scheme: string;
    readonly usual: string;
    readonly others: number;
    readonly same: boolean;
  }>({
    title: "Targets over two schemes",
    severity: "info",
    explain: (facts, place) =>
      `${urlOf(place)} is read over ${facts.scheme}:, ${counted(facts.others, "other target")} over ${facts.usual}:${facts.same ? ", although both lead to the same bucket" : ""}.${such(facts)}`,
    remedy: "Write all targets over one scheme: readers get options (storage_options) for one protocol.",
    readers:
      "fsspec's remote_protocol and remote_options are for one scheme; targets of another are read without them.",
    example: {
      target: "https://ocean.s3.amazonaws.com/a.nc",
      facts: { scheme: "https", usual: "s3", others: 11, same: true },
    },
  }),
  "url-mixed-http": urlEntry<{ readonly https: number }>({
    title: "Targets over http among others over https",
    severity: "info",
    explain: (facts, place) =>
      `${urlOf(place)} is read over http:, ${counted(facts.https, "other target")} over https:. A page on https may not fetch it (mixed content).${such(facts)}`,
    remedy: "Write https: for all targets.",
    readers: "Programs read both; browsers block what is on http.",
    example: { target: "http://data.example/a.nc", facts: { https: 11 } },
  }),
  "url-signature-expired": urlEntry<{ readonly ends: string }>({
    title: "Signed URL has expired",
    severity: "warning",
    explain: (facts, place) =>
      `The signature of the address ${urlOf(place)} was good until ${facts.ends} UTC: from then on its server may refuse the address.${such(facts)}`,
    remedy: "Sign the addresses anew, or write them without a signature and give credentials to the reader.",
    readers: "The server answers 403: fsspec raises, and zarr-python may read the fill value.",
    example: {
      target: "https://data.example/a.nc?Expires=1672531200&Signature=…",
      facts: { ends: "2023-01-01 00:00" },
    },
  }),
  "url-signature-ends": urlEntry<{ readonly ends: string }>({
    title: "A signed address that will expire",
    severity: "info",
    explain: (facts, place) =>
      `The address ${urlOf(place)} is signed, and good until ${facts.ends} UTC: then its server will refuse it. Until then whoever has the document can read it.${such(facts)}`,
    remedy: "Write addresses without a signature, and give credentials to the reader.",
    readers: "Readers read it until then.",
    example: { target: "https://data.example/a.nc?se=2040-01-01&sig=…", facts: { ends: "2040-01-01 00:00" } },
  }),
};
