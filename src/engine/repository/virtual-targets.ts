/** The targets of a manifest's virtual chunks: each distinct location is looked at once, and kept packed or as text. */
import { RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { TableBuilder } from "../../core/table-builder.ts";
import { resolveLocation, type Configuration } from "../../formats/icechunk/index.ts";
import { isLocation, locationOf, packedTexts, type ChunkColumns } from "../../formats/icechunk/references.ts";
import { locationBook, type LocationBook } from "./location-book.ts";

/** Fewer locations are read again as fast. */
const WORTH_KEEPING = 256;

/** Id of a target in the table, or why a chunk cannot be followed. */
export type Target = number | { readonly problem: Finding; readonly written: string };

/** By table; what its pages had in common. */
const books = new WeakMap<TableBuilder, LocationBook>();

function bookOf(table: TableBuilder): LocationBook {
  const book = books.get(table) ?? locationBook();
  books.set(table, book);
  return book;
}

/** By the ids of entries in the columns. `uncontained` is called with each location that no container covers. */
export function virtualTargets(
  columns: ChunkColumns,
  configuration: Configuration,
  table: TableBuilder,
  uncontained: (url: string, entry: number) => void,
): (entry: number) => Target {
  const { entries } = columns;
  const book = bookOf(table);
  const known = book.find(columns, (entry) => containedTarget(columns, entry, configuration, table));
  if (known !== undefined) return (entry) => known[entry] ?? 0;
  const places = new Uint32Array(entries.count);
  const problems = new Map<number, Target>();
  const urls = packedTexts();
  const survey = table.surveyTargets();
  let [count, contained] = [0, 0];
  for (let entry = 0; entry < entries.count; entry += 1) {
    if (!isLocation(columns, entry)) continue;
    let location = "";
    try {
      location = locationOf(columns, entry);
      const { url, container } = resolveLocation(location, configuration);
      if (container === undefined) uncontained(url, entry);
      else contained += 1;
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
  if (contained === entries.count && contained >= WORTH_KEEPING) book.keep(columns, places.map(idAt));
  return (entry) => problems.get(entry) ?? idAt(places[entry] ?? 0);
}

/** `undefined`: it is none, is not read, or in no container. */
function containedTarget(
  columns: ChunkColumns,
  entry: number,
  configuration: Configuration,
  table: TableBuilder,
): number | undefined {
  if (!isLocation(columns, entry)) return undefined;
  try {
    const { url, container } = resolveLocation(locationOf(columns, entry), configuration);
    return container === undefined ? undefined : table.addTarget(url);
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}
