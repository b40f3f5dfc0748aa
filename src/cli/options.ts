/** The options of the terminal: one entry says how an option is written, what it means, and how its argument is read. */
import { type Locations, NO_LOCATIONS } from "../core/byte-source.ts";
import { parseAskedReader } from "../core/readers/asked-reader.ts";
import { READER_IDS } from "../core/readers/ids.ts";

interface Flag {
  readonly help: string;
}

interface WithArgument<T> extends Flag {
  /** Name of the argument in help: "FILE". */
  readonly argument: string;
  /** From the argument as given. Throws `Error` with what was expected. */
  readonly parse: (text: string) => T;
  /** May be given often: values are put together. */
  readonly isMany?: true;
}

const asGiven = (text: string): string => text;

/** Whole numbers, without a sign. */
function numberFrom(least: number, what: string, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new Error(`expects ${what}, found “${text}”`);
  };
}

/** `words`: what completion offers. */
function oneOf<const T extends string>(...words: readonly T[]) {
  const parse = (text: string): T => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new Error(`expects one of ${words.join(", ")}, found “${text}”`);
  };
  return Object.assign(parse, { words });
}

const orAll =
  (least: number, what: string) =>
  (text: string): number | "all" =>
    text === "all" ? "all" : numberFrom(least, what)(text);

function originFrom(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/") return url.origin;
  throw new Error(`expects the origin of a page, such as https://example.org, found “${text}”`);
}

function pairFrom(text: string): readonly [name: string, value: string] {
  const at = text.indexOf("=");
  if (at >= 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new Error(`expects NAME=VALUE, found “${text}”`);
}

const formatFrom = oneOf("text", "json", "sarif", "github", "markdown");

function reportFrom(text: string): readonly [format: ReturnType<typeof formatFrom>, path: string] {
  const [format, path] = pairFrom(text);
  return [formatFrom(format), path];
}

/** `-` and paths are lists of packages: read where they are needed. */
function readerFrom(text: string): string {
  if (text === "-" || /[./\\]/.test(text.split("@", 1)[0] ?? "") || parseAskedReader(text) !== undefined) return text;
  throw new Error(
    `expects one of ${READER_IDS.join(", ")}, or all, each also with @VERSION or @YYYY-MM, or a file with the output of pip list, found “${text}”`,
  );
}

/** `0.0.1`; nothing for an array without dimensions. */
function coordinatesFrom(text: string): readonly number[] {
  if (text === "") return [];
  if (/^\d+(?:[./]\d+)*$/.test(text)) return text.split(/[./]/).map(Number);
  throw new Error(`expects coordinates such as 0.0.1, found “${text}”`);
}

/** To prefixes of addresses. */
function hostFrom(text: string): readonly string[] {
  if (/^(?:https?|s3):\/\/[^/@?#\s]+\/?$/.test(text) && URL.canParse(text))
    return [new URL(text).href.replace(/\/?$/, "/")];
  const [url, plain] = [`https://${text}/`, `http://${text}/`];
  if (!/[\s/@?#\\]/.test(text) && URL.canParse(url)) return [new URL(url).href, new URL(plain).href];
  throw new Error(`expects a host such as data.example or data.example:8443, or s3://BUCKET, found “${text}”`);
}

/** Options by their name in code; the command line has it in kebab case. */
export const OPTIONS = {
  json: { help: "print JSON; with several REFS an object keyed by name" },
  root: { argument: "DIR", parse: asGiven, help: "look up relative and file sources here; read nothing outside it" },
  target: { argument: "FILE", parse: asGiven, help: "what null URLs mean (a path below --root, or a URL)" },
  allowPrivate: { help: "let a dataset from elsewhere read this machine and private networks" },
  choice: { argument: "ID", parse: asGiven, help: "which dataset to open if the document holds several" },
  ref: { argument: "REF", parse: asGiven, help: "NAME, branch:NAME, tag:NAME or snapshot:ID of a repository (main)" },
  limit: { argument: "N", parse: numberFrom(1, "a number of snapshots"), help: "list at most N snapshots (1000)" },
  by: {
    argument: "METHOD",
    parse: oneOf("auto", "manifests"),
    help: "manifests: compare manifests even where transaction logs would do",
  },
  network: { help: "check that sources exist and are unchanged: two small requests each" },
  limitTargets: {
    argument: "N",
    parse: (text: string) => (text === "all" ? Infinity : numberFrom(1, "a number of sources or all")(text)),
    help: "check at most N sources, sampled evenly, or all (2000, and 64 by their own index)",
  },
  origin: { argument: "ORIGIN", parse: originFrom, help: "page to test CORS for (any)" },
  region: { argument: "REGION", parse: asGiven, help: "region of an S3 bucket" },
  deep: {
    argument: "N|all",
    parse: orAll(1, "a number of chunks or all"),
    help: "decode N chunks, suspicious ones first, and compare their values",
  },
  reader: {
    argument: "NAME",
    parse: readerFrom,
    help: "check compatibility with a reader, or all of them; NAME@VERSION, NAME@YYYY-MM, or a file (- is stdin) with what pip list prints",
  },
  expect: { argument: "FILE", parse: asGiven, help: "what the dataset must have: arrays, dimensions, coordinates" },
  accept: { argument: "FILE", parse: asGiven, help: "accepted findings, each with a reason" },
  writeExpect: { argument: "FILE", parse: asGiven, help: "write an expectations file from the dataset, to edit" },
  writeAccept: { argument: "FILE", parse: asGiven, help: "write an acceptance file from what is found, to edit" },
  fix: { help: "write the document with all fixes that are safe applied: needs --out or --in-place" },
  force: { help: "replace a file that is there already; never one that the command reads" },
  inPlace: { help: "with --fix: replace the document itself" },
  diff: { help: "print these changes as a unified diff, and nothing else" },
  failOn: {
    argument: "LEVEL",
    parse: oneOf("error", "warning", "new"),
    help: "exit with 1 on error (default), warning, or new (not in --accept)",
  },
  format: {
    argument: "FORMAT",
    parse: formatFrom,
    help: "text, json, sarif, github or markdown",
  },
  report: {
    argument: "FORMAT=FILE",
    parse: reportFrom,
    isMany: true,
    help: "also write a report to a file, in any of these formats; may be given several times",
  },
  offline: { help: "do not use the network; remote sources fail immediately" },
  chunks: { help: "also hash each chunk" },
  threads: {
    argument: "N",
    parse: numberFrom(0, "a number from 0 to 99", 99),
    help: "threads that decode chunks (one per core); 0 for none",
  },
  array: { argument: "PATH", parse: asGiven, help: "the array to read" },
  select: { argument: "SELECTION", parse: asGiven, help: "part of it, as NumPy indexes: 0,10:20,: (all)" },
  cf: { help: "values as xarray decodes them: scaled, missing as NaN, times as dates" },
  npy: { argument: "FILE", parse: asGiven, help: "write the values to an .npy file" },
  chunk: { argument: "COORDINATES", parse: coordinatesFrom, help: "the chunk, such as 0.0.1" },
  out: {
    argument: "FILE",
    parse: asGiven,
    help: "file or folder to write; of capsule named after the chunk if not given",
  },
  as: {
    argument: "FORM",
    parse: oneOf("kerchunk-json", "kerchunk-json-v0", "kerchunk-parquet"),
    help: "kerchunk-json (Version 1), kerchunk-json-v0 or kerchunk-parquet",
  },
  recordSize: { argument: "N", parse: numberFrom(1, "a number"), help: "references in a Parquet file (100,000)" },
  inlineBelow: {
    argument: "N",
    parse: numberFrom(0, "a number of bytes"),
    help: "inline chunks of fewer than N bytes",
  },
  zarr: { argument: "2|3", parse: oneOf("2", "3"), help: "metadata as Kerchunk writes them (2), or VirtualiZarr (3)" },
  values: {
    argument: "N|all",
    parse: orAll(1, "a number of chunks or all"),
    help: "decode N chunks of each array (100), or all, and compare their values",
  },
  inline: { help: "include the chunk's bytes, so that nothing else is needed" },
  template: {
    argument: "NAME=VALUE",
    parse: pairFrom,
    isMany: true,
    help: "another value for a template; may be given several times",
  },
  most: {
    argument: "N",
    parse: numberFrom(0, "a number of references"),
    help: "limit on references generated by gen (10,000,000)",
  },
  along: {
    argument: "DIM",
    parse: asGiven,
    help: "the dimension along which the files lie, or a new one (the one in which they differ)",
  },
  port: {
    argument: "N",
    parse: numberFrom(1, "a port from 1 to 65535", 65_535),
    help: "port on 127.0.0.1 (any free one)",
  },
  noBrowser: { help: "only print the address" },
  relay: {
    argument: "HOST",
    parse: hostFrom,
    isMany: true,
    help: "also read from HOST, HOST:PORT or s3://BUCKET, private ones too; may be given several times",
  },
  netrc: { help: "log in with ~/.netrc (or what NETRC names) to the dataset's hosts that are in it" },
  bearerEnv: {
    argument: "NAME",
    parse: asGiven,
    help: "send the token in this environment variable to --relay hosts; without any to the URL's own host, or the only one that a local file names",
  },
  awsProfile: { argument: "NAME", parse: asGiven, help: "read s3:// with this profile's keys, region and endpoint" },
  requesterPays: { help: "with --aws-profile: pay for requests to buckets that ask for it" },
  cors: { help: "let pages of all sites that know the address read it" },
  simple: { help: "render as fsspec does by default, with simple_templates=True" },
  lines: { help: 'read documents from stdin, one a line; answer {"refs": …} or {"error": …}' },
} as const satisfies Readonly<Record<string, Flag | WithArgument<unknown>>>;

export type OptionName = keyof typeof OPTIONS;

type Read<O> = O extends { readonly parse: (text: string) => infer T }
  ? O extends { readonly isMany: true }
    ? readonly T[]
    : T
  : boolean;

/** Options as given; absent = not given. */
export type CommandOptions = { readonly [O in OptionName]?: Read<(typeof OPTIONS)[O]> | undefined };

export type FailOn = NonNullable<CommandOptions["failOn"]>;
export type CheckFormat = NonNullable<CommandOptions["format"]>;

/** `--limit-targets` of `limitTargets`. */
export const written = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The paths that options name for output. */
export function outputsOf({ out, npy, writeExpect, writeAccept, report = [] }: CommandOptions): readonly string[] {
  return [out, npy, writeExpect, writeAccept, ...report.map(([, path]) => path)].filter((path) => path !== undefined);
}

/** Locations that `--target` and `--allow-private` set. */
export const locationsOf = ({ target, allowPrivate = false }: CommandOptions): Locations => ({
  ...NO_LOCATIONS,
  target,
  allowPrivate,
});

/** Any page of another site. */
const SOME_ORIGIN = "https://refscope.example";
export const originOf = ({ origin = SOME_ORIGIN }: CommandOptions): string => origin;

/** Rendering that `--template` and `--most` set. */
export const renderingOf = ({ template = [], most }: CommandOptions) => ({ overrides: new Map(template), most });
