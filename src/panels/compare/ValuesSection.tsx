/** The values of arrays that both sets have, decoded and compared: what it takes is said first. */
import { type ReactNode, useState } from "react";
import type { SetSummary } from "#core/open-set.ts";
import type { ArrayValues, ValuesCost } from "#core/set-differences.ts";
import { cut } from "#core/words.ts";
import { valuesAnswer } from "#core/words/set-differences-words.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useActions, useApp, useEngine } from "#store/react.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { type Definition, DefinitionList } from "#widgets/DefinitionList.tsx";
import { ErrorNotice, Loading, Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { Section } from "#widgets/Section.tsx";
import tables from "#widgets/changes/ChangeTables.module.css";
import styles from "./ComparePanel.module.css";

const SAMPLES = [
  { value: "100", text: "100 an array" },
  { value: "1000", text: "1,000 an array" },
  { value: "all", text: "All" },
] as const;
type Sample = (typeof SAMPLES)[number]["value"];
const chunksOf = (sample: Sample): number | "all" => (sample === "all" ? sample : Number(sample));

interface ValuesProps {
  readonly set: SetSummary;
  readonly other: number;
  readonly link: (path: string) => ReactNode;
}

const CANCELLED = ["Counting was cancelled", "Count them"] as const;

export function ValuesSection({ set, other, link }: ValuesProps) {
  const { engine } = useApp();
  const [sample, setSample] = useState<Sample>("100");
  const [results, setResults] = useState<readonly ArrayValues[]>([]);
  const costs = useEngine("compare.cost", { set: set.id, other, mode: "stored" });
  const task = useTask<void>("compare-values", "Comparing values", `${set.id} ${other}`);
  const { running = false, progress, error } = task.begun ?? {};
  // The chunks of other arrays are equal by their references.
  const arrays = (costs.data ?? []).filter(({ rest, candidates }) => rest > 0 || candidates === 0);
  const compare = () => {
    setResults([]);
    task.begin(async (options) => {
      for (const { path } of arrays) {
        const request = { set: set.id, other, path, chunks: chunksOf(sample), mode: "stored" } as const;
        const found = await engine.call("compare.values", request, options);
        if (found !== undefined) setResults((before) => [...before, found]);
      }
    });
  };
  const { data } = costs;
  const isIdle = data !== undefined && chunksToRead(data, "all") === 0;
  return (
    <Section title="Values">
      {data === undefined ? (
        <Unanswered answer={costs} label="Counting the chunks that may differ" cancelled={CANCELLED} />
      ) : isIdle ? (
        <p className={tables.note}>{costWords(data, "all")}</p>
      ) : (
        <div className={tables.form}>
          <Segmented label="Chunks to compare" value={sample} options={SAMPLES} onValue={setSample} />
          <Button data-kind="primary" disabled={running} onClick={compare}>
            Compare values
          </Button>
          <p className={tables.note}>{costWords(data, sample)}</p>
        </div>
      )}
      {running ? <Loading label="Comparing values" progress={progress} onCancel={task.cancel} /> : null}
      {error === undefined ? null : <ErrorNotice error={error} onRetry={compare} />}
      {results.length === 0 ? null : (
        <>
          <p role="status">
            <b>{valuesVerdict(results)}</b>
            {running || results.length === arrays.length ? "" : " It was stopped before the rest."}
          </p>
          <ul className={styles.values} aria-label="Values compared">
            {results.map((result) => (
              <Result key={result.path} {...{ set, result, link }} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

const taken = ({ rest }: ValuesCost, sample: Sample): number =>
  sample === "all" ? rest : Math.min(Number(sample), rest);

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

function valuesVerdict(results: readonly ArrayValues[]): string {
  const different = results.filter((one) => one.different > 0).length;
  if (different > 0) return `Values differ in ${countOf(different, "array")}.`;
  if (results.every(({ compared }) => compared === 0)) return "No chunk could be compared.";
  const isOpen = results.some(({ failed, uncompared }) => failed > 0 || uncompared !== undefined);
  return `No value differs in the chunks that ${isOpen ? "could be" : "were"} compared.`;
}

interface ResultProps {
  readonly set: SetSummary;
  readonly result: ArrayValues;
  readonly link: ValuesProps["link"];
}

function Result({ set, result, link }: ResultProps) {
  const actions = useActions();
  const { path, first, failure, failedIn } = result;
  const message = useMessage(failure);
  const node = set.nodes.find((one) => one.path === path);
  return (
    <li>
      <p>
        {link(path)}: {valuesAnswer(result)}.
      </p>
      {message === undefined ? null : (
        <p className={tables.note}>
          {failedIn?.toUpperCase()}: {message}
        </p>
      )}
      {first === undefined ? null : (
        <>
          <p>
            First at [{first.element.join(", ")}], as stored: <b>{first.values.a}</b> (A){" "}
            <span aria-label="becomes">→</span> <b>{first.values.b}</b> (B){" "}
            {node === undefined ? null : (
              <Button
                onClick={() => {
                  actions.selectNode(path);
                  actions.goToPlace(node, new Map(first.element.map((at, dimension) => [dimension, at])));
                  actions.showView("data");
                }}
              >
                Show in Data
              </Button>
            )}
          </p>
          <DefinitionList items={(["a", "b"] as const).map((side) => provenance(side, first.chunks[side]))} />
        </>
      )}
    </li>
  );
}

const provenance = (side: "a" | "b", chunk: { readonly key: string; readonly reference: string }): Definition => ({
  term: side.toUpperCase(),
  description: (
    <code className={styles.place}>
      {chunk.key} {cut(chunk.reference === "" ? "missing" : chunk.reference)}
    </code>
  ),
});
