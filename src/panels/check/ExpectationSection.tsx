/** Expectations of the set: written from it as it is, edited, compared, kept. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { CheckedExpectation, ExpectationCost } from "#core/check/check.ts";
import { parseExpectation } from "#core/check/expectation.ts";
import { factsOfFailure, findingOfError } from "#core/findings/finding.ts";
import { lineStarts } from "#core/json/json.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { ExpectationRun } from "#store/hooks/use-expectation.ts";
import type { NamedText, OwnerFiles } from "#store/state.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { download } from "#widgets/controls/hand-out.ts";
import { ErrorNotice, useMessage } from "#widgets/notes/Notices.tsx";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { Button, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./ExpectationSection.module.css";
import type { Check } from "./use-check.ts";

export function ExpectationSection({ check }: { readonly check: Check }) {
  const { set, expectation: run, isExpecting } = check;
  const checked = check.checked.expectation;
  const actions = useActions();
  const [draft, setDraft] = useState<NamedText>();
  const section = useRef<HTMLElement>(null);
  const { expectation } = run;
  const write = () => run.write((text) => setDraft({ name: fileNameFor(set.name, "expected"), text }));
  const edit = () => (expectation === undefined ? write() : setDraft(expectation));
  const take = async ([file]: readonly File[]) => {
    if (file !== undefined) setDraft({ name: file.name, text: await file.text() });
  };
  useEffect(() => {
    if (!isExpecting) return;
    check.setExpecting(false);
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector("h3")?.focus({ preventScroll: true });
    if (draft === undefined) edit();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each time that it is asked for
  }, [isExpecting]);
  const error = run.writing?.error ?? run.begun?.error;
  return (
    <section ref={section} aria-label="Expectation" className={styles.section}>
      <div className={styles.head}>
        <h3 tabIndex={-1}>Expectation</h3>
        <span>{expectation === undefined ? "none" : stateWords(expectation, run, checked)}</span>
        <span className="flow gap-8 aside">
          {draft !== undefined ? null : <Offers run={run} onEdit={edit} checked={checked} />}
          <FileButton
            text="Open a file…"
            title="An expectations file, as read by check --expect"
            onFiles={(files) => void take(files)}
          />
          {expectation === undefined || draft !== undefined ? null : (
            <>
              <Button onClick={() => saveJson(expectation.text, set.name, "expected")}>Save as file</Button>
              <QuietButton onClick={() => actions.expect(undefined)}>Remove</QuietButton>
            </>
          )}
        </span>
      </div>
      {error === undefined ? null : <ErrorNotice error={error} />}
      {draft === undefined ? (
        <Words expectation={expectation} />
      ) : (
        <ExpectationEditor
          key={draft.text}
          set={set}
          first={draft}
          onCompare={(expected) => {
            run.compare(expected);
            setDraft(undefined);
          }}
          onClose={() => setDraft(undefined)}
        />
      )}
    </section>
  );
}

function Words({ expectation }: { readonly expectation: NamedText | undefined }) {
  const { kept, restored } = useAppState(({ owner }) => owner);
  if (expectation !== undefined) return <p className="faint fine">{keptWords(kept, restored)}</p>;
  return (
    <p className={styles.words}>
      What the dataset must have: its arrays with dimensions, types and units, and the ranges, steps and values of its
      coordinates. Generated from the dataset; edit as you like. <code>check --expect</code> uses the same file.
    </p>
  );
}

interface OffersProps {
  readonly run: ExpectationRun;
  /** Result of comparing the set with it, as far as that went. */
  readonly checked: CheckedExpectation | undefined;
  readonly onEdit: () => void;
}

function Offers({ run, checked, onEdit }: OffersProps) {
  const { expectation, cost, begun, writing } = run;
  if (writing?.running === true || begun?.running === true) return <Button onClick={run.stop}>Stop</Button>;
  if (expectation === undefined) return <Button onClick={onEdit}>Create expectations{costPart(cost)}</Button>;
  return (
    <>
      {checked !== undefined || run.invalid !== undefined ? null : (
        <Button data-kind="primary" onClick={() => run.compare(expectation)}>
          Compare with it{costPart(cost)}
        </Button>
      )}
      <Button onClick={onEdit}>Edit</Button>
    </>
  );
}

const costPart = (cost: ExpectationCost | undefined): string => {
  const words = cost === undefined ? "" : expectationCostWords(cost);
  return words === "" ? "" : ` · ${words}`;
};

function stateWords({ name }: NamedText, run: ExpectationRun, checked: CheckedExpectation | undefined): string {
  if (run.invalid !== undefined) return `${name} cannot be read`;
  if (checked === undefined)
    return run.begun?.running === true ? `comparing with ${name}…` : `${name}, not compared yet`;
  const { arrays, coordinates, met } = checked;
  const size = `${countOf(arrays, "array")}, ${countOf(coordinates, "coordinate")}`;
  return `${name}: ${size}, ${met ? "all as expected" : "not as expected"}`;
}

// The expectation as text, with what is wrong with it while it is written.

interface ExpectationEditorProps {
  readonly set: SetSummary;
  readonly first: NamedText;
  readonly onCompare: (expected: NamedText) => void;
  readonly onClose: () => void;
}

const [LEAST_LINES, MOST_LINES] = [8, 24];

function ExpectationEditor({ set, first, onCompare, onClose }: ExpectationEditorProps) {
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
        aria-label="Expectations as JSON"
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
      <div className="wrap gap-8">
        <button type="submit" data-kind="primary" disabled={problem !== undefined}>
          Check against it{costPart(cost)}
        </button>
        <Button onClick={() => saveJson(text, set.name, "expected")}>Save as file</Button>
        <QuietButton onClick={onClose}>Cancel</QuietButton>
        <span className="faint fine">Anything you leave out is not checked. Add “note” fields anywhere.</span>
      </div>
    </form>
  );
}

/** Problem of the text, with its line if known. */
function problemOf(text: string) {
  try {
    parseExpectation(text);
    return undefined;
  } catch (error) {
    return {
      finding: findingOfError(error, "Reading the expectations"),
      line: factsOfFailure(error, "expectation-invalid")?.line,
    };
  }
}

interface ProblemProps {
  readonly problem: ReturnType<typeof problemOf>;
  readonly onShow: (line: number) => void;
}

function Problem({ problem, onShow }: ProblemProps) {
  const message = useMessage(problem?.finding);
  if (problem === undefined) return <span className="faint fine">Valid.</span>;
  const { line } = problem;
  return (
    <>
      <SeverityMark severity="error" />
      <span>{message}</span>
      {line === undefined ? null : <LinkButton onClick={() => onShow(line)}>Go to line {line}</LinkButton>}
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

/** "3 requests, 1.2 kB": of reading coordinates; empty where it takes none. */
function expectationCostWords({ requests, bytes, unknown }: ExpectationCost): string {
  const known = requests === 0 ? [] : [`${countOf(requests, "request")}, ${formatBytes(bytes)}`];
  const rest = unknown === 0 ? [] : [`${countOf(unknown, "chunk")} of unknown length`];
  return [...known, ...rest].join(" and ");
}

/** `ocean.json` and `expected`: saved as `ocean.expected.json`. */
const fileNameFor = (name: string, what: string): string =>
  `${name.replace(/\.json$/i, "").replaceAll(/[^\w.-]+/g, "_")}.${what}.json`;

export function saveJson(text: string, name: string, what: string): void {
  download(new Blob([text], { type: "application/json" }), fileNameFor(name, what));
}

// Notes on whether the browser keeps the owner's files.

const WORDS: Readonly<Record<OwnerFiles["kept"], string>> = {
  nothing: "",
  kept: "Remembered in this browser for this dataset’s URL.",
  "no-address":
    "Lasts until you open another dataset: local files, pasted text and signed URLs are not remembered. Save it as a file to keep it.",
  "no-room":
    "This browser has no room left to remember it. It lasts until you open another dataset; save it as a file to keep it.",
};

export const keptWords = (kept: OwnerFiles["kept"], restored: boolean): string =>
  restored ? "Remembered in this browser from an earlier visit, and applied again." : WORDS[kept];
