/**
 * The lines that open a reference set in Python, through fsspec's reference filesystem.
 *
 * They are for zarr 3 and fsspec 2025.2 or later, where the reference filesystem and those of its targets must all be
 * asynchronous ("Reference-FS's target filesystem must have same value of asynchronous"), with what differs for
 * zarr 2 in a comment. `simple_templates=False`, because fsspec's default drops `gen` and renders templates only in part.
 */
import { type EngineSet, isDocument } from "../engine-set.ts";
import type { SetSource } from "../chunk/sources.ts";
import { pythonString } from "#core/json/python-json.ts";
import { FSSPEC_PACKAGES, folderOf, openedByKerchunk, publicOptions } from "#core/access/kerchunk-open.ts";
import { installLine, pythonNeeds, type PythonNeeds } from "./python-needs.ts";

export interface SnippetInput extends SnippetOptions {
  /** URL, or path or name of the file or folder, of the reference set. */
  readonly location: string;
  /** The filesystem that relative targets are in, as Python makes it; absent for local ones. */
  readonly folder?: string | undefined;
  /** True if it was pasted and is nowhere else. */
  readonly isText?: boolean;
  /** URL schemes of the targets as written (`s3`, `https`); `""` for relative paths and plain paths. */
  readonly targetSchemes: readonly string[];
  /**
   * Schemes of zip archives that targets lie in (`zip://FILE::s3://…`), likewise; `undefined`: one that the target does
   * not name.
   */
  readonly archiveSchemes?: readonly (string | undefined)[];
  /** True if references have a null URL, and the target with which they are read. */
  readonly needsTarget: boolean;
  readonly target?: string | undefined;
  /** True if the document has `templates` or `gen`. */
  readonly hasTemplates: boolean;
  /** Zarr's, of the metadata that the set holds. */
  readonly zarrFormat?: 2 | 3;
  readonly needs?: PythonNeeds;
}

export interface SnippetOptions {
  /** True if it was combined from files and is in Refscope only. */
  readonly isUnsaved?: boolean;
  /** Packages that fsspec needs to read the format. */
  readonly packages?: readonly string[];
  /** Else it is a document, which may be compressed. */
  readonly isFolder?: boolean;
}

export const PARQUET_SNIPPET: SnippetOptions = { packages: ["fastparquet", "pandas"], isFolder: true };

/** For an open set. */
export function referenceSnippet(set: EngineSet, form?: "long", options: SnippetOptions = {}) {
  const { url, name, format, table, tally, targets, hierarchy } = set;
  const schemes = new Set<string>();
  // A set's targets nearly always share a scheme; a look at the first hundred thousand is enough for a snippet.
  const archives = new Set<string | undefined>();
  for (let id = 0; id < Math.min(table.targets.count, 100_000); id += 1) {
    const text = table.targets.text(id);
    const scheme = schemeIn(text);
    schemes.add(scheme);
    if (scheme !== "zip") continue;
    const chain = text.indexOf("::");
    archives.add(chain < 0 ? undefined : schemeIn(text.slice(chain + 2)));
  }
  const base = targets.base.kind === "url" && url !== undefined ? targets.base.url : undefined;
  const input: SnippetInput = {
    folder: base && folderOf(base),
    ...(url === undefined && targets.base.kind === "text"
      ? { location: "references.json", isText: true }
      : { location: url ?? name, isUnsaved: url === undefined && isDocument(set) && isMade(set.source) }),
    targetSchemes: [...schemes],
    archiveSchemes: [...archives],
    needsTarget: tally.nullTarget.references > 0,
    target: targets.locations.target,
    hasTemplates: format.hasTemplates === true,
    zarrFormat: [...hierarchy.nodes.values()].some((node) => node.kind === "array" && node.metadata.zarrFormat === 3)
      ? 3
      : 2,
    needs: pythonNeeds({ hierarchy }),
    ...options,
  };
  return (form === "long" ? undefined : kerchunkSnippet(input)) ?? pythonSnippet(input);
}

/** `undefined` where that engine does not read it. */
export function kerchunkSnippet(input: SnippetInput): string | undefined {
  const protocol = protocols(input);
  const [only = ""] = protocol;
  const settings = input.needs?.settings ?? [];
  const isRead = protocol.length < 2 && only !== "zip" && only !== "data" && input.isText !== true;
  if (!isRead || input.zarrFormat === 3 || settings.some((line) => line.startsWith("zarr."))) return undefined;
  const { folder, location, needsTarget, target, hasTemplates } = input;
  const openOptions = [...publicOptions(schemeOf(location)), ...compression(input)];
  const remote = publicOptions(only);
  const options = [
    ...(openOptions.length === 0 ? [] : [`"target_options": {${openOptions.join(", ")}}`]),
    ...(only === FOLDER && folder !== undefined ? [`"fs": ${folder}`] : []),
    ...(only === "" || only === FOLDER ? [] : [`"remote_protocol": ${pythonString(only)}`]),
    ...(remote.length === 0 ? [] : [`"remote_options": {${remote.join(", ")}}`]),
    ...(needsTarget ? [`"target": ${pythonString(target ?? "URL of the file that null URLs mean")}`] : []),
    ...(hasTemplates ? ['"simple_templates": False'] : []),
  ];
  const lines = [
    installLine(["kerchunk", ...packagesOf(input)]),
    ...(input.isUnsaved === true ? [EXPORT_FIRST] : []),
    ...(only === "file" && input.targetSchemes.includes("") ? [RELATIVE_PATHS] : []),
    ...(only === FOLDER ? ["import fsspec"] : []),
    "import xarray as xr",
    ...settings,
    "",
    ...openedByKerchunk(location, options),
  ];
  return `${lines.join("\n")}\n`;
}

/** The protocol of fsspec's filesystem over a folder of another one: what relative targets are looked for in. */
const FOLDER = "dir";

/** Paths of the machine are no relative ones. */
const schemeIn = (target: string): string =>
  target.startsWith("/") ? "file" : (/^([a-z][a-z\d+.-]*):/i.exec(target)?.[1]?.toLowerCase() ?? "");

/** A whole script. Strings of the set are escaped: nothing in them can become code. */
export function pythonSnippet(input: SnippetInput): string {
  const { zarrFormat = 2 } = input;
  const lines = [
    ...requirements(input),
    ...(input.isText === true ? [SAVE_FIRST] : input.isUnsaved === true ? [EXPORT_FIRST] : []),
    ...(input.targetSchemes.includes("") && input.folder === undefined ? [RELATIVE_PATHS] : []),
    "import fsspec",
    "import xarray as xr",
    "import zarr",
    ...(input.needs?.settings ?? []),
    ...wrappedFilesystems(input),
    "",
    "fs = fsspec.filesystem(",
    '    "reference",',
    ...filesystemArguments(input).map((argument) => `    ${argument},`),
    ")",
    `store = zarr.storage.FsspecStore(fs, read_only=True, path="")${zarrFormat === 2 ? ZARR_2_STORE : ""}`,
    "",
    `group = zarr.open(store, mode="r", zarr_format=${zarrFormat})`,
    `ds = xr.open_dataset(store, engine="zarr", consolidated=False, zarr_format=${zarrFormat})`,
  ];
  return `${lines.join("\n")}\n`;
}

const RELATIVE_PATHS =
  "# Relative targets: fsspec takes them from the folder in which Python runs, not from the document's.";

const ZARR_2_STORE = '  # zarr 2: store = fs.get_mapper("")';

const SAVE_FIRST = "# The references were pasted: save them as references.json first.";

const EXPORT_FIRST = "# Export first";

/** True if it lies nowhere: it was not read from a file or an address. */
const isMade = ({ base, path, url }: SetSource): boolean =>
  url === undefined && path === undefined && base.kind !== "text";

function requirements(input: SnippetInput): readonly string[] {
  const install = installLine(packagesOf(input));
  return input.zarrFormat === 3 ? [install] : [install, WITH_ZARR_2];
}

function packagesOf(input: SnippetInput): readonly string[] {
  const packages = ["zarr>=3", "xarray", "fsspec>=2025.2", ...remotePackages(input), ...(input.packages ?? [])];
  if (input.hasTemplates) packages.push("jinja2");
  if (compression(input).includes('"compression": "zstd"')) packages.push("zstandard");
  return [...packages, ...(input.needs?.packages ?? [])];
}

const WITH_ZARR_2 =
  '# With zarr 2, leave out "asynchronous" and "zarr_format", and use the store of the comment below.';

function remotePackages(input: SnippetInput): readonly string[] {
  const archives = (input.archiveSchemes ?? []).filter((scheme) => scheme !== undefined);
  const packages = [schemeOf(input.location), ...protocols(input), ...archives].map((scheme) =>
    FSSPEC_PACKAGES.get(scheme),
  );
  return [...new Set(packages.filter((name) => name !== undefined))];
}

/** Filesystems that are not asynchronous, by protocol: the name of each in the script, and how it is made. */
const WRAPPED = new Map([
  ["file", { name: "local", made: 'fsspec.filesystem("file")' }],
  ["data", { name: "data", made: 'fsspec.filesystem("data")' }],
  ["zip", { name: "archives", made: "Archives()" }],
]);

/** Beside other filesystems, fsspec does not make these asynchronous on its own; nor does it follow chains of URLs. */
function wrappedFilesystems(input: SnippetInput): readonly string[] {
  const all = protocols(input);
  const wrapped = all.length < 2 && !all.includes("zip") ? [] : all.filter((protocol) => WRAPPED.has(protocol));
  if (wrapped.length === 0) return [];
  return [
    "from fsspec.implementations.asyn_wrapper import AsyncFileSystemWrapper",
    ...(wrapped.includes("zip") ? archivesClass(input) : []),
    "",
    ...wrapped.map((protocol) => {
      const { name, made } = WRAPPED.get(protocol) ?? { name: protocol, made: "" };
      return `${name} = AsyncFileSystemWrapper(${made}, asynchronous=True)  # zarr 2: ${made}`;
    }),
  ];
}

function archivesClass({ archiveSchemes = [], target }: SnippetInput): readonly string[] {
  const schemes = archiveSchemes.filter((scheme) => scheme !== undefined);
  const options = [...new Set(schemes)].flatMap((scheme) => {
    const given = publicOptions(scheme);
    return given.length === 0 ? [] : [`${scheme}={${given.join(", ")}}`];
  });
  const isUnnamed = archiveSchemes.includes(undefined);
  const archive = pythonString(target ?? "URL of the archive");
  return [
    "",
    "",
    'class Archives(fsspec.AbstractFileSystem):  # "zip://FILE::ARCHIVE" is not followed by fsspec\'s reference filesystem',
    '    protocol = "zip"',
    "",
    "    def cat_file(self, path, start=None, end=None, **kwargs):",
    ...(isUnnamed ? [`        path = path if "::" in path else path + "::" + ${archive}`] : []),
    `        with fsspec.open(${["path", ...options].join(", ")}) as file:`,
    "            return file.read()[start:end]",
    "",
  ];
}

function filesystemArguments(input: SnippetInput): readonly string[] {
  const list = [`fo=${pythonString(input.location)}`];
  const openOptions = [...publicOptions(schemeOf(input.location)), ...compression(input)];
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
  if (first === "zip" && others.length === 0) return ['fs={"zip": archives}'];
  if (first === FOLDER && others.length === 0) return [`fs=${input.folder ?? ""}`];
  if (others.length === 0) {
    const options = remoteOptions(first);
    const protocol = `remote_protocol=${pythonString(first)}`;
    return options === "{}" ? [protocol] : [protocol, `remote_options=${options}`];
  }
  const each = [first, ...others].map((protocol) => {
    if (protocol === FOLDER) return `None: ${input.folder ?? ""}`;
    const made = WRAPPED.get(protocol)?.name ?? remoteOptions(protocol);
    return `${pythonString(protocol)}: ${made}${protocol === "file" ? ", None: local" : ""}`;
  });
  return [`fs={${each.join(", ")}}`];
}

/** Local files have no asynchronous filesystem; fsspec wraps the ordinary one. */
function remoteOptions(protocol: string): string {
  if (WRAPPED.has(protocol)) return "{}";
  return `{${[...publicOptions(protocol), '"asynchronous": True'].join(", ")}}`;
}

function protocols(input: SnippetInput): readonly string[] {
  const relative = input.folder === undefined ? "file" : FOLDER;
  return [...new Set(input.targetSchemes.map((scheme) => (scheme === "" ? relative : scheme)))];
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
