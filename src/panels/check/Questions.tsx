import type { ReactNode } from "react";
import type { Answer, Verdict } from "#core/check/check.ts";
import { QUESTIONS, type Question } from "#core/check/question.ts";
import { ANSWER_WORDS, QUESTION_WORDS } from "#core/check/verdict-words.ts";
import styles from "./Questions.module.css";

interface QuestionsProps {
  readonly verdict: Verdict;
  /** Next steps for each question. */
  readonly next: Partial<Readonly<Record<Question, ReactNode>>>;
}

/** The region "Verdict": five questions, each with its answer, the evidence and the next step. */
export function Questions({ verdict, next }: QuestionsProps) {
  return (
    <section aria-label="Verdict" className={styles.region}>
      <dl className={styles.questions}>
        {QUESTIONS.map((question) => {
          const { answer, why } = verdict[question];
          return (
            <div key={question} className={styles.question} data-question={question}>
              <dt>{QUESTION_WORDS[question]}</dt>
              <dd data-answer={answer}>
                <span className={styles.answer}>
                  <AnswerSign answer={answer} />
                  {ANSWER_WORDS[answer]}
                </span>
                <p>{why}</p>
                {next[question] === undefined ? null : <div className={styles.next}>{next[question]}</div>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Each answer has a shape of its own: a tick, a cross, half a disc, a dotted ring. */
export function AnswerSign({ answer }: { readonly answer: Answer }) {
  return (
    <svg className={styles.sign} data-answer={answer} viewBox="0 0 16 16" aria-hidden="true">
      {answer === "yes" ? <path d="m3.5 8.5 3 3 6-7" strokeWidth="2" /> : null}
      {answer === "no" ? <path d="m4 4 8 8M12 4l-8 8" strokeWidth="2" /> : null}
      {answer === "partly" ? (
        <>
          <circle cx="8" cy="8" r="5.5" />
          <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none" />
        </>
      ) : null}
      {answer === "not-checked" ? <circle cx="8" cy="8" r="5.5" strokeDasharray="2.4 2.2" /> : null}
    </svg>
  );
}
