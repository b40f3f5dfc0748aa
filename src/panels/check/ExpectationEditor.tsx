/** The expectation as text, with what is wrong with it while it is written. */
import { useEffect, useMemo, useRef, useState } from "react";
import { parseExpectation } from "../../core/expectation.ts";
import { factsOfFailure, findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { lineStarts } from "../../core/json-position.ts";
import type { SetSummary } from "../../core/open-set.ts";
import type { NamedText } from "../../store/owner-state.ts";
import { useEngine } from "../../store/react.tsx";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { useMessage } from "../../widgets/use-explain.ts";
import { expectationCostWords } from "./expectation-words.ts";
import { saveJson } from "./save-json.ts";
import styles from "./Expectation.module.css";

interface ExpectationEditorProps {
  readonly set: SetSummary;
  readonly first: NamedText;
  readonly onCompare: (expected: NamedText) => void;
  readonly onClose: () => void;
}

const [LEAST_LINES, MOST_LINES] = [8, 24];

export function ExpectationEditor({ set, first, onCompare, onClose }: ExpectationEditorProps) {
  const [text, setText] = useState(first.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const problem = useMemo(() => problemOf(text), [text]);
  const { data: cost } = useEngine(
    "check.expectationCost",
    problem === undefined ? { set: set.id, text } : undefined,
    "cost of the draft",
  );
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(0, 0);
    field.current?.scrollTo(0, 0);
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const words = cost === undefined ? "" : expectationCostWords(cost);
  return (
    <form
      ref={form}
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) onCompare({ name: first.name, text });
      }}
    >
      <textarea
        ref={field}
        aria-label="What is expected, as JSON"
        aria-invalid={problem !== undefined}
        aria-describedby="expectation-problem"
        spellCheck={false}
        wrap="off"
        rows={Math.min(MOST_LINES, Math.max(LEAST_LINES, lineStarts(text).length))}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div id="expectation-problem" className={styles.problem} role="status">
        <Problem problem={problem} onShow={(line) => showLine(field.current, line)} />
      </div>
      <div className={styles.actions}>
        <button type="submit" data-kind="primary" disabled={problem !== undefined}>
          Check against it{words === "" ? "" : ` · ${words}`}
        </button>
        <button type="button" onClick={() => saveJson(text, set.name, "expected")}>
          Save as file
        </button>
        <button type="button" data-kind="quiet" onClick={onClose}>
          Cancel
        </button>
        <span className={styles.quiet}>Whatever is left out is not expected; “note” may stand anywhere, for you.</span>
      </div>
    </form>
  );
}

interface KnownProblem {
  readonly finding: Finding;
  readonly line: number | undefined;
}

function problemOf(text: string): KnownProblem | undefined {
  try {
    parseExpectation(text);
    return undefined;
  } catch (error) {
    return {
      finding: findingOfError(error, "Reading the expectation"),
      line: factsOfFailure(error, "expectation-invalid")?.line,
    };
  }
}

interface ProblemProps {
  readonly problem: KnownProblem | undefined;
  readonly onShow: (line: number) => void;
}

function Problem({ problem, onShow }: ProblemProps) {
  const message = useMessage(problem?.finding);
  if (problem === undefined) return <span className={styles.quiet}>It can be read.</span>;
  const { line } = problem;
  return (
    <>
      <SeverityMark severity="error" />
      <span>{message}</span>
      {line === undefined ? null : (
        <button type="button" data-kind="link" onClick={() => onShow(line)}>
          Go to line {line}
        </button>
      )}
    </>
  );
}

/** Selects the line, and scrolls to it. */
function showLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const starts = lineStarts(field.value);
  const from = starts[line - 1] ?? 0;
  field.focus();
  field.setSelectionRange(from, (starts[line] ?? field.value.length + 1) - 1);
  field.scrollTop = (field.scrollHeight / starts.length) * Math.max(0, line - 4);
}
