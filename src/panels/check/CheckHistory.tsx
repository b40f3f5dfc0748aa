/** History of the set's checks in CI: when it broke, and which source. */
import { ANSWER_WORDS, QUESTION_WORDS } from "#core/check/verdict-words.ts";
import { type PastVerdict, worstAnswer } from "#core/check/verdict-history.ts";
import { useEngine } from "#store/react.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import { countOf } from "#widgets/number-format.ts";
import { ErrorNotice, Loading } from "#widgets/notes/Notices.tsx";
import styles from "./CheckHistory.module.css";

/** Changes that are listed, the latest first. */
const MAX_CHECKS = 12;

export function CheckHistory({ set }: { readonly set: number }) {
  return (
    <Popover label="History" title="History of checks" align="end">
      <Past set={set} />
    </Popover>
  );
}

/** Read when it is opened. */
function Past({ set }: { readonly set: number }) {
  const { data: past, error } = useEngine("check.history", { set });
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (past === undefined) return <Loading label="Reading verdicts.json" />;
  const [first, last] = [past[0], past.at(-1)];
  if (first === undefined || last === undefined) return <p>verdicts.json has no checks of this dataset.</p>;
  const days = `${dayOf(first)} to ${dayOf(last)}`;
  return (
    <div className={styles.history}>
      <p>
        {countOf(past.length, "check")}, {days}
      </p>
      <div className={styles.strip} role="img" aria-label={`The worst answer of each check, ${days}`}>
        {past.map((one) => (
          <i key={one.date} data-answer={worstAnswer(one)} title={`${dayOf(one)}: ${ANSWER_WORDS[worstAnswer(one)]}`} />
        ))}
      </div>
      <ol aria-label="Changes">
        {past
          .filter((one, at) => at > 0 && one.changed.length > 0)
          .toReversed()
          .slice(0, MAX_CHECKS)
          .map((one) => (
            <li key={one.date}>
              <time className="quiet">{dayOf(one)}</time> {changeWords(one)}
            </li>
          ))}
      </ol>
    </div>
  );
}

const dayOf = ({ date }: PastVerdict): string => date.slice(0, 10);

function changeWords({ changed, answers, problems, firstTarget }: PastVerdict): string {
  const words = changed.map((one) => `${QUESTION_WORDS[one]} ${ANSWER_WORDS[answers.get(one) ?? "not-checked"]}.`);
  const source = firstTarget === undefined ? "" : `, the first in ${firstTarget}`;
  return `${words.join(" ")} ${problems === 0 ? "No problem" : `${countOf(problems, "problem")}${source}`}.`;
}
