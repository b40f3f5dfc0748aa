import { useState } from "react";
import { placeText } from "../../../core/cf/axis-text.ts";
import { useEngine } from "../../../store/react.tsx";
import type { Axes } from "../../../store/hooks/use-cheap-axes.ts";
import { CopyButton } from "../../../widgets/controls/CopyButton.tsx";
import { useDelayed } from "../../../widgets/notes/use-delayed.ts";
import styles from "./ElementReadout.module.css";
import { type ChunkArray, elementWords, firstIndex } from "../chunk-words.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import { shownUnits } from "./value-words.ts";

interface ElementReadoutProps extends ValueTabProps {
  readonly id: string;
  /** Index in the chunk for every dimension. */
  readonly element: readonly number[];
}

/** What the value was decoded from. */
function Stored({ set, reading, element }: ElementReadoutProps) {
  const text = useExactText(set, reading.id, element, false);
  return <>; stored {text === null ? "as no number" : (text ?? "…")}</>;
}

/** The element under the cursor: its place in the array and its exact value. */
export function ElementReadout(props: ElementReadoutProps) {
  const { id, set, reading, array, element, values, view, axes } = props;
  const { scaled } = view;
  const units = scaled ? shownUnits(values.scaling) : undefined;
  const text = useExactText(set, reading.id, element, scaled);
  const indices = elementWords(array, reading.coordinates, element);
  const place = elementPlace(array, { coordinates: reading.coordinates, element, axes });
  const hasUnits = text !== null && text !== undefined && units !== undefined;
  return (
    <p id={id} className={styles.readout} aria-live="polite">
      <span className={styles.value} title={text ?? undefined} data-missing={text === null}>
        {text === null ? "missing" : (text ?? "…")}
        {hasUnits ? <small> {units}</small> : null}
      </span>
      <CopyButton text={text ?? ""} what="value" />
      <span className={styles.place} title={place === undefined ? indices : `${place}\n${indices}`}>
        {place === undefined ? null : <span>{place}</span>}
        <span>
          {indices}
          {scaled ? <Stored {...props} /> : null}
        </span>
      </span>
    </p>
  );
}

// An element's place in coordinates.

interface ElementPlace {
  readonly coordinates: readonly number[];
  /** Index in the chunk for every dimension. */
  readonly element: readonly number[];
  readonly axes: Axes;
}

/** `2026-01-03 · 31°S · 121°W`: the same place in coordinates; `undefined` where none are known. */
export function elementPlace(array: ChunkArray, { coordinates, element, axes }: ElementPlace): string | undefined {
  const places = axes.flatMap((axis, dimension) => {
    const at = firstIndex(array, coordinates, dimension) + (element[dimension] ?? 0);
    const place = axis === undefined ? undefined : placeText(axis, at);
    return place === undefined ? [] : [place];
  });
  return places.length === 0 ? undefined : places.join(" · ");
}

const REST_MS = 60;
const ONE = { from: 0, to: 1 };

/**
 * Exact text of one element of a reading, asked for once the cursor rests on it. `undefined` until it is known,
 * `null` where it is missing.
 */
function useExactText(
  set: number,
  reading: number,
  element: readonly number[],
  scaled: boolean,
): string | null | undefined {
  const wanted = JSON.stringify({ reading, fixed: element, scaled });
  const [rested, setRested] = useState(wanted);
  useDelayed(wanted, REST_MS, setRested);
  const point = JSON.parse(rested) as { readonly reading: number; readonly fixed: number[]; readonly scaled: boolean };
  const spec = { ...point, rowDimension: undefined, columnDimension: undefined, rows: ONE, columns: ONE };
  const { data, stale } = useEngine("chunk.cells", { set, spec });
  return stale || rested !== wanted ? undefined : data?.texts[0]?.[0];
}
