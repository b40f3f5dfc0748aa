import { Segmented } from "../../widgets/Segmented.tsx";
import { trialWords } from "./trial-draft.ts";
import type { Microscope } from "./use-microscope.ts";
import styles from "./TrialBanner.module.css";

const OPTIONS = [
  { value: "declared", text: "As declared" },
  { value: "trial", text: "Trial" },
] as const;

/** Above the values while a trial is on: which of the two readings they are of. */
export function TrialBanner({ microscope }: { readonly microscope: Microscope }) {
  const { trial, codecs } = microscope;
  if (trial.trial === undefined) return null;
  const isTrial = trial.shown === "trial";
  return (
    <div className={styles.banner} data-trial={isTrial}>
      <Segmented label="Reading shown" value={trial.shown} options={OPTIONS} onValue={trial.show} />
      <p>
        {isTrial ? <b>Trial</b> : "As declared"}
        {isTrial ? `: ${trialWords(trial.trial, codecs)}. Not what Python reads.` : "; the trial stands above."}
      </p>
    </div>
  );
}
