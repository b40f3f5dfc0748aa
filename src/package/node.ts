/** The package in Node: also opens paths, and finds source files beside them or below `root`. */
import type { Dataset, OpenOptions } from "./types.ts";

export * from "./index.ts";

/** A file, a folder or a URL. Throws as `open` does. */
export async function openPath(path: string, options: OpenOptions & { readonly root?: string } = {}): Promise<Dataset> {
  const { signal, ...asked } = options;
  const { openSet } = await import("../cli/open-refs.ts");
  const { contextOf, datasetOf } = await import("./dataset.ts");
  return datasetOf(await openSet(path, asked, contextOf(signal)));
}
