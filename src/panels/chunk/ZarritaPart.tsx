import type { ReaderComparison } from "../../core/readers/comparison.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { formatBytes } from "../../widgets/number-format.ts";
import { useMessage } from "../../widgets/use-explain.ts";
import type { ZarritaRun } from "./use-zarrita.ts";
import { comparisonTitle, comparisonTone, elementWords, notRunWords } from "./zarrita-words.ts";
import shared from "./ChunkPanel.module.css";
import styles from "./ZarritaPart.module.css";

/** Whether zarrita, run for real, reads the same from this chunk. */
export function ZarritaPart({ zarrita }: { readonly zarrita: ZarritaRun }) {
  return (
    <section className={shared.section} aria-label="Read by zarrita">
      <h3>Read by zarrita</h3>
      <Content zarrita={zarrita} />
    </section>
  );
}

function Content({ zarrita: { begun, cost, run, cancel, dismiss } }: { readonly zarrita: ZarritaRun }) {
  if (begun?.running === true)
    return <Loading label="Reading by zarrita" progress={begun.progress} onCancel={cancel} />;
  if (begun?.error !== undefined) return <ErrorNotice error={begun.error} onRetry={run} onDismiss={dismiss} />;
  if (begun?.found !== undefined) return <Compared found={begun.found} onAgain={run} />;
  if (cost?.kind === "not-run") return <p className={shared.quiet}>{notRunWords(cost.why)}</p>;
  return (
    <div>
      <button
        type="button"
        title="zarrita reads the chunk in a worker of its own; its values are compared with ours. Each side reads for itself, so that bytes count twice."
        onClick={run}
      >
        Read by zarrita too{cost === undefined || cost.bytes === 0 ? "" : ` · ${formatBytes(cost.bytes)}`}
      </button>
    </div>
  );
}

function Compared({ found, onAgain }: { readonly found: ReaderComparison; readonly onAgain: () => void }) {
  const ours = useMessage("ours" in found && typeof found.ours === "object" ? found.ours : undefined);
  const tone = comparisonTone(found);
  return (
    <div className={styles.found} role="status" data-comparison={found.kind}>
      <p className={styles.title} data-tone={tone}>
        <span aria-hidden="true">{SIGNS[tone]}</span> {comparisonTitle(found)}
      </p>
      <Details found={found} ours={ours} />
      <div>
        <button type="button" data-kind="quiet" onClick={onAgain}>
          Compare again
        </button>
      </div>
    </div>
  );
}

const SIGNS = { ok: "✓", bad: "✕", quiet: "○" } as const;

/** Ours beside theirs. */
function Details({ found, ours }: { readonly found: ReaderComparison; readonly ours: string | undefined }) {
  switch (found.kind) {
    case "same":
      return null;
    case "not-run":
      return <p className={shared.quiet}>{notRunWords(found.why)}</p>;
    case "differs":
      return (
        <>
          <p className={shared.quiet}>The first is {elementWords(found.first)} of the chunk, counted from 0:</p>
          <Sides ours={found.ours} theirs={found.theirs} isValue />
        </>
      );
    case "error":
      return <Sides ours={found.ours === undefined ? "Reads the chunk." : (ours ?? "…")} theirs={found.error} />;
    case "made-up":
      return <Sides ours={ours ?? "…"} theirs={`Reads the chunk; its first value is ${found.first}.`} />;
  }
}

interface SidesProps {
  readonly ours: string;
  readonly theirs: string;
  readonly isValue?: boolean;
}

function Sides({ ours, theirs, isValue = false }: SidesProps) {
  return (
    <dl className={styles.sides} data-value={isValue}>
      <dt>Here, as in Python</dt>
      <dd>{ours}</dd>
      <dt>zarrita</dt>
      <dd>{theirs}</dd>
    </dl>
  );
}
