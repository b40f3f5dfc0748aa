import type { Reading } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { Stepper } from "../../widgets/Stepper.tsx";
import { declaredRange, movedText, signedText } from "./range-words.ts";
import type { TrialDraft } from "./trial-draft.ts";
import styles from "./TrialPanel.module.css";

interface RangeSteppersProps {
  readonly declared: Reading;
  readonly draft: TrialDraft;
  readonly onDraft: (draft: TrialDraft) => void;
}

const STEPS = [1, 4];

const changeText = (by: number): string => (by === 0 ? "" : `changed by ${signedText(by)}`);

/** Where the bytes begin and how many they are, by hand. */
export function RangeSteppers({ declared, draft, onDraft }: RangeSteppersProps) {
  const range = declaredRange(declared);
  const text = movedText(declared, draft);
  return (
    <div className={styles.range}>
      <Stepper
        label="Offset"
        value={range.offset + draft.shift}
        steps={STEPS}
        least={0}
        note={changeText(draft.shift)}
        onValue={(offset) => onDraft({ ...draft, shift: offset - range.offset })}
      />
      <Stepper
        label="Length"
        value={range.length + draft.lengthen}
        steps={STEPS}
        least={1}
        note={changeText(draft.lengthen)}
        onValue={(length) => onDraft({ ...draft, lengthen: length - range.length })}
      />
      {text === undefined ? (
        <p className={styles.quiet}>This reference has no range: its own bytes are cut.</p>
      ) : (
        <p className={styles.reference}>
          <code title={text}>{text}</code>
          <CopyButton text={text} what="reference as tried" />
        </p>
      )}
    </div>
  );
}
