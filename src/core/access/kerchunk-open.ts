/**
 * The shortest Python that opens references: xarray's engine of the package kerchunk. It reads Zarr v2 through one
 * filesystem.
 */
import { pythonString } from "../json/python-json.ts";

type FsspecPackage = "s3fs" | "gcsfs" | "adlfs" | "aiohttp";

/** Packages by scheme as references write it: fsspec finds a target's filesystem by exactly that. */
export const FSSPEC_PACKAGES: ReadonlyMap<string, FsspecPackage> = new Map<string, FsspecPackage>([
  ...["s3", "s3a"].map((scheme) => [scheme, "s3fs"] as const),
  ...["gs", "gcs"].map((scheme) => [scheme, "gcsfs"] as const),
  ...["az", "abfs", "abfss"].map((scheme) => [scheme, "adlfs"] as const),
  ...["http", "https"].map((scheme) => [scheme, "aiohttp"] as const),
]);

const PUBLIC = { s3fs: ['"anon": True'], gcsfs: ['"token": "anon"'], adlfs: ['"anon": True'], aiohttp: [] };

/** Options that read public data without an account. */
export function publicOptions(scheme: string): readonly string[] {
  const name = FSSPEC_PACKAGES.get(scheme);
  return name === undefined ? [] : PUBLIC[name];
}

/** `options`: members of `storage_options`, as Python writes them. */
export function openedByKerchunk(location: string, options: readonly string[]): readonly string[] {
  if (options.length === 0) return [`ds = xr.open_dataset(${pythonString(location)}, engine="kerchunk")`];
  return [
    "ds = xr.open_dataset(",
    `    ${pythonString(location)},`,
    '    engine="kerchunk",',
    "    storage_options={",
    ...options.map((option) => `        ${option},`),
    "    },",
    ")",
  ];
}

/**
 * The filesystem of the folder that a web address is in, for relative targets: fsspec itself takes these from where Python
 * runs. `undefined` for what is not on the web.
 */
export function folderOf(location: string): string | undefined {
  const [folder, protocol = ""] = /^(https?):\/\/[^?#]*\//.exec(location) ?? [];
  if (folder === undefined) return undefined;
  const inner = `fsspec.filesystem(${pythonString(protocol)}, asynchronous=True)`;
  return `fsspec.filesystem("dir", path=${pythonString(folder.slice(0, -1))}, fs=${inner}, asynchronous=True)`;
}
