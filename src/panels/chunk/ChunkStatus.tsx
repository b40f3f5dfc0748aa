import type { Explain } from "../../core/findings/explained.ts";
import type { Reading } from "../../core/reading.ts";
import { useActions } from "../../store/react.tsx";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { useExplain } from "../../widgets/use-explain.ts";
import { findingTab } from "./chunk-tabs.ts";
import { FillValue, isUnfit, type Fill } from "./FillValue.tsx";
import { statusWords } from "./status-words.ts";
import styles from "./ChunkHeader.module.css";

interface ChunkStatusProps {
  /** `undefined` until a chunk was read. */
  readonly reading: Reading | undefined;
  /** It is of the chunk before: it keeps its place, so that nothing jumps, and is not seen. */
  readonly pending: boolean;
  readonly fill: Fill;
}

/** How reading the chunk went, in one line, and what else was noticed: told in full in the tabs. */
export function ChunkStatus({ reading, pending, fill }: ChunkStatusProps) {
  const explain = useExplain();
  if (reading === undefined) return <p className={styles.status} />;
  return (
    <div className={styles.outcome} data-waiting={pending}>
      {reading.outcome === "missing" ? (
        <p className={styles.status}>
          <span aria-hidden="true">○</span>
          <span>
            <b>missing</b> · <FillValue fill={fill} unfit={isUnfit(reading)} />
          </span>
        </p>
      ) : (
        <OutcomeLine reading={reading} explain={explain} />
      )}
      {explain === undefined ? null : <Noticed reading={reading} explain={explain} />}
    </div>
  );
}

function OutcomeLine({ reading, explain }: { readonly reading: Reading; readonly explain: Explain | undefined }) {
  const explained = reading.error === undefined ? undefined : explain?.(reading.error);
  const { lead, rest } = statusWords(reading, explained);
  const sign = reading.outcome === "failed" ? "✕" : "✓";
  return (
    <p
      className={styles.status}
      data-outcome={reading.outcome}
      title={explained?.message ?? [lead, ...rest].join(" · ")}
    >
      <span aria-hidden="true">{sign}</span>
      <span>
        <b>{lead}</b>
        {rest.map((words) => ` · ${words}`).join("")}
      </span>
    </p>
  );
}

/** Warnings and errors beside the failure itself, each a way to where it is told in full. */
function Noticed({ reading, explain }: { readonly reading: Reading; readonly explain: Explain }) {
  const actions = useActions();
  const others = reading.findings.filter(({ code }) => code !== reading.error?.code);
  const noticed = others
    .map((finding) => ({ code: finding.code, ...explain(finding) }))
    .filter(({ severity }) => severity !== "info");
  if (noticed.length === 0) return null;
  return (
    <ul className={styles.noticed} aria-label="Noticed">
      {noticed.map(({ code, severity, title, message, about }, index) => (
        // Two findings may have the same code.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <button
            type="button"
            data-kind="quiet"
            data-code={code}
            title={message}
            onClick={() => {
              actions.showTab(findingTab(about));
            }}
          >
            <SeverityMark severity={severity} />
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
