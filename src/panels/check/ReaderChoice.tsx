import { useEngine } from "../../store/react.tsx";
import type { ReaderChosen } from "../../store/use-reader.ts";
import styles from "./ReaderChoice.module.css";

interface ReaderChoiceProps {
  readonly set: number;
  readonly chosen: ReaderChosen;
  readonly onCompare: () => void;
}

/** Which software is to read the set, remembered for the next one; and all of them beside each other. */
export function ReaderChoice({ set, chosen: { reader, choose, running }, onCompare }: ReaderChoiceProps) {
  const verdicts = useEngine("check.readers", { set }).last?.data ?? [];
  return (
    <span className={styles.choice} aria-busy={running}>
      <select
        aria-label="Reader"
        title="Remembered. zarrita then reads up to 8 chunks itself, at most 4 MiB."
        value={reader}
        onChange={(event) => {
          choose(event.currentTarget.value);
        }}
      >
        <option value="">Choose a reader</option>
        {verdicts.map(({ reader: { id, name } }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" data-kind="link" onClick={onCompare}>
        Compare readers
      </button>
    </span>
  );
}
