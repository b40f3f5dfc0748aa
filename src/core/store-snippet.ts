/** The lines that open a Zarr store in Python, with zarr-python 3 and xarray. */
import { pythonString } from "./python-snippet.ts";

export interface StoreSnippetInput {
  /** URL, or path or name of the store. */
  readonly location: string;
  readonly zarrFormat: 2 | 3;
  /** Whether the store is one array, and no group. */
  readonly isArray: boolean;
  /** Whether arrays have storage transformers, which zarr-python refuses. */
  readonly hasTransformers: boolean;
}

/** A whole script. Strings of the set are escaped: nothing in them can become code. */
export function storeSnippet({ location, zarrFormat, isArray, hasTransformers }: StoreSnippetInput): string {
  const remote = /^[a-z][a-z\d+.-]*:\/\//i.test(location);
  const packages = ['"zarr>=3"', ...(isArray ? [] : ["xarray"]), ...(remote ? ["fsspec", "aiohttp"] : [])];
  const opened = `zarr.open(${pythonString(location)}, mode="r", zarr_format=${zarrFormat})`;
  const lines = [
    `# pip install ${packages.join(" ")}`,
    ...(hasTransformers
      ? ["# zarr-python refuses arrays with storage transformers (chunk manifests): only other arrays open."]
      : []),
    ...(isArray ? [] : ["import xarray as xr"]),
    "import zarr",
    "",
    ...(isArray
      ? [`array = ${opened}`]
      : [
          `group = ${opened}`,
          `ds = xr.open_zarr(${pythonString(location)}, zarr_format=${zarrFormat}, consolidated=None)`,
        ]),
  ];
  return `${lines.join("\n")}\n`;
}
