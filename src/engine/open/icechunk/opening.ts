/** Lines that open an Icechunk repository in Python, with the package icechunk. */
import { pythonString } from "#core/json/python-json.ts";

export function storageOf(location: string): string {
  const kind = /^https?:/i.test(location) ? "http_storage" : "local_filesystem_storage";
  return `icechunk.${kind}(${pythonString(location)})`;
}

export function openedWith(containers: readonly string[]): readonly string[] {
  if (containers.length === 0) return ["repo = icechunk.Repository.open(storage)"];
  return [
    "# None: without credentials, or those of the environment.",
    "repo = icechunk.Repository.open(",
    "    storage,",
    `    authorize_virtual_chunk_access={${containers.map((prefix) => `${pythonString(prefix)}: None`).join(", ")}},`,
    ")",
  ];
}
