import { useEngine } from "../../store/react.tsx";
import { useReader } from "../../store/use-reader.ts";
import styles from "./ReaderChoice.module.css";

/** Which software is to read the set; remembered for the next one. */
export function ReaderChoice({ set }: { readonly set: number }) {
  const verdicts = useEngine("check.readers", { set }).last?.data ?? [];
  const { reader, choose, running } = useReader(set);
  return (
    <span className={styles.choice} aria-busy={running}>
      <select
        aria-label="Reader"
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
    </span>
  );
}
