/**
 * The options of the terminal: one entry says how an option is written, what it means, and how its argument is read.
 */
import { type Locations, NO_LOCATIONS } from "../core/byte-source.ts";
import { parseCondition, type ValueCondition } from "../core/bisect.ts";
import { parseAskedReader } from "../core/readers/asked-reader.ts";
import { READER_IDS } from "../core/readers/ids.ts";

interface Flag {
  readonly help: string;
}

interface WithArgument<T> extends Flag {
  /** Name of the argument in help: "FILE". */
  readonly argument: string;
  /** From the argument as given. Throws `Error` with what was expected. `words`: what completion offers. */
  readonly parse: ((text: string) => T) & { readonly words?: readonly string[] };
  /** May be given often: values are put together. */
  readonly isMany?: true;
}

const taking = <T>(argument: string, parse: WithArgument<T>["parse"], help: string): WithArgument<T> => ({
  argument,
  parse,
  help,
});

/** An option whose argument is taken as given. */
const text = (argument: string, help: string) => taking(argument, (given) => given, help);

/** An option that may be given often. */
const many = <T>(option: WithArgument<T>) => ({ ...option, isMany: true as const });

/** Whole numbers, without a sign. */
function numberFrom(least: number, what: string, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new Error(`expects ${what}, found “${text}”`);
  };
}

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

/** Parses `cf` or `stored:100`; a number or `all` alone is of stored numbers. */
const valuesFrom = Object.assign(
  (text: string): { readonly mode: "cf" | "stored"; readonly chunks: number | "all" } => {
    const { mode = "stored", chunks = "all" } = /^(?:(?<mode>cf|stored)(?::|$))?(?<chunks>all|\d{1,9})?$/.exec(text)
      ?.groups ?? { chunks: "" };
    const number = chunks === "all" ? chunks : Number(chunks);
    if (text !== "" && number !== 0) return { mode: mode === "cf" ? mode : "stored", chunks: number };
    throw new Error(`expects cf, stored, or a number of chunks as in cf:100, found “${text}”`);
  },
  { words: ["cf", "stored", "all"] },
);

function sizeFrom(text: string): number {
  const size = /^[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (Number.isFinite(size)) return size;
  throw new Error(`expects a number of at least 0, found “${text}”`);
}

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

function conditionFrom(text: string): ValueCondition {
  const condition = parseCondition(text);
  if (condition !== undefined) return condition;
  throw new Error(`expects a value, or a comparison such as '> 100', found “${text}”`);
}

/** To prefixes of addresses. */
function hostFrom(text: string): readonly string[] {
  if (/^(?:https?|s3):\/\/[^/@?#\s]+\/?$/.test(text) && URL.canParse(text))
    return [new URL(text).href.replace(/\/?$/, "/")];
  const [url, plain] = [`https://${text}/`, `http://${text}/`];
  if (!/[\s/@?#\\]/.test(text) && URL.canParse(url)) return [new URL(url).href, new URL(plain).href];
  throw new Error(`expects a host such as data.example or data.example:8443, or s3://BUCKET, found “${text}”`);
}

/** ISO, UTC where no zone is written. */
function dateFrom(text: string): string {
  const [, day, time = "T00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:([T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text) ?? [];
  const at = Date.parse(`${day}${time.replace(" ", "T")}${zone}`);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new Error(`expects a date such as 2026-01-31 or 2026-01-31T12:00:00Z, found “${text}”`);
}

/** Options by their name in code; the command line has it in kebab case. */
export const OPTIONS = {
  json: { help: "print JSON" },
  root: text("DIR", "look for relative and local sources in DIR; read nothing outside it"),
  target: text("FILE", "the source that null URLs stand for: a path below --root, or a URL"),
  allowPrivate: { help: "let references lead to this machine and private networks" },
  choice: text("ID", "which dataset to open if a document holds several"),
  ref: text("REF", "the state of a repository: NAME, branch:NAME, tag:NAME or snapshot:ID (main)"),
  limit: taking("N", numberFrom(1, "a number of snapshots"), "list at most N snapshots (1000)"),
  expireBefore: taking("DATE", dateFrom, "simulate expiring snapshots before DATE (UTC), such as 2026-01-31"),
  code: text("CODE", "the code of the problem to look for, as check prints it"),
  good: text("REF", "an older state without the problem (the first commit)"),
  bad: text("REF", "a newer state with the problem: NAME, branch:NAME, tag:NAME or snapshot:ID (main)"),
  is: taking(
    "CONDITION",
    conditionFrom,
    "with --select: wrong is any selected value that meets this, such as 12.5, '> 100', '!= 0' or NaN",
  ),
  by: taking(
    "METHOD",
    oneOf("auto", "manifests"),
    "compare snapshots by transaction logs where possible (auto), or by manifests",
  ),
  network: { help: "check that sources exist and are unchanged: two small requests each" },
  limitTargets: taking(
    "N",
    (text: string) => (text === "all" ? Infinity : numberFrom(1, "a number of sources or all")(text)),
    "check at most N sources, sampled evenly, or all (2000; 64 against their own index)",
  ),
  explainCompared: { help: "list the facts that were compared: who states each, and whether they agree" },
  origin: taking("ORIGIN", originFrom, "origin of the page to test CORS for (any)"),
  region: text("REGION", "region of the S3 bucket"),
  deep: taking(
    "N|all",
    orAll(1, "a number of chunks or all"),
    "decode N chunks, suspicious ones first, and check their values",
  ),
  reader: taking(
    "NAME",
    readerFrom,
    "check compatibility with a reader, or with all; also NAME@VERSION, NAME@YYYY-MM, or a file (- for stdin) with the output of pip list",
  ),
  run: { help: "with --reader icechunk: run Icechunk's library, from the folder that REFSCOPE_ICECHUNK names" },
  expect: text("FILE", "expectations file: arrays, dimensions and coordinates that the dataset must have"),
  accept: text("FILE", "acceptance file: known findings, each with a reason"),
  writeExpect: text("FILE", "write an expectations file from the dataset, to edit"),
  writeAccept: text("FILE", "write an acceptance file from the findings, to edit"),
  fix: { help: "write the document with all safe fixes applied; needs --out or --in-place" },
  force: { help: "replace existing files, but never one that the command reads" },
  inPlace: { help: "with --fix: replace the document itself" },
  diff: { help: "print the safe fixes as a unified diff, and nothing else" },
  failOn: taking(
    "LEVEL",
    oneOf("error", "warning", "new", "differ"),
    "exit with 1 on errors (error, the default), also on warnings (warning), or on all findings that are not in --accept (new)",
  ),
  format: taking("FORMAT", formatFrom, "text, json, sarif, github or markdown"),
  report: many(
    taking(
      "FORMAT=FILE",
      reportFrom,
      "also write a report to FILE, in one of these formats; may be given several times",
    ),
  ),
  offline: { help: "do not use the network; remote sources fail immediately" },
  chunks: { help: "also hash each chunk" },
  threads: taking(
    "N",
    numberFrom(0, "a number from 0 to 99", 99),
    "threads that decode chunks; 0 for none (one per core)",
  ),
  array: text("PATH", "the array"),
  select: text(
    "SELECTION",
    "the part to read, as NumPy indexes it: 0,10:20,: (all), or by places: time=2015-07,lat=45N,lon=0..10E",
  ),
  cf: { help: "decode values as xarray does: scaled, missing as NaN, times as dates" },
  npy: text("FILE", "write the values to an .npy file"),
  chunk: taking("COORDINATES", coordinatesFrom, "the chunk's coordinates, such as 0.0.1"),
  out: text("FILE", "the file to write"),
  as: taking(
    "FORM",
    oneOf("kerchunk-json", "kerchunk-json-v0", "kerchunk-parquet", "icechunk", "zarr"),
    "kerchunk-json (Version 1), kerchunk-json-v0, kerchunk-parquet, icechunk, or zarr (v3, with the chunks' bytes)",
  ),
  message: text("TEXT", "with --as icechunk or --onto: the message of the commit"),
  onto: text("REPO", "a local Icechunk repository that gets a commit: new arrays, or new steps along --along"),
  branch: text("NAME", "with --onto: the branch (main)"),
  prefix: text("URL", "where sources with relative or local paths will lie"),
  recordSize: taking("N", numberFrom(1, "a number"), "references per Parquet file (100,000)"),
  inlineBelow: taking("N", numberFrom(0, "a number of bytes"), "inline chunks smaller than N bytes"),
  zarr: taking("2|3", oneOf("2", "3"), "metadata as Kerchunk writes it (2, the default) or VirtualiZarr (3)"),
  values: taking(
    "cf|stored",
    valuesFrom,
    "compare all values in CF units, as xarray decodes them (cf), or the stored numbers (stored); cf:N and stored:N: N chunks of each array at random; N and all: stored:N and stored",
  ),
  atol: taking("X", sizeFrom, "with --values: numbers are the same that differ by at most X (half a packing step)"),
  rtol: taking("X", sizeFrom, "with --values: and by X of the second number more (0)"),
  inline: { help: "include the chunk's bytes, so that nothing else is needed" },
  template: many(taking("NAME=VALUE", pairFrom, "set the value of a template; may be given several times")),
  most: taking("N", numberFrom(0, "a number of references"), "generate at most N references from gen (10,000,000)"),
  along: text("DIM", "join the files along this dimension, or a new one (the dimension in which they differ)"),
  only: many(text("NAME", "combine only this variable or group, and what describes it; may be given several times")),
  drop: many(text("NAME", "leave out this variable or group; may be given several times")),
  port: taking("N", numberFrom(1, "a port from 1 to 65535", 65_535), "port on 127.0.0.1 (any free one)"),
  noBrowser: { help: "print the address, and open no browser" },
  relay: many(
    taking(
      "HOST",
      hostFrom,
      "also read from HOST, HOST:PORT or s3://BUCKET, even if private; may be given several times",
    ),
  ),
  netrc: { help: "log in to those of the dataset's hosts that ~/.netrc (or the file in $NETRC) lists" },
  bearerEnv: text(
    "NAME",
    "send the token in environment variable NAME to --relay hosts; without --relay, to the URL's own host, or the only host that a local file names",
  ),
  awsProfile: text("NAME", "read s3:// with the keys, region and endpoint of profile NAME"),
  requesterPays: { help: "with --aws-profile: pay for requests to requester-pays buckets" },
  cors: { help: "let pages of any site that knows the address read the store" },
  simple: { help: "render as fsspec does by default, with simple_templates=True" },
  lines: { help: 'read one document per line from stdin; answer each with {"refs": …} or {"error": …}' },
} as const satisfies Readonly<Record<string, Flag | WithArgument<unknown>>>;

export type OptionName = keyof typeof OPTIONS;

type Read<O> = O extends { readonly parse: (text: string) => infer T }
  ? O extends { readonly isMany: true }
    ? readonly T[]
    : T
  : boolean;

/** Options as given; absent = not given. */
export type CommandOptions = { readonly [O in OptionName]?: Read<(typeof OPTIONS)[O]> | undefined };

export type FailOn = Exclude<NonNullable<CommandOptions["failOn"]>, "differ">;
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
