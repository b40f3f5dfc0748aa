/**
 * The commands of the terminal: an entry says what a command takes and does, and drives parsing, help and types. Its code
 * is loaded when it runs.
 */
import type { CommandOptions, OptionName } from "./options.ts";

export interface Command {
  /** Arguments: `ADDRESS FROM TO`; with `…` any number of the last, in brackets none too. */
  readonly takes: string;
  readonly does: string;
  readonly options: readonly OptionName[];
  /** Arguments and options that mean something else here than their general sentence says. */
  readonly help?: { readonly [name in OptionName | "FILE"]?: string };
  /** Arguments after `refscope`, and their effect. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** Other than 0 fine, 1 problems found, 2 cannot do it. */
  readonly exitCodes?: string;
  /** Meaning of the JSON, if the name does not say it. */
  readonly json?: string;
  readonly load: () => Promise<(args: readonly string[], options: CommandOptions) => number | Promise<number>>;
}

const PLACES = ["root", "target", "allowPrivate", "choice", "offline"] as const;
const LOGIN = ["relay", "netrc", "bearerEnv", "awsProfile", "requesterPays", "region"] as const;
/** Options of `check`: what to look at, what to judge it by, and how to fix it. */
const CHECKED = ["network", "limitTargets", "origin", "deep", "array", "explainCompared"] as const;
const JUDGED_BY = ["reader", "run", "expect", "accept", "writeExpect", "writeAccept"] as const;
const FIXING = ["fix", "out", "force", "inPlace", "diff"] as const;
const RENDERING = ["template", "most"] as const;
const SET = [...PLACES, "ref", ...RENDERING] as const;

const BY_NAME = "print JSON; for several REFS, an object keyed by name";

export const COMMANDS = {
  check: {
    takes: "REFS…",
    does: "check a dataset: does it open, is it complete, are its values and sources right, which readers read it",
    options: [...CHECKED, ...JUDGED_BY, ...FIXING, "failOn", "format", "report", "json", "threads", ...SET],
    help: {
      array: "with --deep: decode chunks of this array only",
      out: "with --fix: the file to write",
      json: BY_NAME,
    },
    examples: [
      ["check refs.json", "metadata, references, files beside it and suspicious chunks"],
      ["check refs.json --network --deep all", "also check every source and decode every chunk"],
      ["check refs.json --reader xarray", "whether xarray reads it"],
      ["check refs.json --fix --out mended.json", "write a copy with all safe fixes"],
    ],
    exitCodes: "0 fine, 1 problems found (see --fail-on), 2 the dataset does not open, 130 stopped",
    load: async () => (await import("./check-command.ts")).checkCommand,
  },
  info: {
    takes: "REFS…",
    does: "show a dataset's contents and problems",
    options: ["json", ...SET],
    help: { json: BY_NAME },
    examples: [["info refs.json", "groups, arrays, references and problems"]],
    exitCodes: "0 fine, 1 errors found, 2 the dataset does not open",
    load: async () => (await import("./info-command.ts")).infoCommand,
  },
  doctor: {
    takes: "URL…",
    does: "find out why a URL cannot be read by programs or web pages: DNS, connection, certificate, redirects, ranges, CORS",
    options: ["json", "origin", "region"],
    help: { json: "print JSON; for several URLs, an object keyed by URL" },
    examples: [["doctor https://example.org/a.nc", "how the server responds, and how to fix it"]],
    exitCodes: "0 nothing blocks access, 1 something does, 2 not a URL",
    load: async () => (await import("./doctor-command.ts")).doctorCommand,
  },
  open: {
    takes: "[REFS]",
    does: "open the page on this computer, where it also reads local files, hosts without CORS, and private data",
    options: ["port", "noBrowser", ...LOGIN, "root", "allowPrivate"],
    examples: [
      ["open refs.json", "the page, at an address that only you know; Ctrl-C ends it"],
      ["open s3://bucket/refs.json --aws-profile me", "references and data in a private bucket"],
      ["open refs.json --bearer-env EARTHDATA_TOKEN", "with an Earthdata Login token"],
    ],
    exitCodes: "0 ended by Ctrl-C, 2 cannot be opened",
    load: async () => (await import("./serve/open-command.ts")).openCommand,
  },
  serve: {
    takes: "REFS",
    does: "serve a dataset as a plain Zarr store on this computer, for programs that read only Zarr",
    options: ["port", "cors", "threads", ...LOGIN, ...SET],
    examples: [["serve refs.json", "Zarr v2; chunks are decoded where Zarr has no such codec"]],
    exitCodes: "0 ended by Ctrl-C, 1 the same, but stderr names what was not served, 2 the dataset does not open",
    load: async () => (await import("./serve/serve-command.ts")).serveCommand,
  },
  digest: {
    takes: "REFS…",
    does: "print the shape, dtype, chunks and SHA-256 of every array, after reading all of it",
    options: ["json", "chunks", "threads", ...SET],
    help: { json: BY_NAME },
    examples: [["digest refs.json --json", "hashes by which to compare two readers"]],
    load: async () => (await import("./digest-command.ts")).digestCommand,
  },
  read: {
    takes: "REFS",
    does: "print or write the values of an array, or of a part of it",
    options: ["array", "select", "cf", "npy", "force", "json", "threads", ...SET],
    help: { array: "the array to read" },
    examples: [
      ['read refs.json --array sst --select "0,10:20,:" --cf', "values as xarray gives them"],
      ['read refs.json --array sst --select "time=2015-07,lat=45N"', "a month at a place"],
      ["read refs.json --array sst --npy sst.npy", "the whole array as a NumPy file"],
    ],
    load: async () => (await import("./read-command.ts")).readCommand,
  },
  history: {
    takes: "ADDRESS",
    does: "list the branches, tags, containers and snapshots of an Icechunk repository",
    options: ["json", "ref", "limit", "allowPrivate"],
    help: { ref: "where the chain of snapshots begins: NAME, branch:NAME, tag:NAME or snapshot:ID (main)" },
    examples: [["history repository.icechunk --ref v1", "the chain of snapshots of a tag"]],
    load: async () => (await import("./history-command.ts")).historyCommand,
  },
  anatomy: {
    takes: "REPO",
    does: "show what an Icechunk repository weighs by array and snapshot, its orphans, and what expiring snapshots would free; nothing is deleted",
    options: ["expireBefore", "json", "ref", "limit", "allowPrivate"],
    help: { limit: "rows of each table (20)", ref: "the state that a reader opens (main)" },
    examples: [
      ["anatomy repository.icechunk", "bytes by array and by snapshot, and orphans"],
      ["anatomy repository.icechunk --expire-before 2026-01-31", "what expiring and collecting garbage would free"],
    ],
    exitCodes: "0 weighed, 1 except for what it names, 2 the repository does not open",
    json: "{bytes, arrays, snapshots, orphans, expire, reader, …}, as above",
    load: async () => (await import("./anatomy-command.ts")).anatomyCommand,
  },
  blame: {
    takes: "ADDRESS",
    does: "show which commit of an Icechunk repository last wrote each chunk of an array; with --chunk, all that was done to it",
    options: ["array", "chunk", "ref", "json", "allowPrivate"],
    help: { array: "the array to explain" },
    examples: [
      ["blame repository.icechunk --array sst", "commits, each with how many chunks are still as it wrote them"],
      ["blame repository.icechunk --array sst --chunk 0.1", "the life of one chunk, newest first"],
    ],
    exitCodes: "0 explained, 1 except for what stderr names, 2 no such repository, array or chunk",
    json: "{array, snapshot, grid, commits, chunks, absent, findings}; with --chunk also events; see docs/json.md",
    load: async () => (await import("./blame-command.ts")).blameCommand,
  },
  bisect: {
    takes: "ADDRESS",
    does: "find the first commit of an Icechunk repository at which a problem, unmet expectation or value occurs",
    options: ["code", "array", "chunk", "expect", "select", "is", "good", "bad", "threads", "json", ...PLACES],
    help: {
      array: "the array that has the problem, or whose values --select takes",
      chunk: "the chunk that has the problem",
    },
    examples: [
      ["bisect repository.icechunk --code ranges-overlap --array sst", "since when ranges of sst overlap"],
      ["bisect repository.icechunk --expect expected.json --good v1", "since when expectations are not met"],
      ['bisect repository.icechunk --array sst --select "lat=45N" --is NaN', "since when a value is missing"],
    ],
    exitCodes: "0 found, 1 nothing is wrong, or not since a commit that is known, 2 cannot be searched",
    json: "{first, before, checks, commits, outcome, states, unread}; first and before are snapshot IDs or null",
    load: async () => (await import("./bisect-command.ts")).bisectCommand,
  },
  refs: {
    takes: "FILE…",
    does: "print the references to a data file's chunks as Kerchunk JSON; for several files, an object keyed by name",
    options: ["inlineBelow", "zarr", "json", ...SET],
    help: {
      FILE: "an HDF5 or NetCDF-4 file, or anything else that opens as a dataset, or its URL",
      json: "accepted, and without effect: the output is JSON",
    },
    examples: [["refs ocean.nc --inline-below 500 > ocean.json", "as Kerchunk writes them"]],
    exitCodes: "0 written, 1 written except for what stderr names, 2 a file does not open",
    load: async () => (await import("./make/refs-command.ts")).refsCommand,
  },
  write: {
    takes: "REFS",
    does: "write any dataset's references as Kerchunk JSON, Parquet or Icechunk, or all of it as a Zarr store, and name first what cannot be expressed",
    options: ["as", "out", "onto", "branch", "along", "prefix", "message", "force", "recordSize", "json", ...SET],
    help: {
      out: "the JSON file, or the new folder, to write",
      along: "with --onto: the dimension along which arrays grow; all others must be the same, or new",
    },
    examples: [
      ["write refs.json --as kerchunk-parquet --out refs.parq", "a folder that fsspec reads piece by piece"],
      ["write refs.json --as icechunk --out ice --prefix s3://bucket/data", "a repository, for icechunk"],
      ["write refs.json --as zarr --out data.zarr", "a Zarr v3 store: metadata, and the bytes of all chunks"],
      ["write day2.json --onto data.icechunk --along time", "a commit on it: the next steps"],
    ],
    exitCodes: "0 written, 1 written except for what stderr names, 2 cannot be written",
    json: "{as, out, references, files, bytes, findings}",
    load: async () => (await import("./make/write-command.ts")).writeCommand,
  },
  compare: {
    takes: "A B [TO]",
    does: "compare two datasets: nodes, metadata, chunks and, with --values, values; with TO, two snapshots of a repository",
    options: ["values", "atol", "rtol", "failOn", "threads", "json", "by", ...SET],
    help: {
      failOn:
        "differ: exit with 1 if the datasets differ; with --values if values do, or arrays or keys are in one only",
    },
    examples: [
      ["compare old.json new.json --values cf", "whether every value is the same"],
      ["compare a.zarr b.nc --values cf --atol 0.01 --fail-on differ", "the same within 0.01, for scripts"],
      ["compare repository.icechunk v1 main", "what changed since the tag v1"],
    ],
    exitCodes:
      "0 compared, whether or not they differ (see --fail-on); 1 they differ, or something could not be compared; 2 a dataset does not open",
    json: "see docs/schema/compare.schema.json; with TO what History shows",
    load: async () => (await import("./compare-command.ts")).compareCommand,
  },
  preflight: {
    takes: "FILE…",
    does: "check whether data files (HDF5, NetCDF, GRIB) are one dataset, before you combine them: what stands against it, in which files, and what to do",
    options: ["along", "only", "drop", "format", "accept", "json", "offline", "allowPrivate"],
    examples: [
      ["preflight 2023.nc 2024.nc", "whether they can be one dataset along time"],
      ["preflight folder/ --along member", "all files of a folder along a new dimension"],
      ["preflight s3://bucket/2024/*.nc", "all files that the bucket lists by such names"],
    ],
    exitCodes:
      "0 combine can write them as one dataset, 1 it cannot, or not what stderr names, 2 a file cannot be read",
    load: async () => (await import("./make/preflight-command.ts")).preflightCommand,
  },
  combine: {
    takes: "FILE…",
    does: "write data files that are one dataset as one reference file: Kerchunk JSON, Version 1",
    options: ["along", "only", "drop", "out", "force", "format", "accept", "json", "offline", "allowPrivate"],
    help: { out: "the file to write (stdout)" },
    examples: [
      ["combine 2023.nc 2024.nc --along time --out both.json", "references to both files as one dataset"],
      ["combine 2023.nc 2024.nc --drop station --out both.json", "the same without the variable station"],
    ],
    exitCodes: "0 written, 1 refused, or written except for what stderr names, 2 a file cannot be read",
    load: async () => (await import("./make/preflight-command.ts")).combineCommand,
  },
  capsule: {
    takes: "REFS",
    does: "export one chunk as a minimal reproduction: a ZIP file and a Markdown issue",
    options: ["array", "chunk", "out", "force", "inline", ...SET],
    help: { array: "the array of the chunk", out: "the ZIP file to write (named after the chunk)" },
    examples: [["capsule refs.json --array sst --chunk 0.0.1", "the chunk, and what shows its problem"]],
    load: async () => (await import("./capsule-command.ts")).capsuleCommand,
  },
  render: {
    takes: "[DOC]",
    does: "print the references that fsspec makes of a document, as Version 0",
    options: ["simple", "lines", ...RENDERING, "allowPrivate", "offline"],
    examples: [["render templated.json > version0.json", "with templates and gen rendered"]],
    load: async () => (await import("./render-command.ts")).renderCommand,
  },
  explain: {
    takes: "[CODE…]",
    does: "explain a finding code, with fixes and effects on readers; without CODE, list all",
    options: ["json"],
    help: { json: "print JSON: an object keyed by code" },
    examples: [["explain range-past-end", "what it means and what to do"]],
    exitCodes: "0 fine, 2 unknown code",
    load: async () => (await import("./explain-command.ts")).explainCommand,
  },
  completion: {
    takes: "SHELL",
    does: "print a completion script for bash, zsh or fish",
    options: [],
    examples: [
      ["completion bash > ~/.local/share/bash-completion/completions/refscope", "for bash"],
      ["completion zsh > ~/.zfunc/_refscope", "for zsh, with ~/.zfunc in fpath"],
      ["completion fish > ~/.config/fish/completions/refscope.fish", "for fish"],
    ],
    exitCodes: "0 fine, 2 another shell",
    load: async () => (await import("./completion-command.ts")).completionCommand,
  },
} as const satisfies Readonly<Record<string, Command>>;

export const commandNamed = (name: string): Command | undefined =>
  new Map<string, Command>(Object.entries(COMMANDS)).get(name);
