import { useMessage } from "../../widgets/use-explain.ts";
import { useMemo, useState, type ReactNode } from "react";
import type { NodeDetail } from "../../core/open-set.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { EmptyState } from "../../widgets/EmptyState.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { TabPanel, Tabs, type Tab } from "../../widgets/Tabs.tsx";
import { Unanswered } from "../../widgets/Unanswered.tsx";
import { AttributeTree } from "./AttributeTree.tsx";
import { JsonText } from "./JsonText.tsx";
import { readJson } from "./read-json.ts";
import type { Finding } from "../../core/findings/finding.ts";
import styles from "./MetadataPanel.module.css";

const CANCELLED = ["Reading the metadata was cancelled", "Read it"] as const;

interface MetadataPanelProps {
  /** What the selected array is, in words. */
  readonly about?: ReactNode;
}

/** What the selected array is, attributes of it or of the selected group, and its metadata documents as stored. */
export function MetadataPanel({ about }: MetadataPanelProps) {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const [chosen, setChosen] = useState<Part>();
  const [whole, setWhole] = useState<string>();
  const wanted = set === undefined ? undefined : { set: set.id, path };
  const answer = useEngine("set.node", wanted === undefined || whole !== path ? wanted : { ...wanted, whole: true });
  const { data, stale } = answer;
  if (answer.error !== undefined)
    return (
      <div className={styles.padded}>
        <ErrorNotice error={answer.error} onRetry={answer.retry} />
      </div>
    );
  if (data === undefined) return <Unanswered answer={answer} label="Reading metadata" cancelled={CANCELLED} />;
  return (
    <div className={styles.panel} data-stale={stale}>
      <NodeMetadata
        key={data.path}
        about={about}
        detail={data}
        chosen={chosen}
        onChoose={setChosen}
        onAll={() => {
          setWhole(path);
        }}
      />
    </div>
  );
}

type Part = "about" | "attributes" | "json" | "documents";

interface NodeMetadataProps extends MetadataPanelProps {
  readonly detail: NodeDetail;
  /** Stays from node to node once the user has chosen; until then what there is to see. */
  readonly chosen: Part | undefined;
  readonly onChoose: (part: Part) => void;
  /** Asks for the whole of texts that were cut. */
  readonly onAll: () => void;
}

function NodeMetadata({ about, detail, chosen, onChoose, onAll }: NodeMetadataProps) {
  const hasAbout = about !== undefined;
  const first = hasAbout ? "about" : detail.attributes === undefined ? "documents" : "attributes";
  const part = chosen === undefined || (chosen === "about" && !hasAbout) ? first : chosen;
  const { attributes, attributesLength } = detail;
  const { root, problem } = useMemo(
    () => (attributesLength === undefined ? readJson(attributes) : readJson(undefined)),
    [attributes, attributesLength],
  );
  const count = root?.kind === "object" ? formatCount(root.members.length) : undefined;
  const tabs: readonly Tab<Part>[] = [
    ...(hasAbout ? [{ id: "about" as const, label: "Array" }] : []),
    { id: "attributes", label: "Attributes", ...(count === undefined ? {} : { badge: count }) },
    { id: "json", label: "Attributes as JSON" },
    { id: "documents", label: "Documents", badge: formatCount(detail.documents.length) },
  ];
  return (
    <>
      <div className={styles.tabs}>
        <Tabs label="Metadata" tabs={tabs} selected={part} onSelect={onChoose} idBase="metadata" size="small" />
      </div>
      <TabPanel idBase="metadata" id={part} className={styles.part}>
        {part === "about" ? (
          about
        ) : part === "documents" ? (
          <Documents detail={detail} onAll={onAll} />
        ) : detail.attributes === undefined ? (
          <EmptyState title="No attributes">
            {detail.path === "" ? "The root" : detail.path} has no <code>.zattrs</code>.
          </EmptyState>
        ) : part === "attributes" && root !== undefined ? (
          <AttributeTree root={root} text={detail.attributes} />
        ) : (
          <>
            {problem === undefined ? null : <ErrorNotice error={problem} />}
            <JsonText text={detail.attributes} length={attributesLength} what="attributes" onAll={onAll} />
          </>
        )}
      </TabPanel>
    </>
  );
}

function Documents({ detail, onAll }: Pick<NodeMetadataProps, "detail" | "onAll">) {
  const reason = useMessage(detail.reason);
  if (detail.documents.length === 0)
    return (
      <EmptyState title="No metadata documents">
        {detail.kind === "group"
          ? "No .zgroup declares this group; it is implied by what lies below it."
          : (reason ?? "The set holds none for this node.")}
      </EmptyState>
    );
  return (
    <div className={styles.documents}>
      {detail.documents.map(({ key, text, length, problem }) => (
        <section key={key} className={styles.document} aria-label={key}>
          <h3 className={styles.key}>{key}</h3>
          {text === undefined ? (
            <Unread problem={problem} />
          ) : (
            <JsonText text={text} length={length} what={key} onAll={onAll} />
          )}
        </section>
      ))}
    </div>
  );
}

function Unread({ problem }: { readonly problem: Finding | undefined }) {
  return <p className={styles.problem}>✕ {useMessage(problem) ?? "The document could not be read."}</p>;
}
