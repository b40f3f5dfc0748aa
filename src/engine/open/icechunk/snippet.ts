/** The lines that open an Icechunk repository in Python, with the package icechunk. */
import { rectilinearOption } from "../rectilinear-option.ts";
import type { ShownRef } from "../../../core/repository.ts";
import { repositoryOf, type EngineSet } from "../../engine-set.ts";
import { pythonString } from "../../../core/python-string.ts";
import { pythonNeeds, quotedForShell } from "../python-needs.ts";

/** A whole script. Strings of the repository are escaped: nothing in them can become code. */
export function icechunkSnippet(set: EngineSet): string {
  const { summary, containers } = repositoryOf(set);
  const needs = pythonNeeds(set);
  const lines = [
    `# pip install ${["icechunk", "zarr>=3", "xarray", ...needs.packages].map(quotedForShell).join(" ")}`,
    "import icechunk",
    "import xarray as xr",
    "import zarr",
    ...needs.imports,
    ...rectilinearOption(set.hierarchy.nodes.values()),
    "",
    `storage = ${storageOf(set.url ?? set.name)}`,
    ...openedWith(containers),
    `session = repo.readonly_session(${sessionArgument(summary.shown)})`,
    'group = zarr.open(session.store, mode="r")',
    "ds = xr.open_zarr(session.store, consolidated=False)",
  ];
  return `${lines.join("\n")}\n`;
}

function storageOf(location: string): string {
  const kind = /^https?:/i.test(location) ? "http_storage" : "local_filesystem_storage";
  return `icechunk.${kind}(${pythonString(location)})`;
}

function openedWith(containers: readonly string[]): readonly string[] {
  if (containers.length === 0) return ["repo = icechunk.Repository.open(storage)"];
  return [
    "# None: without credentials, or those of the environment.",
    "repo = icechunk.Repository.open(",
    "    storage,",
    `    authorize_virtual_chunk_access={${containers.map((prefix) => `${pythonString(prefix)}: None`).join(", ")}},`,
    ")",
  ];
}

function sessionArgument(ref: ShownRef): string {
  if (ref.kind === "snapshot") return `snapshot_id=${pythonString(ref.snapshot)}`;
  return `${ref.kind}=${pythonString(ref.name)}`;
}
