/** The region "Verdict": five questions, each with its answer, the evidence and the next step with its cost. */
import type { ReactNode } from "react";
import type { Answer, CheckCosts } from "#core/check/check.ts";
import { QUESTIONS, type Question } from "#core/check/question.ts";
import { QUESTION_WORDS, shownAnswer } from "#core/check/verdict-words.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { LinkButton } from "#widgets/controls/Button.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import styles from "./Questions.module.css";
import type { Check } from "./use-check.ts";

interface CheckProps {
  readonly check: Check;
}

export function Questions({ check }: CheckProps) {
  const next = nextSteps(check);
  return (
    <section aria-label="Verdict" className={styles.region}>
      <dl className={styles.questions}>
        {QUESTIONS.map((question) => {
          const { answer, text, why, isNeutral } = shownAnswer(check.judged, question, check.verdict[question]);
          return (
            <div key={question} className={styles.question} data-question={question}>
              <dt>{QUESTION_WORDS[question]}</dt>
              <dd data-answer={answer} data-neutral={isNeutral}>
                <span className={styles.answer}>
                  <AnswerSign answer={answer} isNeutral={isNeutral} />
                  {text}
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

function nextSteps(check: Check): Partial<Readonly<Record<Question, ReactNode>>> {
  const { set, checked, costs, runs } = check;
  const { chunks, targets, rules } = checked;
  const isDecoded = chunks.decoded + chunks.failed + (chunks.unbuilt ?? 0) >= chunks.of + set.states.unknown;
  // Files whose own index was not among the sample.
  const unheld = rules.find(({ rule, lookedAt, of }) => rule === "files" && lookedAt > 0 && lookedAt < of);
  return {
    complete: <CompleteSteps check={check} />,
    values: isDecoded ? undefined : (
      <Further runs={runs} what="values" onBegin={() => runs.decode()}>
        Decode {costs === undefined ? "all" : decodeText(costs)}
      </Further>
    ),
    sources:
      targets.asked < targets.of ? (
        <Further runs={runs} what="sources" onBegin={() => runs.askTargets()}>
          Check the sources{costs && ` · ${aboutWord(costs.sources)}${countOf(costs.sources.requests, "request")}`}
        </Further>
      ) : unheld === undefined ? undefined : (
        <Further runs={runs} what="sources" onBegin={() => runs.askTargets({ isAll: true })}>
          {heldWords(unheld.of - unheld.lookedAt, costs)}
        </Further>
      ),
    readers: <ReaderChoice check={check} />,
  };
}

function CompleteSteps({ check: { set, expectation, setExpecting } }: CheckProps) {
  const actions = useActions();
  const lacking = set.nodes.find(
    ({ cells = 0, present = 0, bad = 0, unknown = 0 }) => unknown === 0 && present + bad < cells,
  );
  const requests = expectation.cost?.requests ?? 0;
  const cost = requests === 0 ? "" : ` · ${countOf(requests, "request")}`;
  return (
    <span className="grid leading gap-4">
      {lacking === undefined ? null : (
        <LinkButton
          onClick={() => {
            actions.selectNode(lacking.path);
            actions.showView("chunks");
          }}
        >
          Show {lacking.path === "" ? "/" : lacking.path} on the map
        </LinkButton>
      )}
      <LinkButton onClick={() => setExpecting(true)}>
        {expectation.expectation === undefined ? `Create expectations${cost}` : "Edit expectations"}
      </LinkButton>
    </span>
  );
}

interface FurtherProps {
  readonly runs: Check["runs"];
  readonly what: "values" | "sources";
  readonly onBegin: () => void;
  readonly children: ReactNode;
}

/** A check that goes further; while it runs, a way to stop it. */
function Further({ runs, what, onBegin, children }: FurtherProps) {
  if (runs[what]?.running !== true) return <LinkButton onClick={onBegin}>{children}</LinkButton>;
  return (
    <>
      {what === "values" ? "Decoding" : "Checking"}… <LinkButton onClick={runs.cancel}>Stop</LinkButton>
    </>
  );
}

/** Word for an estimate, if there are too many chunks or sources to add up their costs. */
const aboutWord = ({ isAbout }: { readonly isAbout?: boolean }): string => (isAbout === true ? "about " : "");

/** "all · 24 B", "10,000 of 30,000 chunks"; the cost as far as it is known. */
export function decodeText(costs: CheckCosts, more = 0): string {
  const { values, unknown, fetched } = costs;
  const [chunks, of] = [values.chunks + fetched, values.of + unknown];
  const what = chunks < of ? `${formatCount(chunks)} of ${countOf(of, "chunk")}` : "all";
  const bytes = `${aboutWord(values)}${formatBytes(values.bytes + more)}`;
  if (unknown === 0) return `${what} · ${bytes}`;
  return `${what} · ${values.chunks === 0 ? "" : `${bytes} and `}references of ${countOf(fetched, "chunk")} first`;
}

function heldWords(files: number, costs: CheckCosts | undefined): string {
  const cost = costs === undefined ? "" : ` · about ${countOf(costs.files * files, "request")}`;
  return `Compare with ${files === 1 ? "the other file" : `the other ${countOf(files, "file")}`}${cost}`;
}

/** Which software is to read the set, remembered for the next one; and all of them beside each other. */
function ReaderChoice({ check: { set, reader: chosen, compared } }: CheckProps) {
  const { reader, choose, running } = chosen;
  const verdicts = useEngine("check.readers", { set: set.id }).last?.data ?? [];
  return (
    <span className={`grid leading gap-4 ${styles.choice}`} aria-busy={running}>
      <select
        aria-label="Reader"
        title="Remembered. zarrita then reads up to 8 chunks itself, at most 4 MiB."
        value={reader}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">Choose a reader</option>
        {verdicts.map(({ reader: { id, name } }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <LinkButton
        onClick={() => {
          compared.show(true);
          const heading = document.getElementById(READERS_ID);
          // A folded heading takes no focus.
          heading?.closest("details")?.setAttribute("open", "");
          heading?.focus();
        }}
      >
        Compare readers
      </LinkButton>
    </span>
  );
}

/** The heading of the section in which readers are compared. */
export const READERS_ID = "check-readers";

/** Each answer has a shape of its own: a tick, a cross, half a disc, a ring, a dotted ring. */
export function AnswerSign({ answer, isNeutral = false }: { readonly answer: Answer; readonly isNeutral?: boolean }) {
  return (
    <svg className={styles.sign} data-answer={answer} viewBox="0 0 16 16" aria-hidden="true">
      {answer === "yes" ? <path d="m3.5 8.5 3 3 6-7" strokeWidth="2" /> : null}
      {answer === "no" ? <path d="m4 4 8 8M12 4l-8 8" strokeWidth="2" /> : null}
      {answer === "partly" ? <circle cx="8" cy="8" r="5.5" /> : null}
      {answer === "partly" && !isNeutral ? (
        <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none" />
      ) : null}
      {answer === "not-checked" ? <circle cx="8" cy="8" r="5.5" strokeDasharray="2.4 2.2" /> : null}
    </svg>
  );
}
