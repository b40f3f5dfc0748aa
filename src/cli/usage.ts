/** What `--help` says, of all commands and of each. */
import { READERS } from "../core/readers/rules.ts";

interface Usage {
  readonly takes: string;
  readonly does: string;
  readonly options: readonly OptionName[];
}

const OPTIONS = {
  "--json": "JSON on stdout; with several REFS an object by name as given",
  "--root DIR": "where relative and file targets are looked up; nothing outside is read",
  "--target FILE": "what null URLs in references mean (a path below --root, or a URL)",
  "--allow-private": "a set from a file or a public address may read from this machine and private networks",
  "--choice ID": "which set of a document that holds several (info lists them)",
  "--ref REF": "branch, tag or snapshot of a repository: NAME, branch:NAME, tag:NAME, snapshot:ID (main)",
  "--limit N": "most snapshots of the chain (1000)",
  "--by manifests": "by both snapshots' manifests, even where transaction logs would do",
  "--network": "ask targets whether they are there and what they were: two small requests each",
  "--limit-targets N": "most targets that are asked, a sample where there are more (2000), or all",
  "--origin ORIGIN": "the page that is to be let in by CORS (any)",
  "--region REGION": "of an S3 bucket",
  "--deep N|all": "decode so many chunks, the suspicious first, and compare their values",
  "--reader NAME": `whether this reader reads it: ${READERS.map(({ id }) => id).join(", ")}, or all, which compares them; zarrita is run on a few chunks`,
  "--expect FILE": "what the set must have: arrays, dimensions, ranges of coordinates",
  "--accept FILE": "findings that are known, each with a reason",
  "--write-expect FILE": "write such a file from the set as it is, to be edited",
  "--write-accept FILE": "write such a file from what is found, to be edited",
  "--fail-on LEVEL": "exit code 1 on an error (default), a warning, or whatever is new beside --accept",
  "--format FORMAT": "text, json, sarif, github or markdown",
  "--offline": "no network: remote targets fail at once",
  "--chunks": "also a hash of each chunk",
  "--threads N": "threads that decode chunks: as many as there are cores; 0 for none",
  "--array PATH": "the array to read",
  "--select SELECTION": "part of it, as NumPy indexes: 0,10:20,: (all)",
  "--cf": "values as xarray decodes them: scaled, missing ones NaN, times as dates",
  "--npy FILE": "write them to a file of NumPy's",
  "--chunk COORDINATES": "the chunk, as 0.0.1",
  "--out FILE": "the archive to write (named after the chunk)",
  "--inline": "with the bytes of the chunk, so that nothing else is needed",
  "--template NAME=VALUE": "another value for a template (may be given often)",
  "--most N": "most references that gens may make (10,000,000)",
  "--simple": "as fsspec does by default, with simple_templates=True",
  "--lines": 'documents on stdin, one a line: {"refs": [[key, value], …]} or {"error": "…"} for each',
} as const;

type OptionName = keyof typeof OPTIONS;

const PLACES = ["--root DIR", "--target FILE", "--allow-private", "--choice ID", "--offline"] as const;
const RENDERING = ["--template NAME=VALUE", "--most N"] as const;

/** As an object: a command that is written down twice is an error. */
const USAGES = {
  check: {
    takes: "REFS",
    does: "whether the set is right: does it open, is it complete, are values and sources right, which readers read it",
    options: [
      "--network",
      "--limit-targets N",
      "--origin ORIGIN",
      "--deep N|all",
      "--reader NAME",
      "--expect FILE",
      "--accept FILE",
      "--write-expect FILE",
      "--write-accept FILE",
      "--fail-on LEVEL",
      "--format FORMAT",
      "--json",
      "--threads N",
      ...PLACES,
      "--ref REF",
      ...RENDERING,
    ],
  },
  info: {
    takes: "REFS",
    does: "what the set holds, and what is wrong with it",
    options: ["--json", ...PLACES, "--ref REF", ...RENDERING],
  },
  doctor: {
    takes: "URL",
    does: "why an address cannot be read, by programs or by pages: name, connection, certificate, redirects, ranges, CORS",
    options: ["--json", "--origin ORIGIN", "--region REGION"],
  },
  digest: {
    takes: "REFS",
    does: "shape, dtype, chunks and SHA-256 of every array, read whole",
    options: ["--json", "--chunks", "--threads N", ...PLACES, "--ref REF", ...RENDERING],
  },
  read: {
    takes: "REFS",
    does: "values of an array, or of a part of it, put together from all its chunks",
    options: [
      "--array PATH",
      "--select SELECTION",
      "--cf",
      "--npy FILE",
      "--json",
      "--threads N",
      ...PLACES,
      "--ref REF",
      ...RENDERING,
    ],
  },
  history: {
    takes: "ADDRESS",
    does: "branches, tags, containers and the chain of snapshots of an Icechunk repository",
    options: ["--json", "--ref REF", "--limit N", "--allow-private"],
  },
  compare: {
    takes: "ADDRESS FROM TO",
    does: "what differs between two snapshots of it: nodes, and chunks of each array",
    options: ["--json", "--by manifests", "--allow-private"],
  },
  capsule: {
    takes: "REFS",
    does: "one chunk taken out of its set with what shows its fault, as a zip and an issue in Markdown",
    options: ["--array PATH", "--chunk COORDINATES", "--out FILE", "--inline", ...PLACES, "--ref REF", ...RENDERING],
  },
  render: {
    takes: "DOC",
    does: "the references that fsspec makes of the document, as Version 0 on stdout",
    options: ["--simple", "--lines", ...RENDERING, "--allow-private", "--offline"],
  },
  explain: {
    takes: "[CODE]",
    does: "what a code of a finding or an error means, what to do and what readers do; without one, all codes",
    options: ["--json"],
  },
} as const satisfies Readonly<Record<string, Usage>>;

const COMMANDS: ReadonlyMap<string, Usage> = new Map<string, Usage>(Object.entries(USAGES));

const TAKES: ReadonlyMap<string, string> = new Map([
  [
    "REFS",
    "a Kerchunk JSON file (plain, .gz or .zst), a Kerchunk Parquet folder, a Zarr store, an Icechunk repository, a ZIP archive of one, or its URL; several may be given",
  ],
  ["URL", "of a file: https://…, or s3://, gs://, az:// as references write it; several may be given"],
  ["DOC", "a Kerchunk JSON file or its URL"],
  ["ADDRESS", "an Icechunk repository, or its URL"],
  ["FROM", "branch, tag or snapshot, as --ref"],
  ["TO", "likewise"],
  ["[CODE]", "such as range-past-end; several may be given"],
]);

/** Help for the command, or for all where it is unknown. */
export function usage(command?: string): string {
  const one = command === undefined ? undefined : COMMANDS.get(command);
  return command === undefined || one === undefined ? usageOfAll() : usageOf(command, one);
}

function usageOf(command: string, { takes, does, options }: Usage): string {
  const terms = takes.split(" ").map((term): Term => [term, TAKES.get(term) ?? ""]);
  const known = options.map((name): Term => [name, OPTIONS[name]]);
  return [
    `Usage: npm run -s refscope -- ${command} ${takes} [options]`,
    "",
    `  ${does}`,
    "",
    ...list(terms),
    "",
    ...list(known),
    "",
  ].join("\n");
}

function usageOfAll(): string {
  const commands = [...COMMANDS].map(([name, { takes, does }]): Term => [`${name} ${takes}`, does]);
  const options = Object.entries(OPTIONS).map(([name, text]): Term => [name, `${text}${onlyFor(name as OptionName)}`]);
  return [
    "Usage: npm run -s refscope -- COMMAND … [options]; COMMAND --help says what it takes",
    "",
    ...list(commands),
    "",
    ...list([...TAKES]),
    "",
    ...list(options),
    "",
  ].join("\n");
}

/** Which commands know the option, where few do. */
function onlyFor(option: OptionName): string {
  const knowing = [...COMMANDS].filter(([, { options }]) => options.includes(option)).map(([name]) => name);
  return knowing.length > 2 ? "" : ` (${knowing.join(", ")})`;
}

type Term = readonly [term: string, text: string];

function list(terms: readonly Term[]): readonly string[] {
  const width = Math.max(...terms.map(([term]) => term.length));
  return terms.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`);
}
