/**
 * How Python gets at the targets of a set: the options of fsspec's filesystems, or Icechunk's containers and credentials.
 * None of this is in the references.
 */
import { pythonString } from "../json/python-json.ts";
import { FSSPEC_PACKAGES, folderOf, openedByKerchunk, publicOptions } from "./kerchunk-open.ts";
import type { SignIn } from "./sign-in.ts";

/** Access that reading needs, as far as answers showed it. */
export type AccessNeed = "anonymous" | "account" | "requester-pays" | "token";

/** Targets below one prefix. */
export interface AccessPlace {
  /** Scheme as references write it: `s3`, `https`; `""` for paths. */
  readonly scheme: string;
  /** Bucket or host; for Icechunk the container's whole prefix. */
  readonly prefix: string;
  readonly need: AccessNeed;
  /** Service whose sign-in page was returned. */
  readonly signIn?: SignIn | undefined;
  /** Endpoint of a store that is not the cloud's own. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Icechunk's name for the kind of store: `s3`, `s3_compatible`, `gcs`, `azure`, `http`, `local_file_system`. */
  readonly store?: string | undefined;
}

export interface AccessFacts {
  readonly kind: "fsspec" | "icechunk";
  /** URL or path of the set. */
  readonly location: string;
  readonly places: readonly AccessPlace[];
  readonly needsRendering?: boolean;
}

/** Lines to paste, with a line feed at the end. Texts of the set are escaped: nothing in them can become code. */
export const accessRecipe = (facts: AccessFacts): string =>
  `${(facts.kind === "icechunk" ? icechunkLines(facts) : fsspecLines(facts)).join("\n")}\n`;

/** fsspec takes one set of options a protocol. */
function fsspecLines({ location, places, needsRendering = false }: AccessFacts): readonly string[] {
  const protocols = new Map<string, AccessPlace[]>();
  for (const place of places) {
    const protocol = place.scheme === "" ? "file" : place.scheme;
    protocols.set(protocol, [...(protocols.get(protocol) ?? []), place]);
  }
  const packages = [...protocols.keys()].flatMap((protocol) => FSSPEC_PACKAGES.get(protocol) ?? []);
  // These are not asynchronous: fsspec wraps them only where they are alone.
  const isAlone = protocols.size === 1 && !protocols.has("zip");
  const remote = [...protocols].filter(([protocol]) => protocol !== "file" && (isAlone || !NOT_ASYNC.has(protocol)));
  const wrapped = isAlone ? [] : [...protocols.keys()].filter((protocol) => NOT_ASYNC.has(protocol));
  const options = remote.map(([protocol, of]) => [protocol, filesystemOptions(protocol, of)] as const);
  const notes = remote.flatMap(([protocol, of]) => disagreements(protocol, of));
  const [first] = options;
  const folder = first === undefined && places.some(({ scheme }) => scheme === "") ? folderOf(location) : undefined;
  const single =
    first === undefined
      ? [folder === undefined ? '"remote_protocol": "file"' : `"fs": ${folder}`]
      : [`"remote_protocol": ${pythonString(first[0])}`, `"remote_options": ${first[1]}`];
  const rendering = needsRendering ? ['"simple_templates": False'] : [];
  const isMixed = remote.length > 0 && protocols.has("file");
  return [
    `# pip install kerchunk xarray "zarr>=3" "fsspec>=2025.2" ${[...new Set(packages)].join(" ")}`.trimEnd(),
    ...notes,
    ...(wrapped.length === 0
      ? []
      : [
          `# Targets by ${wrapped.join(": and ")}: need a filesystem object of their own in “fs”: see the set's lines for Python.`,
        ]),
    ...(isMixed ? ["# Local paths beside remote targets need a filesystem object of their own in “fs”."] : []),
    ...(folder === undefined ? [] : ["import fsspec"]),
    "import xarray as xr",
    "",
    ...(options.length > 1
      ? openedByZarr(location, options, rendering)
      : openedByKerchunk(location, [...single, ...rendering])),
  ];
}

/** The engine of kerchunk takes one filesystem. */
function openedByZarr(
  location: string,
  options: readonly (readonly [protocol: string, options: string])[],
  others: readonly string[],
): readonly string[] {
  return [
    "storage_options = {",
    `    "fo": ${pythonString(location)},`,
    '    "fs": {',
    ...options.map(([protocol, value]) => `        ${pythonString(protocol)}: ${value},`),
    "    },",
    ...others.map((option) => `    ${option},`),
    "}",
    'ds = xr.open_dataset("reference://", engine="zarr",',
    '                     backend_kwargs={"consolidated": False, "storage_options": storage_options})',
  ];
}

const NOT_ASYNC: ReadonlySet<string> = new Set(["data", "zip"]);

function filesystemOptions(protocol: string, places: readonly AccessPlace[]): string {
  const [place] = places.toSorted((a, b) => NEEDS.indexOf(b.need) - NEEDS.indexOf(a.need));
  const need = place?.need ?? "anonymous";
  const endpoint = places.find((one) => one.endpoint !== undefined)?.endpoint;
  const region = places.find((one) => one.region !== undefined)?.region;
  const name = FSSPEC_PACKAGES.get(protocol);
  if (name === undefined) return "{}";
  const isS3 = name === "s3fs";
  const isSignedIn = need !== "anonymous";
  return dict([
    ...(isSignedIn ? SIGNED_IN[name] : publicOptions(protocol)),
    ...(name === "adlfs" ? ['"account_name": "ACCOUNT"'] : []),
    '"asynchronous": True',
    ...(need === "requester-pays" && (isS3 || name === "gcsfs") ? ['"requester_pays": True'] : []),
    ...(isS3 && endpoint !== undefined ? [`"endpoint_url": ${pythonString(endpoint)}`] : []),
    ...(isS3 && region !== undefined ? [`"client_kwargs": {"region_name": ${pythonString(region)}}`] : []),
    ...(isSignedIn && name === "aiohttp" ? ['"client_kwargs": {"headers": {"Authorization": "Bearer TOKEN"}}'] : []),
  ]);
}

const SIGNED_IN = {
  s3fs: ['"anon": False'],
  gcsfs: ['"token": "google_default"'],
  adlfs: ['"anon": False'],
  aiohttp: [],
};
const NEEDS: readonly AccessNeed[] = ["anonymous", "token", "account", "requester-pays"];
const dict = (members: readonly string[]): string => `{${members.join(", ")}}`;

/** Facts that one set of options cannot express. */
function disagreements(protocol: string, places: readonly AccessPlace[]): readonly string[] {
  const differ = (name: string, of: (place: AccessPlace) => string | undefined): readonly string[] => {
    const values = [...new Set(places.map(of).filter((value) => value !== undefined))];
    if (values.length < 2) return [];
    return [
      `# ${protocol}: targets differ by ${name} (${values.map(pythonString).join(", ")}); fsspec takes one for all.`,
    ];
  };
  return [...differ("endpoint", ({ endpoint }) => endpoint), ...differ("region", ({ region }) => region)];
}

function icechunkLines({ location, places }: AccessFacts): readonly string[] {
  const storage = /^https?:/i.test(location) ? "http_storage" : "local_filesystem_storage";
  const opened =
    places.length === 0
      ? ["repo = icechunk.Repository.open(storage)"]
      : [
          "config = icechunk.RepositoryConfig.default()",
          ...places.map((place) => `config.set_virtual_chunk_container(${container(place)})`),
          "credentials = icechunk.containers_credentials({",
          ...places.map((place) => `    ${pythonString(place.prefix)}: ${credentials(place)},`),
          "})",
          "repo = icechunk.Repository.open(storage, config=config, authorize_virtual_chunk_access=credentials)",
        ];
  return [
    '# pip install icechunk "zarr>=3" xarray',
    "import icechunk",
    "import xarray as xr",
    "",
    `storage = icechunk.${storage}(${pythonString(location)})`,
    ...opened,
    'ds = xr.open_zarr(repo.readonly_session("main").store, consolidated=False)',
  ];
}

const container = (place: AccessPlace): string =>
  `icechunk.VirtualChunkContainer(${pythonString(place.prefix)}, ${store(place)})`;

function store({ store: kind, scheme, prefix, need, endpoint, region }: AccessPlace): string {
  const named = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}=${pythonString(value)}`];
  const anonymous = need === "anonymous" ? ["anonymous=True"] : [];
  if (kind === "http" || scheme.startsWith("http")) return "icechunk.http_store()";
  if (kind === "local_file_system" || scheme === "file")
    return `icechunk.local_filesystem_store(${pythonString(prefix.replace(/^file:\/\//, ""))})`;
  if (kind === "gcs" || /^gcs?$|^gs$/.test(scheme)) return "icechunk.gcs_store()";
  if (kind === "azure" || /^az|^abfs/.test(scheme)) return 'icechunk.azure_store(account="ACCOUNT")';
  const compatible = endpoint === undefined ? [] : ["s3_compatible=True", "force_path_style=True"];
  const options = [...named("region", region), ...named("endpoint_url", endpoint), ...compatible, ...anonymous];
  return `icechunk.s3_store(${options.join(", ")})`;
}

function credentials({ store: kind, scheme, need }: AccessPlace): string {
  const isAnonymous = need === "anonymous";
  if (kind === "http" || scheme.startsWith("http") || kind === "local_file_system" || scheme === "file") return "None";
  if (kind === "gcs" || /^gcs?$|^gs$/.test(scheme))
    return isAnonymous ? "icechunk.gcs_anonymous_credentials()" : "icechunk.gcs_from_env_credentials()";
  if (kind === "azure" || /^az|^abfs/.test(scheme)) return "icechunk.azure_from_env_credentials()";
  return isAnonymous ? "icechunk.s3_anonymous_credentials()" : "icechunk.s3_from_env_credentials()";
}
