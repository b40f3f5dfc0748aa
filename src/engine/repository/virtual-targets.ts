/** The targets of a manifest's virtual chunks: each distinct location is looked at once, and kept packed or as text. */
import { RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { TableBuilder } from "../../core/table-builder.ts";
import { resolveLocation, type Configuration } from "../../formats/icechunk/index.ts";
import { isLocation, locationOf, packedTexts, type ChunkColumns } from "../../formats/icechunk/references.ts";

/** Id of a target in the table, or why a chunk cannot be followed. */
export type Target = number | { readonly problem: Finding; readonly written: string };

/** By the ids of entries in the columns. `uncontained` is called with each location that no container covers. */
export function virtualTargets(
  columns: ChunkColumns,
  configuration: Configuration,
  table: TableBuilder,
  uncontained: (url: string, entry: number) => void,
): (entry: number) => Target {
  const { entries } = columns;
  const places = new Uint32Array(entries.count);
  const problems = new Map<number, Target>();
  const urls = packedTexts();
  const survey = table.surveyTargets();
  let count = 0;
  for (let entry = 0; entry < entries.count; entry += 1) {
    if (!isLocation(columns, entry)) continue;
    let location = "";
    try {
      location = locationOf(columns, entry);
      const { url, container } = resolveLocation(location, configuration);
      if (container === undefined) uncontained(url, entry);
      survey.see(url);
      urls.add(url);
      places[entry] = count++;
    } catch (error) {
      if (!(error instanceof RefscopeError)) throw error;
      const written = location === "" ? "" : JSON.stringify(location.slice(0, 500));
      problems.set(entry, { problem: error.finding, written });
    }
  }
  const idAt = table.addTargets(urls.finish(), survey);
  return (entry) => problems.get(entry) ?? idAt(places[entry] ?? 0);
}
