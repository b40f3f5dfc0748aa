/** How values are compared, and what it takes to compare them: said first. */
import { useId, useState } from "react";
import type { ValuesCost } from "#core/set-differences.ts";
import { Button, Form, TextField } from "#widgets/controls/Button.tsx";
import { Choice, Segmented } from "#widgets/controls/Segmented.tsx";
import { ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./ComparePanel.module.css";
import { type ComparedValues, costsLeft, type Sample } from "./use-compared-values.ts";

interface ValuesBarProps {
  readonly values: ComparedValues;
  readonly paths: readonly string[];
  readonly path: string;
  readonly onPath: (path: string) => void;
  /** Tolerance that is used where none is typed. */
  readonly usual: string;
}

const CANCELLED = ["Counting was cancelled", "Count them"] as const;
const MODES = [
  { value: "cf", text: "CF values", title: "As xarray decodes them, in the units of A" },
  { value: "stored", text: "As stored" },
] as const;

export function ValuesBar({ values, paths, path, onPath, usual }: ValuesBarProps) {
  const { mode, setMode, given, setAbsolute, costs, results, begun, compare } = values;
  const id = useId();
  const [typed, setTyped] = useState("");
  const number = typed.trim() === "" ? undefined : Number(typed);
  const isWrong = number !== undefined && !(number >= 0 && Number.isFinite(number));
  const { data } = costs;
  const { running = false, error } = begun ?? {};
  const left = costsLeft(data ?? [], results, "all");
  const open = chunksToRead(left, "all");
  return (
    <>
      <div className={tables.form}>
        <Segmented label="Values compared" value={mode} options={MODES} onValue={setMode} />
        <Form className={styles.tolerance} onSubmit={() => (isWrong ? undefined : setAbsolute(number))}>
          <label className="quiet" htmlFor={id}>
            Tolerance
          </label>
          <TextField
            id={id}
            inputMode="decimal"
            value={typed}
            placeholder={usual}
            aria-invalid={isWrong}
            title={isWrong ? "A number, 0 or more" : "Numbers that differ by no more are the same; Enter compares"}
            onChange={({ target }) => setTyped(target.value)}
          />
          {number === given?.absolute || isWrong ? null : <button type="submit">Apply</button>}
        </Form>
        <Choice
          label="Array"
          value={path}
          options={paths.map((one) => ({ value: one, text: one || "/" }))}
          onValue={onPath}
          className="inline-row gap-6 quiet"
        />
        {open === 0 || running ? null : (
          <>
            <Button data-kind="primary" onClick={() => compare("all")}>
              Compare all
            </Button>
            {chunksToRead(left, 100) < open && costsLeft(left, results, 100).length > 0 ? (
              <Button onClick={() => compare(100)}>Compare 100 an array</Button>
            ) : null}
          </>
        )}
      </div>
      {data === undefined ? (
        <Unanswered answer={costs} label="Counting the chunks that may differ" cancelled={CANCELLED} />
      ) : left.length === 0 || running ? null : (
        <p className={tables.note}>{costWords(left, "all")}</p>
      )}
      {error === undefined ? null : <ErrorNotice error={error} onRetry={() => compare()} />}
    </>
  );
}

const taken = ({ rest }: ValuesCost, sample: Sample): number => (sample === "all" ? rest : Math.min(sample, rest));

const chunksToRead = (costs: readonly ValuesCost[], sample: Sample): number =>
  costs.reduce((sum, cost) => sum + taken(cost, sample), 0);

/** Sizes of a sample are those of all in the mean. */
export function costWords(costs: readonly ValuesCost[], sample: Sample): string {
  const [chunks, all] = [chunksToRead(costs, sample), chunksToRead(costs, "all")];
  if (costs.every(({ candidates }) => candidates === 0)) return "Nothing can be compared by value.";
  if (all === 0) return "Nothing to read: every chunk that can be compared has the same bytes behind it in both.";
  const open = costs.filter(({ rest }) => rest > 0);
  const bytes = open.reduce((sum, cost) => sum + (cost.bytes * taken(cost, sample)) / cost.rest, 0);
  const about = open.some(({ sized, rest }) => sized < rest) ? "at least " : chunks === all ? "" : "about ";
  const size = open.every(({ sized }) => sized === 0)
    ? "their sizes are not known"
    : `${about}${formatBytes(Math.round(bytes))} from both`;
  const which = `${countOf(all, "chunk")} of ${countOf(open.length, "array")} that may differ`;
  return `Reads ${chunks === all ? "" : `a random ${formatCount(chunks)} of `}${which}: ${size}.`;
}
