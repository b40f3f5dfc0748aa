import type { Reading } from "../../core/reading.ts";
import type { ChunkArray } from "./chunk-words.ts";
import { elementWords } from "./chunk-words.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
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
}

/** The element under the cursor: its place in the array and its exact value. */
export function ElementReadout(props: ElementReadoutProps) {
  const { id, set, reading, array, element, scaled, units } = props;
  const text = useExactText(set, reading.id, element, scaled);
  const place = elementWords(array, reading.coordinates, element);
  return (
    <p id={id} className={styles.readout} aria-live="polite">
      <span className={styles.place} title={place}>
        {place}
      </span>
      <span className={styles.value} title={text ?? undefined} data-missing={text === null}>
        {text === null ? "missing" : (text ?? "…")}
        {text !== null && text !== undefined && scaled && units !== undefined ? ` ${units}` : ""}
      </span>
      <CopyButton text={text ?? ""} what="value" />
    </p>
  );
}
