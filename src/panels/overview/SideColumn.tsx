/** Beside the subject: how to open it in Python, what is known of its health, where its bytes are, what was opened. */
import type { Overview, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { ByteSize } from "../../widgets/ByteSize.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { Card, CardPart } from "./Card.tsx";
import { ContainersSection } from "./ContainersSection.tsx";
import { HealthCard } from "./HealthCard.tsx";
import { SetSection } from "./SetSection.tsx";
import { StatesPart } from "./StatesPart.tsx";
import { HostsTable, TargetsPart } from "./TargetsPart.tsx";
import styles from "./SideColumn.module.css";

const CANCELLED = ["Counting was cancelled", "Count again"] as const;

interface SideColumnProps {
  readonly set: SetSummary;
  readonly path: string;
}

export function SideColumn({ set, path }: SideColumnProps) {
  const answer = useEngine("set.overview", { set: set.id, path });
  const { data, stale } = answer;
  return (
    <div className={styles.side}>
      {data === undefined ? (
        <Unanswered answer={answer} label="Counting references" cancelled={CANCELLED} />
      ) : (
        <div className={styles.counts} data-stale={stale || data.path !== path}>
          <PythonCard code={data.python} />
          <HealthCard set={set} path={path} />
          <BytesCard overview={data} />
        </div>
      )}
      {path === "" ? <SetSection set={set} /> : null}
      {path === "" && set.repository !== undefined ? <ContainersSection set={set.id} /> : null}
    </div>
  );
}

/** A script that opens this very set. */
function PythonCard({ code }: { readonly code: string }) {
  return (
    <Card title="Open in Python" aside={<CopyButton text={code} what="snippet" label />}>
      <pre className={styles.code} tabIndex={0} aria-label="Python snippet">
        {code}
      </pre>
    </Card>
  );
}

function BytesCard({ overview }: { readonly overview: Overview }) {
  const { bytes, states, hosts, targets, targetCount } = overview;
  return (
    <Card
      title="Bytes"
      aside={
        <span>
          <ByteSize bytes={bytes} /> referenced{states.unknown > 0 ? " so far" : ""}
        </span>
      }
    >
      <StatesPart overview={overview} />
      <CardPart title="Targets by host" aside={hosts.length}>
        <HostsTable overview={overview} />
      </CardPart>
      <TargetsPart targets={targets} count={targetCount} />
    </Card>
  );
}
