import type { Reading } from "../../core/reading.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { elementWords } from "./chunk-words.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { elementPlace } from "./element-place.ts";
import type { Axes } from "../../store/use-cheap-axes.ts";
import { useExactText } from "./use-exact-text.ts";
import styles from "./ElementReadout.module.css";

interface ElementReadoutProps {
  readonly id: string;
  readonly set: number;
  readonly reading: Pick<Reading, "id" | "coordinates">;
  readonly array: ChunkArray;
  /** Index in the chunk for every dimension. */
  readonly element: readonly number[];
  readonly scaled: boolean;
  readonly units: string | undefined;
  readonly axes: Axes;
}

interface StoredProps {
  readonly set: number;
  readonly reading: number;
  readonly element: readonly number[];
}

/** What the value was decoded from. */
function Stored({ set, reading, element }: StoredProps) {
  const text = useExactText(set, reading, element, false);
  return <>; stored {text === null ? "as no number" : (text ?? "…")}</>;
}

/** The element under the cursor: its place in the array and its exact value. */
export function ElementReadout(props: ElementReadoutProps) {
  const { id, set, reading, array, element, scaled, units, axes } = props;
  const text = useExactText(set, reading.id, element, scaled);
  const indices = elementWords(array, reading.coordinates, element);
  const place = elementPlace(array, { coordinates: reading.coordinates, element, axes });
  const hasUnits = text !== null && text !== undefined && scaled && units !== undefined;
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
          {scaled ? <Stored {...{ set, element }} reading={reading.id} /> : null}
        </span>
      </span>
    </p>
  );
}
