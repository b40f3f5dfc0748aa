import { useMessage } from "../../widgets/use-explain.ts";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { ArraySection } from "./ArraySection.tsx";
import { Section } from "../../widgets/Section.tsx";
import { SetSection } from "./SetSection.tsx";
import { StatesSection } from "./StatesSection.tsx";
import { HostsSection, TargetsSection } from "./TargetsSection.tsx";
import { PythonSection } from "./PythonSection.tsx";
import type { Finding } from "../../core/findings/finding.ts";
import styles from "./OverviewPanel.module.css";

/** What the set, the selected group or array is and where its chunks come from, in numbers. */
export function OverviewPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  if (set === undefined) return null;
  const node = set.nodes.find((one) => one.path === path);
  return (
    <div className={styles.panel}>
      <Title path={path} node={node} />
      {node?.kind === "broken" ? <Broken reason={node.reason} /> : null}
      {path === "" ? <SetSection set={set} /> : null}
      {node?.kind === "array" ? <ArraySection set={set.id} path={path} /> : null}
      <Asked set={set} path={path} />
    </div>
  );
}

function Title({ path, node }: { readonly path: string; readonly node: NodeSummary | undefined }) {
  return (
    <h2 className={styles.title}>
      {path === "" ? "The whole set" : path} <span>{kindWords(path, node)}</span>
    </h2>
  );
}

function kindWords(path: string, node: NodeSummary | undefined): string {
  if (node?.kind === "broken") return "broken node";
  if (path === "") return node?.kind === "array" ? "one array, without a group" : "";
  return node?.kind ?? "";
}

function Broken({ reason }: { readonly reason: Finding | undefined }) {
  const message = useMessage(reason);
  return (
    <p className={styles.broken}>
      <b>✕ The metadata here cannot be understood.</b> {message} The Metadata view shows the documents as stored in the
      set.
    </p>
  );
}

const CANCELLED = ["Counting was cancelled", "Count again"] as const;

function Asked({ set, path }: { readonly set: SetSummary; readonly path: string }) {
  const answer = useEngine("set.overview", { set: set.id, path });
  const { data, stale } = answer;
  if (data === undefined) return <Unanswered answer={answer} label="Counting references" cancelled={CANCELLED} />;
  return (
    <div className={styles.counts} data-stale={stale || data.path !== path}>
      <StatesSection overview={data} />
      <HostsSection overview={data} />
      <TargetsSection targets={data.targets} count={data.targetCount} />
      <Section title="Open it in Python" wide>
        <PythonSection code={data.python} />
      </Section>
    </div>
  );
}
