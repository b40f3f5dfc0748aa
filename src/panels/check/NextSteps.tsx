/** Next steps for each question, each with its cost. */
import type { ReactNode } from "react";
import type { CheckCosts, Checked } from "#core/check/check.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { Question } from "#core/check/question.ts";
import { useActions, useEngine } from "#store/react.tsx";
import type { CheckRuns } from "#store/hooks/use-check-runs.ts";
import type { ExpectationRun } from "#store/hooks/use-expectation.ts";
import type { ReaderChosen } from "#store/hooks/use-reader.ts";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import { LinkButton } from "#widgets/controls/Button.tsx";
import styles from "./NextSteps.module.css";

export type NextSteps = Partial<Readonly<Record<Question, ReactNode>>>;

interface StepsRequest {
  readonly set: SetSummary;
  readonly checked: Checked;
  readonly costs: CheckCosts | undefined;
  readonly runs: CheckRuns;
  readonly reader: ReaderChosen;
  readonly onCompareReaders: () => void;
  readonly expectation: ExpectationRun;
  /** Shows the expectation, to be written or edited. */
  readonly onExpect: () => void;
}

export function nextSteps({ set, checked, costs, runs, reader, onCompareReaders, ...of }: StepsRequest): NextSteps {
  const lacking = set.nodes.find(({ cells = 0, present = 0, unknown = 0 }) => unknown === 0 && present < cells);
  const { chunks, targets, rules } = checked;
  const unheld = rules.find(({ rule, lookedAt, of }) => rule === "files" && lookedAt > 0 && lookedAt < of);
  return {
    complete: (
      <span className="grid leading gap-4">
        {lacking === undefined ? null : <ShowChunks path={lacking.path} />}
        <Expect {...of} />
      </span>
    ),
    ...(chunks.decoded + chunks.failed + (chunks.unbuilt ?? 0) >= chunks.of + set.states.unknown
      ? {}
      : { values: <DecodeRest costs={costs} runs={runs} /> }),
    ...(targets.asked >= targets.of
      ? unheld === undefined
        ? {}
        : { sources: <HoldRest of={unheld.of - unheld.lookedAt} costs={costs} runs={runs} /> }
      : { sources: <AskRest costs={costs} runs={runs} /> }),
    readers: <ReaderChoice {...{ set, reader, onCompareReaders }} />,
  };
}

function Expect({ expectation, onExpect }: Pick<StepsRequest, "expectation" | "onExpect">) {
  const { expectation: known, cost: full } = expectation;
  const cost = full === undefined || full.requests === 0 ? "" : ` · ${countOf(full.requests, "request")}`;
  return (
    <LinkButton onClick={onExpect}>
      {known === undefined ? `Create expectations${cost}` : "Edit expectations"}
    </LinkButton>
  );
}

function ShowChunks({ path }: { readonly path: string }) {
  const actions = useActions();
  return (
    <LinkButton
      onClick={() => {
        actions.selectNode(path);
        actions.showView("chunks");
      }}
    >
      Show {path === "" ? "/" : path} on the map
    </LinkButton>
  );
}

/** Word for an estimate, if there are too many chunks to add up their costs. */
export const aboutWord = ({ values: { isAbout } }: CheckCosts): string => (isAbout === true ? "about " : "");

/** "all · 24 B", "10,000 of 30,000 chunks"; the cost as far as it is known. */
export function decodeText(costs: CheckCosts, more = 0): string {
  const { values, unknown, fetched } = costs;
  const [chunks, of] = [values.chunks + fetched, values.of + unknown];
  const what = chunks < of ? `${formatCount(chunks)} of ${countOf(of, "chunk")}` : "all";
  const bytes = `${aboutWord(costs)}${formatBytes(values.bytes + more)}`;
  if (unknown === 0) return `${what} · ${bytes}`;
  return `${what} · ${values.chunks === 0 ? "" : `${bytes} and `}references of ${countOf(fetched, "chunk")} first`;
}

type RestProps = Pick<StepsRequest, "costs" | "runs">;

function DecodeRest({ costs, runs }: RestProps) {
  const { values } = runs;
  if (values?.running === true) return <Running what="Decoding" onStop={runs.cancel} />;
  return (
    <LinkButton onClick={() => runs.decode()}>Decode {costs === undefined ? "all" : decodeText(costs)}</LinkButton>
  );
}

function AskRest({ costs, runs }: RestProps) {
  const { sources } = runs;
  if (sources?.running === true) return <Running what="Checking" onStop={runs.cancel} />;
  const cost =
    costs === undefined
      ? ""
      : ` · ${costs.sources.isAbout === true ? "about " : ""}${countOf(costs.sources.requests, "request")}`;
  return <LinkButton onClick={() => runs.askTargets()}>Check the sources{cost}</LinkButton>;
}

/** Files whose own index was not among the sample. */
function HoldRest({ of, costs, runs }: RestProps & { readonly of: number }) {
  if (runs.sources?.running === true) return <Running what="Checking" onStop={runs.cancel} />;
  const requests = costs === undefined ? "" : ` · about ${countOf(costs.files * of, "request")}`;
  return (
    <LinkButton onClick={() => runs.askTargets({ isAll: true })}>
      Compare with {of === 1 ? "the other file" : `the other ${countOf(of, "file")}`}
      {requests}
    </LinkButton>
  );
}

function Running({ what, onStop }: { readonly what: string; readonly onStop: () => void }) {
  return (
    <>
      {what}… <LinkButton onClick={onStop}>Stop</LinkButton>
    </>
  );
}

/** Which software is to read the set, remembered for the next one; and all of them beside each other. */
function ReaderChoice({
  set,
  reader: chosen,
  onCompareReaders,
}: Pick<StepsRequest, "set" | "reader" | "onCompareReaders">) {
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
      <LinkButton onClick={onCompareReaders}>Compare readers</LinkButton>
    </span>
  );
}
