/**
 * The lines that open a reference set in Python, through fsspec's reference filesystem.
 *
 * They are for zarr 3 and fsspec 2025.2 or later, where the reference filesystem and those of its targets must all be
 * asynchronous ("Reference-FS's target filesystem must have same value of asynchronous"), with what differs for
 * zarr 2 in a comment. `simple_templates=False`, because fsspec's default drops `gen` and renders templates only in part.
 */
import { rectilinearOption } from "./rectilinear-option.ts";
import type { EngineSet } from "../engine-set.ts";
import { pythonString } from "../../core/python-string.ts";

export interface SnippetInput extends SnippetOptions {
  /** URL, or path or name of the file or folder, of the reference set. */
  readonly location: string;
  /** Whether it is nowhere but here: it was pasted. */
  readonly isText?: boolean;
  /** URL schemes of the targets as written (`s3`, `https`); `""` for relative paths and plain paths. */
  readonly targetSchemes: readonly string[];
  /** Whether references have a null URL, and with what they are read. */
  readonly needsTarget: boolean;
  readonly target?: string | undefined;
  /** Whether the document has `templates` or `gen`. */
  readonly hasTemplates: boolean;
  /** Lines behind the import of zarr. */
  readonly settings?: readonly string[];
}

export interface SnippetOptions {
  /** What fsspec needs to read the format. */
  readonly packages?: readonly string[];
  /** Else it is a document, which may be compressed. */
  readonly isFolder?: boolean;
}

/** For an open set. */
export function referenceSnippet(
  { url, name, format, table, tally, targets, hierarchy }: EngineSet,
  options: SnippetOptions = {},
) {
  const schemes = new Set<string>();
  // A set's targets nearly always share a scheme; a look at the first hundred thousand is enough for a snippet.
  for (let id = 0; id < Math.min(table.targets.count, 100_000); id += 1) {
    schemes.add(/^([a-z][a-z\d+.-]*):/i.exec(table.targets.text(id))?.[1]?.toLowerCase() ?? "");
  }
  return pythonSnippet({
    ...options,
    ...(url === undefined && targets.base.kind === "text"
      ? { location: "references.json", isText: true }
      : { location: url ?? name }),
    targetSchemes: [...schemes],
    needsTarget: tally.nullTarget.references > 0,
    target: targets.locations.target,
    hasTemplates: format.hasTemplates === true,
    settings: rectilinearOption(hierarchy.nodes.values()),
  });
}

/** A whole script. Strings of the set are escaped: nothing in them can become code. */
export function pythonSnippet(input: SnippetInput): string {
  const lines = [
    ...requirements(input),
    ...(input.isText === true ? [SAVE_FIRST] : []),
    ...(input.targetSchemes.includes("") ? [RELATIVE_PATHS] : []),
    "import fsspec",
    "import xarray as xr",
    "import zarr",
    ...(input.settings ?? []),
    ...localFilesystem(input),
    "",
    "fs = fsspec.filesystem(",
    '    "reference",',
    ...filesystemArguments(input).map((argument) => `    ${argument},`),
    ")",
    'store = zarr.storage.FsspecStore(fs, read_only=True, path="")  # zarr 2: store = fs.get_mapper("")',
    "",
    'group = zarr.open(store, mode="r", zarr_format=2)',
    'ds = xr.open_dataset(store, engine="zarr", consolidated=False, zarr_format=2)',
  ];
  return `${lines.join("\n")}\n`;
}

const RELATIVE_PATHS =
  "# Relative targets: fsspec takes them from the folder in which Python runs, not from the document's.";

const SAVE_FIRST = "# The references were pasted: save them as references.json first.";

interface Filesystem {
  readonly package: string;
  /** Read public data without an account. */
  readonly options: readonly string[];
}

const S3: Filesystem = { package: "s3fs", options: ['"anon": True'] };
const GCS: Filesystem = { package: "gcsfs", options: ['"token": "anon"'] };
const AZURE: Filesystem = { package: "adlfs", options: ['"anon": True'] };
const HTTP: Filesystem = { package: "aiohttp", options: [] };

/** By scheme as references write it: fsspec looks a target's filesystem up by exactly that. */
const FILESYSTEMS = new Map([
  ["s3", S3],
  ["s3a", S3],
  ["gs", GCS],
  ["gcs", GCS],
  ["az", AZURE],
  ["abfs", AZURE],
  ["abfss", AZURE],
  ["http", HTTP],
  ["https", HTTP],
]);

function requirements(input: SnippetInput): readonly string[] {
  const packages = ["zarr>=3", "xarray", "fsspec>=2025.2", ...remotePackages(input), ...(input.packages ?? [])];
  if (input.hasTemplates) packages.push("jinja2");
  if (compression(input).includes('"compression": "zstd"')) packages.push("zstandard");
  const quoted = packages.map((name) => (name.includes(">") ? `"${name}"` : name));
  return [
    `# pip install ${quoted.join(" ")}`,
    '# With zarr 2, leave out "asynchronous" and "zarr_format", and use the store of the comment below.',
  ];
}

function remotePackages(input: SnippetInput): readonly string[] {
  const packages = [schemeOf(input.location), ...protocols(input)].map((scheme) => FILESYSTEMS.get(scheme)?.package);
  return [...new Set(packages.filter((name) => name !== undefined))];
}

/** Beside other filesystems, fsspec does not make the local one asynchronous on its own. */
function localFilesystem(input: SnippetInput): readonly string[] {
  const all = protocols(input);
  if (all.length < 2 || !all.includes("file")) return [];
  return [
    "from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper",
    "",
    'local = AsyncFileSystemWrapper(fsspec.filesystem("file"), asynchronous=True)  # zarr 2: fsspec.filesystem("file")',
  ];
}

function filesystemArguments(input: SnippetInput): readonly string[] {
  const list = [`fo=${pythonString(input.location)}`];
  const openOptions = [...(FILESYSTEMS.get(schemeOf(input.location))?.options ?? []), ...compression(input)];
  if (openOptions.length > 0) list.push(`target_options={${openOptions.join(", ")}}`);
  list.push(...remoteArguments(input));
  if (input.needsTarget) list.push(`target=${pythonString(input.target ?? "URL of the file that null URLs mean")}`);
  if (input.hasTemplates) list.push("simple_templates=False");
  list.push("asynchronous=True");
  return list;
}

/** fsspec keeps one remote filesystem, unless `fs` names one for each protocol. */
function remoteArguments(input: SnippetInput): readonly string[] {
  const [first, ...others] = protocols(input);
  if (first === undefined) return [];
  if (others.length === 0) {
    const options = remoteOptions(first);
    const protocol = `remote_protocol=${pythonString(first)}`;
    return options === "{}" ? [protocol] : [protocol, `remote_options=${options}`];
  }
  const each = [first, ...others].map((protocol) =>
    protocol === "file" ? '"file": local, None: local' : `${pythonString(protocol)}: ${remoteOptions(protocol)}`,
  );
  return [`fs={${each.join(", ")}}`];
}

/** Local files have no asynchronous filesystem; fsspec wraps the ordinary one. */
function remoteOptions(protocol: string): string {
  if (protocol === "file") return "{}";
  return `{${[...(FILESYSTEMS.get(protocol)?.options ?? []), '"asynchronous": True'].join(", ")}}`;
}

function protocols(input: SnippetInput): readonly string[] {
  return [...new Set(input.targetSchemes.map((scheme) => (scheme === "" ? "file" : scheme)))];
}

function schemeOf(location: string): string {
  return /^([A-Za-z][\w+.-]*):\/\//.exec(location)?.[1] ?? "";
}

function compression(input: SnippetInput): readonly string[] {
  const path = input.location.replace(/[?#].*$/s, "").toLowerCase();
  if (input.isFolder === true) return [];
  if (path.endsWith(".gz")) return ['"compression": "gzip"'];
  return path.endsWith(".zst") || path.endsWith(".zstd") ? ['"compression": "zstd"'] : [];
}
