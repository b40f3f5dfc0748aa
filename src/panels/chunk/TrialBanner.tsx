import { Segmented } from "../../widgets/Segmented.tsx";
import { trialWords } from "./trial-draft.ts";
import type { Lab } from "./use-lab.ts";
import styles from "./TrialBanner.module.css";

const OPTIONS = [
  { value: "declared", text: "As declared" },
  { value: "trial", text: "Trial" },
] as const;

/** Above the values while a trial is on: which of the two readings they are of. */
export function TrialBanner({ lab }: { readonly lab: Lab }) {
  const { trial, codecs } = lab;
  if (trial.trial === undefined) return null;
  const isTrial = trial.shown === "trial";
  return (
    <div className={styles.banner} data-trial={isTrial}>
      <Segmented label="Reading shown" value={trial.shown} options={OPTIONS} onValue={trial.show} />
      <p>
        {isTrial ? <b>Trial</b> : "As declared"}
        {isTrial ? `: ${trialWords(trial.trial, codecs)}. Not what Python reads.` : "; the trial is shown above."}
      </p>
    </div>
  );
}
