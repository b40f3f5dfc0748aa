import type { Slice } from "../../core/open-set.ts";
import type { Answer } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { Loading } from "../../widgets/notes/Loading.tsx";
import { strideWords } from "./values/value-words.ts";
import styles from "./ChunkPanel.module.css";

/** Why there is no picture yet, or that not every value is in it. */
export function SliceNotice({ answer }: { readonly answer: Answer<Slice> }) {
  const { data, error } = answer;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={answer.retry} />;
  if (data === undefined) return <Loading label="Preparing the values" />;
  const words = strideWords(data);
  return words === undefined ? null : <p className={styles.note}>{words}</p>;
}
