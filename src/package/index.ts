/**
 * Refscope's engine as a package: in a page, a worker, or Node. The engine itself is fetched when a dataset is opened.
 */
import { NO_LOCATIONS } from "../core/byte-source.ts";
import type { OpenSource } from "../core/open-set.ts";
import { VERSION } from "../core/version.ts";
import type { Dataset, GivenFile, OpenOptions } from "./types.ts";

export type * from "./types.ts";

export const version: string = VERSION;

/**
 * An address; the text of a reference document; or files, by their paths. Throws where it is no dataset, or several.
 */
export async function open(
  source: string | URL | { readonly text: string; readonly name?: string } | readonly GivenFile[],
  { choice, ref, allowPrivate = false, signal }: OpenOptions = {},
): Promise<Dataset> {
  const [{ openAny }, { togetherLater }, { contextOf, datasetOf }] = await Promise.all([
    import("../engine/open/open-any.ts"),
    import("../engine/preflight/together-later.ts"),
    import("./dataset.ts"),
  ]);
  const opening = {
    locations: { ...NO_LOCATIONS, allowPrivate },
    network: { http: {} },
    options: { choice, ref },
    context: contextOf(signal),
    together: togetherLater,
  };
  const opened = await openAny(sourceOf(source), opening);
  if (opened.kind === "set") return datasetOf(opened.set);
  throw new Error(`${opened.title}. Choose one with choice: ${opened.choices.map(({ id }) => id).join(", ")}`);
}

function sourceOf(source: Parameters<typeof open>[0]): OpenSource {
  if (typeof source === "string" || source instanceof URL) return { kind: "url", url: String(source) };
  if ("text" in source) return { kind: "text", text: source.text, name: source.name ?? "references.json" };
  return { kind: "files", files: source };
}
