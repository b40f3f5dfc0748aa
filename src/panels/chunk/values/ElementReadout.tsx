import { placeText } from "#core/cf/axis.ts";
import { chunkStart } from "#core/metadata/chunk-grid.ts";
import type { Reading } from "#core/reading.ts";
import { readableNumber } from "#core/values/number-text.ts";
import { unitsText } from "#core/values/value-text.ts";
import { useEngine } from "#store/react.tsx";
import type { Axes } from "#store/hooks/use-axes.ts";
import { CopyButton } from "#widgets/controls/Button.tsx";
import { type ChunkArray, withIndices } from "../chunk-words.ts";
import styles from "./ElementReadout.module.css";
import { decimalsOf } from "./painting.ts";
import { packedWords } from "./StatisticsPart.tsx";
import { pointInside, type ValueTabProps } from "./use-value-view.ts";
import { shownDate } from "./value-words.ts";

interface ElementReadoutProps extends Pick<ValueTabProps, "set" | "array" | "view" | "axes"> {
  readonly id: string;
  /** Absent while the chunk that holds the element is read, and where it has no values. */
  readonly reading: Reading | undefined;
  /** Element of the array under the pointer, if it is another one. */
  readonly hovered: readonly number[] | undefined;
}

/** The value that is looked at, the largest thing of the region, and its place in full. */
export function ElementReadout({ id, set, array, reading, view, axes, hovered }: ElementReadoutProps) {
  const { scaled } = view;
  const element = hovered ?? view.element;
  const { values } = reading ?? {};
  const scaling = scaled ? values?.scaling : undefined;
  const exact = useExactText({ set, array, reading, element, scaled });
  const about = useEngine("plane.about", { set, array: array.path }).data;
  const units = (scaled || values?.scaling === undefined) && scaling?.time === undefined ? about?.units : undefined;
  const isNumber = exact !== null && exact !== undefined && values?.numeric === true;
  const shown = isNumber ? shownDate(readableNumber(exact, decimalsOf(values, scaled))) : exact;
  const places = elementPlaces(array, element, axes);
  const indices = array.dimensions.map((name, dimension) => withIndices(name, String(element[dimension] ?? 0)));
  return (
    <div id={id} className="stack gap-2 tabular" aria-live="polite">
      <p
        className={styles.value}
        title={exact ?? undefined}
        data-missing={exact === null}
        data-long={shown !== null && shown !== undefined && shown.length > 15}
      >
        <b>{shown === null ? "no data" : (shown ?? "…")}</b>
        {isNumber && units !== undefined && units.trim() !== "1" ? <small> {unitsText(units)}</small> : null}
        <CopyButton text={exact ?? ""} what="value" />
      </p>
      <p className={styles.place}>
        {view.isChosen || hovered !== undefined || element.length === 0 ? null : "First value: "}
        {places.length === 0
          ? "the only value"
          : places.map((place, at) => [
              at === 0 ? "" : " · ",
              <span className="one-line" key={place}>
                {place}
              </span>,
            ])}
      </p>
      {scaling === undefined ? null : <Stored {...{ set, array, reading, element, scaling, exact }} />}
      {places.length === 0 || indices.join() === places.join() ? null : (
        <p className={`faint ${styles.indices}`}>{indices.join(" · ")}</p>
      )}
    </div>
  );
}

type Asked = Pick<ElementReadoutProps, "set" | "array" | "reading"> & { readonly element: readonly number[] };

interface StoredProps extends Asked {
  readonly scaling: NonNullable<NonNullable<Reading["values"]>["scaling"]>;
  readonly exact: string | null | undefined;
}

/** Stored value, if the decoded one differs. */
function Stored({ scaling, exact, ...asked }: StoredProps) {
  const stored = useExactText({ ...asked, scaled: false });
  if (stored === undefined || stored === null || stored === exact) return null;
  return (
    <p className={styles.stored} title={stored}>
      stored {readableNumber(stored)} {exact === null ? "is missing" : (scaling.time?.units ?? packedWords(scaling))}
    </p>
  );
}

/** `2026-01-03`, `31°S`, `121°W`: along each dimension; the position where nothing is known of it. */
export function elementPlaces(array: ChunkArray, element: readonly number[], axes: Axes): readonly string[] {
  return array.dimensions.map((name, dimension) => {
    const at = element[dimension] ?? 0;
    const axis = axes[dimension];
    return (axis === undefined ? undefined : placeText(axis, at)) ?? withIndices(name, String(at));
  });
}

const ONE = { from: 0, to: 1 };

/** Exact text of an element. `undefined` until it is known, `null` where it is missing. */
function useExactText({ set, array, reading, element, scaled }: Asked & { readonly scaled: boolean }) {
  const start = chunkStart(reading?.coordinates ?? [], array.chunks);
  const fixed = reading?.values === undefined ? undefined : pointInside(element, start, reading.values.inside);
  const spec =
    reading === undefined || fixed === undefined
      ? undefined
      : {
          reading: reading.id,
          fixed,
          scaled,
          rowDimension: undefined,
          columnDimension: undefined,
          rows: ONE,
          columns: ONE,
        };
  const { data, stale } = useEngine("chunk.cells", spec && { set, spec });
  return stale ? undefined : data?.texts[0]?.[0];
}
