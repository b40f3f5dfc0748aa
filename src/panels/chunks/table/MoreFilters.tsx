/** The filters that are out of sight at first: texts, and chunk numbers along each dimension with their places. */
import { useId } from "react";
import { type Axis, placeRange } from "../../../core/cf/axis.ts";
import { declaredExtent, startAlong } from "../../../core/metadata/chunk-grid.ts";
import type { NodeSummary } from "../../../core/open-set.ts";
import { useCheapAxes } from "../../../store/hooks/use-cheap-axes.ts";
import { SearchField } from "../../../widgets/controls/SearchField.tsx";
import { TextField } from "../../../widgets/controls/TextField.tsx";
import { dimensionName } from "../../../widgets/dimension-name.ts";
import { formatCount } from "../../../widgets/number-format.ts";
import styles from "./FilterBar.module.css";
import { NO_RANGE, parseCoordinateRange, type RangeText } from "./filter-draft.ts";
import type { Manifest } from "./use-manifest.ts";

export function MoreFilters({ manifest }: { readonly manifest: Manifest }) {
  const { draft, setDraft, node, isArray } = manifest;
  const { grid = [] } = isArray ? node : {};
  return (
    <div className={styles.more}>
      <SearchField
        className={styles.text}
        label="Key contains"
        value={draft.keyText}
        onChange={(keyText) => setDraft({ ...draft, keyText })}
      />
      <SearchField
        className={styles.text}
        label="Target contains"
        value={draft.targetText}
        onChange={(targetText) => setDraft({ ...draft, targetText })}
      />
      {grid.length === 0 ? null : <DimensionFilters {...{ manifest, grid }} />}
      {isArray ? null : <span className={styles.hint}>Select an array to filter by chunk coordinates.</span>}
    </div>
  );
}

interface DimensionFiltersProps {
  readonly manifest: Manifest;
  readonly grid: readonly number[];
}

/** Chunk numbers along each dimension, with what stands there. */
function DimensionFilters({ manifest: { draft, setDraft, node, array, set }, grid }: DimensionFiltersProps) {
  const axes = useCheapAxes(set.id, node, true);
  return grid.map((count, dimension) => {
    const range = draft.coordinates.get(dimension) ?? NO_RANGE;
    const { problem, from = 0, to = count - 1 } = parseCoordinateRange(range);
    const name = array?.dimensions[dimension]?.name ?? dimensionName(node.dimensionNames, dimension);
    return (
      <RangeFields
        key={dimension}
        label={name}
        hint={`Chunk numbers, 0 to ${formatCount(count - 1)}`}
        meaning={chunkSpanWords(node, axes[dimension], dimension, { from, to: Math.min(to, count - 1) })}
        range={range}
        problem={problem}
        onChange={(next) => setDraft({ ...draft, coordinates: new Map(draft.coordinates).set(dimension, next) })}
      />
    );
  });
}

/** `chunks 0–5: 2026-01-01 – 2026-01-24` */
function chunkSpanWords(
  { shape = [], chunks = [] }: NodeSummary,
  axis: Axis | undefined,
  dimension: number,
  { from, to }: Readonly<Record<"from" | "to", number>>,
): string {
  if (from > to) return "no chunk";
  const [length, edges] = [shape[dimension] ?? 0, chunks[dimension] ?? 1];
  const [first, last] = [startAlong(edges, from), startAlong(edges, to) + declaredExtent(length, edges, to) - 1];
  const numbers = from === to ? `chunk ${formatCount(from)}` : `chunks ${formatCount(from)}–${formatCount(to)}`;
  return `${numbers}: ${(axis && placeRange(axis, first, last)) ?? `elements ${formatCount(first)}–${formatCount(last)}`}`;
}

interface RangeFieldsProps {
  readonly label: string;
  /** What may be typed. */
  readonly hint: string;
  readonly range: RangeText;
  /** What the range stands for. */
  readonly meaning?: string;
  readonly problem: string | undefined;
  readonly onChange: (range: RangeText) => void;
}

/** Two fields, "from" and "to", both ends included; blank is open. */
export function RangeFields({ label, hint, meaning, range, problem, onChange }: RangeFieldsProps) {
  const id = useId();
  return (
    <fieldset className={styles.range}>
      <legend className={styles.rangeName} title={hint}>
        {label}
      </legend>
      {(["from", "to"] as const).map((end) => (
        <TextField
          key={end}
          aria-label={`${label} ${end}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          placeholder={end}
          title={`${hint}, included`}
          value={range[end]}
          onChange={(event) => onChange({ ...range, [end]: event.target.value })}
        />
      ))}
      {problem !== undefined || meaning === undefined ? null : <span className={styles.hint}>{meaning}</span>}
      {problem === undefined ? null : (
        <span id={id} className={styles.problem} role="alert">
          {problem} Not applied.
        </span>
      )}
    </fieldset>
  );
}
