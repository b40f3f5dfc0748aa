import { useEngine } from "../../store/react.tsx";
import { PythonRecipe } from "../../widgets/PythonRecipe.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import styles from "./SourcesPanel.module.css";

const CANCELLED = ["Looking was cancelled", "Look again"] as const;

/** How Python gets at the targets of this very set. */
export function PythonPart({ set, asked }: { readonly set: number; readonly asked: number }) {
  const answer = useEngine("sources.access", { set });
  if (answer.data === undefined)
    return <Unanswered answer={answer} label="Looking where targets are" cancelled={CANCELLED} />;
  return (
    <div className={styles.python}>
      <PythonRecipe facts={answer.data} asked={asked} />
    </div>
  );
}
