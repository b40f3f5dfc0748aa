/** What the set must have: written from it as it is, edited, compared with, kept. */
import { useEffect, useRef, useState } from "react";
import type { CheckedExpectation, ExpectationCost } from "../../core/check.ts";
import type { SetSummary } from "../../core/open-set.ts";
import type { NamedText } from "../../store/owner-state.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import type { ExpectationRun } from "../../store/use-expectation.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { FileButton } from "../../widgets/FileButton.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { expectationCostWords } from "./expectation-words.ts";
import { ExpectationEditor } from "./ExpectationEditor.tsx";
import { keptWords } from "./kept-words.ts";
import { fileNameFor, saveJson } from "./save-json.ts";
import styles from "./Expectation.module.css";

interface ExpectationSectionProps {
  readonly set: SetSummary;
  readonly run: ExpectationRun;
  /** As far as the set was compared with it. */
  readonly checked: CheckedExpectation | undefined;
  /** It was asked for elsewhere: it comes into sight, and is written where there is none. */
  readonly asked: boolean;
  readonly onShown: () => void;
}

export function ExpectationSection({ set, run, checked, asked, onShown }: ExpectationSectionProps) {
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
    if (!asked) return;
    onShown();
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector("h3")?.focus({ preventScroll: true });
    if (draft === undefined) edit();
    // oxlint-disable-next-line react/exhaustive-deps -- once for each time that it is asked for
  }, [asked]);
  const error = run.writing?.error ?? run.begun?.error;
  return (
    <section ref={section} aria-label="Expectation" className={styles.section}>
      <div className={styles.head}>
        <h3 tabIndex={-1}>Expectation</h3>
        <span>{expectation === undefined ? "none" : stateWords(expectation, run, checked)}</span>
        <span className={styles.buttons}>
          {draft !== undefined ? null : <Offers run={run} onEdit={edit} checked={checked} />}
          <FileButton
            text="Open a file…"
            title="A file of what is expected, as check --expect reads it"
            onFiles={(files) => void take(files)}
          />
          {expectation === undefined || draft !== undefined ? null : (
            <>
              <button type="button" onClick={() => saveJson(expectation.text, set.name, "expected")}>
                Save as file
              </button>
              <button type="button" data-kind="quiet" onClick={() => actions.expect(undefined)}>
                Remove
              </button>
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
  if (expectation !== undefined) return <p className={styles.quiet}>{keptWords(kept, restored)}</p>;
  return (
    <p className={styles.words}>
      What the set must have: its arrays with dimensions, types and units, and the ranges, steps and values of its
      coordinates. It is written from the set as it is, and yours to edit; in a terminal check --expect reads the same
      file.
    </p>
  );
}

interface OffersProps {
  readonly run: ExpectationRun;
  readonly checked: CheckedExpectation | undefined;
  readonly onEdit: () => void;
}

function Offers({ run, checked, onEdit }: OffersProps) {
  const { expectation, cost, begun, writing } = run;
  if (writing?.running === true || begun?.running === true)
    return (
      <button type="button" onClick={run.stop}>
        Stop
      </button>
    );
  if (expectation === undefined)
    return (
      <button type="button" onClick={onEdit}>
        Write down what is expected{costPart(cost)}
      </button>
    );
  return (
    <>
      {checked !== undefined || run.invalid !== undefined ? null : (
        <button type="button" data-kind="primary" onClick={() => run.compare(expectation)}>
          Compare with it{costPart(cost)}
        </button>
      )}
      <button type="button" onClick={onEdit}>
        Edit
      </button>
    </>
  );
}

function costPart(cost: ExpectationCost | undefined): string {
  const words = cost === undefined ? "" : expectationCostWords(cost);
  return words === "" ? "" : ` · ${words}`;
}

function stateWords({ name }: NamedText, run: ExpectationRun, checked: CheckedExpectation | undefined): string {
  if (run.invalid !== undefined) return `${name} cannot be read`;
  if (checked === undefined)
    return run.begun?.running === true ? `comparing with ${name}…` : `${name}, not compared yet`;
  const { arrays, coordinates, met } = checked;
  const size = `${countOf(arrays, "array")}, ${countOf(coordinates, "coordinate")}`;
  return `${name}: ${size}, ${met ? "all as expected" : "not as expected"}`;
}
