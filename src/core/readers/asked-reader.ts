/** Parses a user's question about a reader: its name, with a version or a day; or a list of packages. */
import { isReaderId, type ReaderId } from "./ids.ts";
import { type AskedVersions, NO_VERSIONS, packageName } from "./versions.ts";

export interface AskedReader extends AskedVersions {
  readonly reader: ReaderId | "all";
  /** Present for a list of packages: it asks about all readers made of one of them. */
  readonly isList?: true;
}

/** Whose version is meant by a reader's own name. */
export const PACKAGES: Readonly<Record<ReaderId, readonly [own: string, ...others: string[]]>> = {
  fsspec: ["fsspec"],
  "fsspec-templates": ["fsspec"],
  "zarr-python": ["zarr", "fsspec"],
  xarray: ["xarray", "zarr", "fsspec"],
  virtualizarr: ["virtualizarr", "zarr"],
  icechunk: ["icechunk", "zarr"],
  "gdal-kerchunk": ["gdal"],
  "gdal-icechunk": ["gdal"],
  zarrita: ["zarrita"],
  "icechunk-js": ["icechunk-js"],
  titiler: ["titiler-xarray", "xarray", "zarr"],
  rioxarray: ["rioxarray", "xarray", "zarr"],
  "carbonplan-maps": ["@carbonplan/maps"],
  "zarr-layer": ["@carbonplan/zarr-layer", "zarrita"],
  neuroglancer: ["neuroglancer"],
  vizarr: ["@hms-dbmi/vizarr"],
  "zarr-jl": ["zarr.jl"],
};

const VERSION = /^v?\d+(?:\.\d+)*[a-z0-9.+-]*$/i;
const DAY = /^\d{4}-\d{2}(?:-\d{2})?$/;

/** `fsspec`, `all`, `fsspec@2024.2`, `all@2024-06`. `undefined` where it is none of these. */
export function parseAskedReader(text: string): AskedReader | undefined {
  const at = text.indexOf("@");
  const [name, version] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  if (name !== "all" && !isReaderId(name)) return undefined;
  if (version === undefined) return { reader: name, ...NO_VERSIONS };
  if (DAY.test(version)) return { reader: name, ...NO_VERSIONS, date: version };
  if (name === "all" || !VERSION.test(version)) return undefined;
  return { reader: name, versions: new Map([[PACKAGES[name][0], version]]) };
}

/** Parses packages as pip list, pip freeze and conda list write them; skips all other lines. */
export function parsePackages(text: string): AskedReader {
  const versions = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, version] = /^\s*([a-z0-9][\w.-]*)\s*(?:==|\s)\s*(v?\d[\w.+!-]*)(?:\s|$)/i.exec(line) ?? [];
    if (name !== undefined && version !== undefined) versions.set(packageName(name), version);
  }
  return { reader: "all", versions, isList: true };
}

/** True if the list has a package that the reader is made of. */
export const isListed = (reader: ReaderId, { isList, versions }: AskedReader): boolean =>
  isList !== true || versions.has(PACKAGES[reader][0]);
