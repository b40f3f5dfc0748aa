/** What there is to say of keys that were there already. */
import type { Finding } from "../../core/finding.ts";
import type { GenOrigin, Version1Renderer } from "../../core/version1.ts";
import type { MetadataRepeats } from "./reference-set.ts";
import type { RowRepeats } from "./duplicates.ts";

export interface RepeatSource {
  readonly rows: RowRepeats;
  readonly metadata: MetadataRepeats | undefined;
  readonly keyOf: (row: number) => string | undefined;
  /** By a row as it was numbered before repeated keys were removed. */
  readonly genOrdinal: (row: number) => number | undefined;
  readonly renderer: Version1Renderer | undefined;
}

export function repeatFindings(source: RepeatSource): readonly Finding[] {
  return [...written(source), ...overridden(source), ...collided(source)];
}

const keyed = (key: string | undefined) => (key === undefined ? {} : { key });
const counted = (count: number) => (count === 1 ? {} : { count });

function written({ rows, keyOf }: RepeatSource): readonly Finding[] {
  if (rows.written === undefined) return [];
  const { count, row } = rows.written;
  const message = "The key is written more than once; the last value counts, as in Python.";
  const advice = "Remove the earlier reference, or correct its key if another chunk was meant.";
  return [{ code: "duplicate-key", severity: "warning", ...keyed(keyOf(row)), message, advice, ...counted(count) }];
}

function overridden({ rows, metadata, keyOf }: RepeatSource): readonly Finding[] {
  const count = (rows.overridden?.count ?? 0) + (metadata?.overrides.length ?? 0);
  if (count === 0) return [];
  const key = rows.overridden === undefined ? metadata?.overrides[0] : keyOf(rows.overridden.row);
  const message =
    "“gen” makes a reference of a key that stands in “refs” too: the generated one counts, at the place of the written one.";
  return [{ code: "gen-overrides", severity: "info", ...keyed(key), message, ...counted(count) }];
}

function collided({ rows, metadata, keyOf, genOrdinal, renderer }: RepeatSource): readonly Finding[] {
  const count = (rows.collided?.count ?? 0) + (metadata?.collisions.length ?? 0);
  if (count === 0) return [];
  const [first] = metadata?.collisions ?? [];
  const fromRow = rows.collided;
  const key = fromRow === undefined ? first?.key : keyOf(fromRow.row);
  const earlier = fromRow === undefined ? first?.earlier : genOrdinal(fromRow.earlier);
  const later = fromRow === undefined ? first?.later : genOrdinal(fromRow.later);
  const both = [earlier, later].map((ordinal) =>
    ordinal === undefined || renderer === undefined ? "an entry" : originWords(renderer.origin(ordinal)),
  );
  const message = `${both.join(" and ")} make the same key; the later one counts, as in Python.`;
  const advice = "Correct the key's template so that every combination of the dimensions gives another key.";
  return [{ code: "gen-collision", severity: "warning", ...keyed(key), message, advice, ...counted(count) }];
}

function originWords({ gen, variables }: GenOrigin): string {
  const values = variables.map(({ name, value }) => `${name} = ${value.slice(0, 60)}`);
  return `gen[${gen}]${values.length === 0 ? "" : ` (${values.join(", ")})`}`;
}
