/** In Node: also what is named by a path, with its source files found beside it or below `root`. */
import type { Dataset, OpenOptions } from "./types.ts";

export * from "./index.ts";

/** A file, a folder or a URL. Throws as `open` does. */
export async function openPath(path: string, options: OpenOptions & { readonly root?: string } = {}): Promise<Dataset> {
  const { signal, ...asked } = options;
  const { openSet } = await import("../cli/open-refs.ts");
  const { contextOf, datasetOf } = await import("./dataset.ts");
  return datasetOf(await openSet(path, asked, contextOf(signal)));
}
