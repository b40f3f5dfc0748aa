/** Finds the first commit of a repository with a problem: the cost first, then both sides, each to be opened. */
import { useState } from "react";
import type { BisectPlan, BisectResult, BisectState } from "#core/bisect.ts";
import { nodeOf } from "#core/findings/fact.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { outcomeWords, planWords } from "#core/words/bisect-words.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { type Answer, useActions, useApp, useAppState, useEngine } from "#store/react.tsx";
import { Button, LinkButton } from "#widgets/controls/Button.tsx";
import { ErrorNotice, Loading, Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { countOf } from "#widgets/number-format.ts";
import { firstChunk } from "./FindingDetails.tsx";
import type { ListedFinding } from "./findings.ts";
import styles from "./SetAside.module.css";

interface SinceWhenProps {
  readonly set: number;
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  /** Open at first. */
  readonly asked: boolean;
}

const SEARCHING = "Searching the history";

/** Nothing where the set has no history. */
export function SinceWhen(props: SinceWhenProps) {
  const hasHistory = useAppState((state) => state.set?.repository !== undefined);
  return hasHistory ? <Search {...props} /> : null;
}

function Search({ set, listed, nodes, asked }: SinceWhenProps) {
  const { engine } = useApp();
  const { code, place, count } = listed.found;
  const array = nodeOf(place) ?? firstChunk(listed, nodes)?.array;
  const chunk = place.kind === "chunk" && count === 1 ? place.coordinates : undefined;
  const [opened, setOpened] = useState(asked);
  const request = { set, test: { kind: "finding" as const, code, array, chunk } };
  const task = useTask<BisectResult>(`since-when ${code}`, SEARCHING, JSON.stringify(request));
  const plan = useEngine("check.bisectPlan", opened && task.begun === undefined ? request : undefined);
  const begin = () =>
    task.begin((options) => engine.call("check.bisect", { ...request, reads: plan.data?.reads }, options));
  const { begun } = task;
  return (
    <>
      <Button aria-expanded={opened} onClick={() => setOpened(!opened)}>
        Since when?
      </Button>
      {opened ? (
        <section className={styles.since} aria-label="Since when" ref={intoSight}>
          {begun === undefined ? <Plan plan={plan} onSearch={begin} /> : null}
          {begun?.running === true ? (
            <Loading label={SEARCHING} progress={begun.progress} onCancel={task.cancel} />
          ) : null}
          {begun?.error === undefined ? null : <ErrorNotice error={begun.error} onRetry={begin} />}
          {begun?.found === undefined ? null : <Found result={begun.found} />}
        </section>
      ) : null}
    </>
  );
}

const intoSight = (node: HTMLElement | null): void => node?.scrollIntoView({ block: "nearest" });

interface PlanProps {
  readonly plan: Answer<BisectPlan>;
  readonly onSearch: () => void;
}

function Plan({ plan, onSearch }: PlanProps) {
  if (plan.data === undefined) return <Unanswered answer={plan} label="Reading the history" />;
  return (
    <>
      <p>{planWords(plan.data)}</p>
      <Button onClick={onSearch}>Find the first commit</Button>
    </>
  );
}

function Found({ result }: { readonly result: BisectResult }) {
  const { first, before, checks, commits, outcome } = result;
  const isPlain = outcome === "found" && result.unread.length === 0;
  return (
    <div className="grid gap-8" role="status" ref={intoSight}>
      {isPlain ? null : <p className="strong">{outcomeWords(result)}</p>}
      <div className={styles.sides}>
        {first === undefined ? null : <Side name="First bad commit" state={first} />}
        {before === undefined ? null : <Side name={outcome === "found" ? "Before" : "Newest commit"} state={before} />}
      </div>
      <p className="quiet fine">
        {countOf(checks, "check")} of {countOf(commits, "commit")}
      </p>
    </div>
  );
}

/** A commit with what is wrong there. */
function Side({ name, state: { commit, finding, isAbsent } }: { readonly name: string; readonly state: BisectState }) {
  const { openRef } = useActions();
  const message = useMessage(finding);
  const said = [commit.author, commit.time?.slice(0, 16).replace("T", " ")].filter((one) => one !== undefined);
  return (
    <section className="grid topmost gap-2" aria-label={name}>
      <h4 className="quiet fine">{name}</h4>
      <span className="break strong">{commit.message === "" ? "(no message)" : commit.message}</span>
      <span className="quiet fine">{said.join(" · ")}</span>
      <p>{message ?? (isAbsent === true ? "The array is not there." : "The problem is not there.")}</p>
      <LinkButton onClick={() => void openRef(`snapshot:${commit.id}`)}>Open {commit.id.slice(0, 8)}</LinkButton>
    </section>
  );
}
