/** Findings about repeated keys. */
import { finding, type Finding, keyAt, type Place, WHOLE_SET } from "#core/findings/finding.ts";
import type { Version1Renderer } from "#core/table/version1.ts";
import type { MetadataRepeats } from "./reference-set.ts";
import type { RowRepeats } from "./duplicates.ts";

export interface RepeatSource {
  readonly rows: RowRepeats;
  readonly metadata: MetadataRepeats | undefined;
  readonly keyOf: (row: number) => string | undefined;
  /** Ordinal in gen by a row's number before repeated keys were removed. */
  readonly genOrdinal: (row: number) => number | undefined;
  readonly renderer: Version1Renderer | undefined;
}

export function repeatFindings(source: RepeatSource): readonly Finding[] {
  return [...written(source), ...overridden(source), ...collided(source)];
}

const placeAt = (key: string | undefined): Place => (key === undefined ? WHOLE_SET : keyAt(key));

function written({ rows, keyOf }: RepeatSource): readonly Finding[] {
  if (rows.written === undefined) return [];
  const { count, row } = rows.written;
  return [finding("duplicate-key", placeAt(keyOf(row)), {}, count)];
}

function overridden({ rows, metadata, keyOf }: RepeatSource): readonly Finding[] {
  const count = (rows.overridden?.count ?? 0) + (metadata?.overrides.length ?? 0);
  if (count === 0) return [];
  const key = rows.overridden === undefined ? metadata?.overrides[0] : keyOf(rows.overridden.row);
  return [finding("gen-overrides", placeAt(key), {}, count)];
}

function collided({ rows, metadata, keyOf, genOrdinal, renderer }: RepeatSource): readonly Finding[] {
  const count = (rows.collided?.count ?? 0) + (metadata?.collisions.length ?? 0);
  if (count === 0) return [];
  const [first] = metadata?.collisions ?? [];
  const fromRow = rows.collided;
  const key = fromRow === undefined ? first?.key : keyOf(fromRow.row);
  const earlier = fromRow === undefined ? first?.earlier : genOrdinal(fromRow.earlier);
  const later = fromRow === undefined ? first?.later : genOrdinal(fromRow.later);
  const originOf = (ordinal: number | undefined) => {
    if (ordinal === undefined || renderer === undefined) return undefined;
    const { gen, variables } = renderer.origin(ordinal);
    return { gen, variables: variables.map(({ name, value }) => ({ name, value: value.slice(0, 60) })) };
  };
  return [finding("gen-collision", placeAt(key), { earlier: originOf(earlier), later: originOf(later) }, count)];
}
