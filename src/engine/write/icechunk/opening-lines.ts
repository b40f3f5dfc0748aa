/** Lines that open a written repository, with its virtual chunks authorised. */
import { openedWith, storageOf } from "#engine/open/icechunk/opening.ts";
import { installLine, pythonNeeds } from "#engine/open/python-needs.ts";
import type { IcechunkPlan } from "./plan.ts";

/** Credentials of the JavaScript library by the prefix's scheme: without any. */
const ACCESS: Readonly<Record<string, string>> = {
  file: "null",
  http: '{ type: "HttpAccess" }',
  https: '{ type: "HttpAccess" }',
  gs: '{ type: "Gcs", field0: { type: "Anonymous" } }',
  gcs: '{ type: "Gcs", field0: { type: "Anonymous" } }',
};

export function openingLines(name: string, { set, containers }: IcechunkPlan) {
  const prefixes = [...containers.keys()];
  const needs = pythonNeeds(set);
  const python = [
    installLine(["icechunk", "zarr>=3", "xarray", ...needs.packages]),
    "import icechunk",
    "import xarray as xr",
    ...needs.settings,
    "",
    `storage = ${storageOf(name)}`,
    ...openedWith(prefixes),
    'ds = xr.open_zarr(repo.readonly_session("main").store, consolidated=False)',
  ];
  const access = prefixes.map((prefix) => `${JSON.stringify(prefix)}: ${accessTo(prefix)}`).join(", ");
  const javascript = [
    'import { Repository, Storage } from "@earthmover/icechunk";',
    `const storage = await Storage.newLocalFilesystem(${JSON.stringify(name)});`,
    `const repo = await Repository.open(storage${access === "" ? "" : `, undefined, { ${access} }`});`,
    'const { store } = await repo.readonlySession({ branch: "main" });',
  ];
  return { python: `${python.join("\n")}\n`, javascript: `${javascript.join("\n")}\n` };
}

const accessTo = (prefix: string): string =>
  ACCESS[/^[^:]*/.exec(prefix)?.[0] ?? ""] ??
  `{ type: "${prefix.startsWith("a") ? "Azure" : "S3"}", field0: { type: "Anonymous" } }`;
