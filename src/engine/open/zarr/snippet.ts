/** The lines that open a Zarr store in Python, with zarr-python 3 and xarray. */
import { rectilinearOption } from "../rectilinear-option.ts";
import type { EngineSet } from "../../engine-set.ts";
import { pythonString } from "../../../core/python-string.ts";
import { pythonNeeds, quotedForShell } from "../python-needs.ts";

/** A whole script. Strings of the set are escaped: nothing in them can become code. */
export function storeSnippet({ url, name, hierarchy, format: { zarrFormat = 2 } }: EngineSet): string {
  const needs = pythonNeeds({ hierarchy });
  const location = url ?? name;
  const isArray = hierarchy.nodes.get("")?.kind === "array";
  // zarr-python refuses arrays with storage transformers.
  const hasTransformers = [...hierarchy.nodes.values()].some(
    (node) => node.kind === "array" && (node.metadata.storageTransformers?.length ?? 0) > 0,
  );
  const remote = /^[a-z][a-z\d+.-]*:\/\//i.test(location);
  const general = ["zarr>=3", ...(isArray ? [] : ["xarray"]), ...(remote ? ["fsspec", "aiohttp"] : [])];
  const opened = `zarr.open(${pythonString(location)}, mode="r", zarr_format=${zarrFormat})`;
  const lines = [
    `# pip install ${[...general, ...needs.packages].map(quotedForShell).join(" ")}`,
    ...(hasTransformers
      ? ["# zarr-python refuses arrays with storage transformers (chunk manifests): only other arrays open."]
      : []),
    ...(isArray ? [] : ["import xarray as xr"]),
    "import zarr",
    ...needs.imports,
    ...rectilinearOption(hierarchy.nodes.values()),
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
