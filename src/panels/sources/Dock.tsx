/** Below the list: the target that is looked at, and what is done with targets as a whole. */
import { useState } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { TabPanel, Tabs } from "../../widgets/Tabs.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { ArraysTab } from "./ArraysTab.tsx";
import { BytesTab } from "./BytesTab.tsx";
import { PythonPart } from "./PythonPart.tsx";
import { ReplacePrefix } from "./ReplacePrefix.tsx";
import { detailFacts } from "./source-words.ts";
import { TargetName } from "./TargetName.tsx";
import styles from "./SourcesPanel.module.css";

const TABS = [
  { id: "bytes", label: "Bytes" },
  { id: "arrays", label: "Arrays" },
  { id: "replace", label: "Replace a prefix" },
  { id: "python", label: "In Python" },
] as const;
type TabId = (typeof TABS)[number]["id"];

export interface DockProps {
  readonly set: SetSummary;
  readonly target: string | null;
  /** Place of the selected chunk's range in it; -1 where none is selected. */
  readonly place: number;
  readonly prefix: string;
  readonly asked: number;
}

export function Dock({ set, target, place, prefix, asked }: DockProps) {
  const [tab, setTab] = useState<TabId>("bytes");
  return (
    <section className={styles.dock} aria-label="Target">
      <Tabs label="About the target" tabs={TABS} selected={tab} onSelect={setTab} idBase="source" size="small" />
      <TabPanel idBase="source" id={tab} className={styles.dockBody}>
        {tab === "python" ? (
          <PythonPart set={set.id} asked={asked} />
        ) : tab === "replace" ? (
          <ReplacePrefix set={set} prefix={prefix === "" ? folderOf(target) : prefix} />
        ) : (
          <OfTarget set={set} target={target} place={place} tab={tab} />
        )}
      </TabPanel>
    </section>
  );
}

/** What most often is replaced: where the target lies. */
const folderOf = (target: string | null): string => (target ?? "").slice(0, (target ?? "").lastIndexOf("/") + 1);

const CANCELLED = ["Looking at the target was cancelled", "Look again"] as const;

function OfTarget({
  set,
  target,
  place,
  tab,
}: Pick<DockProps, "set" | "target" | "place"> & { readonly tab: "bytes" | "arrays" }) {
  const answer = useEngine("sources.target", { set: set.id, target });
  const detail = answer.data;
  if (detail === undefined || detail.target !== target)
    return <Unanswered answer={answer} label="Looking at the target" cancelled={CANCELLED} />;
  return (
    <>
      <header className={styles.targetHead}>
        <h3>
          <TargetName target={target} />
        </h3>
        {target === null ? null : <CopyButton text={target} what="target" />}
      </header>
      <ul className={styles.facts} aria-label="About its bytes">
        {detailFacts(detail).map(({ text, title, tone }) => (
          <li key={text} title={title} data-tone={tone}>
            {text}
          </li>
        ))}
      </ul>
      {tab === "arrays" ? (
        <ArraysTab set={set} detail={detail} />
      ) : (
        <BytesTab key={`${target} ${detail.extent}`} set={set} detail={detail} place={place} />
      )}
    </>
  );
}
