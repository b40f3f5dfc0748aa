import { useMessage } from "../../widgets/use-explain.ts";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useAppState } from "../../store/react.tsx";
import type { Finding } from "../../core/findings/finding.ts";
import { ArrayCard } from "./ArrayCard.tsx";
import { CardHead } from "./CardHead.tsx";
import { DatasetView } from "./DatasetView.tsx";
import { SideColumn } from "./SideColumn.tsx";
import { useCardReader } from "./use-card-reader.ts";
import type { CardReader } from "./card-reader.ts";
import styles from "./OverviewPanel.module.css";

/** The card of the open set: what the selected group or array is, and where its chunks come from. */
export function OverviewPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Overview set={set} />;
}

function Overview({ set }: { readonly set: SetSummary }) {
  const path = useAppState((state) => state.node);
  const reader = useCardReader(set);
  const node = set.nodes.find((one) => one.path === path);
  return (
    <div className={styles.panel}>
      <div className={styles.page}>
        <div className={styles.main}>
          <Subject key={path} set={set} path={path} node={node} reader={reader} />
        </div>
        <SideColumn set={set} path={path} />
      </div>
    </div>
  );
}

interface SubjectProps {
  readonly set: SetSummary;
  readonly path: string;
  readonly node: NodeSummary | undefined;
  readonly reader: CardReader;
}

function Subject({ set, path, node, reader }: SubjectProps) {
  if (node?.kind === "broken") return <Broken path={path} reason={node.reason} />;
  if (node?.kind === "array") return <ArrayCard set={set} node={node} reader={reader} />;
  return <DatasetView set={set} path={path} reader={reader} />;
}

function Broken({ path, reason }: { readonly path: string; readonly reason: Finding | undefined }) {
  const message = useMessage(reason);
  return (
    <>
      <CardHead title={path === "" ? "The whole set" : path} facts={["broken node"]} />
      <p className={styles.broken}>
        <b>✕ The metadata here cannot be understood.</b> {message} The Metadata view shows the documents as stored in
        the set.
      </p>
    </>
  );
}
