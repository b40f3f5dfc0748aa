/** The anatomy of the open repository: a button in History, and the section that it opens. */
import { useId, useState } from "react";
import type { Anatomy as Weighed, AnatomyCost } from "#core/anatomy.ts";
import { anatomyGaps } from "#core/words/anatomy-words.ts";
import { useEngine } from "#store/react.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { ErrorNotice, Loading, Unanswered } from "#widgets/notes/Notices.tsx";
import { Section } from "#widgets/Section.tsx";
import { CommitWeights, ReaderTable } from "./AnatomyTables.tsx";
import { Parts } from "./AnatomyParts.tsx";
import styles from "./Anatomy.module.css";

export function Anatomy({ set }: { readonly set: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { data: cost } = useEngine("repository.anatomyCost", { set });
  const size = cost?.files === undefined ? "" : ` · ${formatBytes(cost.files.bytes)}`;
  return (
    <>
      <p>
        <Button aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
          Anatomy{size}
        </Button>
      </p>
      {isOpen && cost !== undefined ? (
        <div id={id} className={styles.anatomy}>
          <Asked key={set} set={set} cost={cost} />
        </div>
      ) : null}
    </>
  );
}

/** Manifests up to so many bytes are read from this computer without asking. */
const UNASKED_BYTES = 64_000_000;

function Asked({ set, cost }: { readonly set: number; readonly cost: AnatomyCost }) {
  const { isLocal, manifests } = cost;
  const [isAsked, setAsked] = useState(isLocal && manifests !== undefined && manifests.bytes <= UNASKED_BYTES);
  const answer = useEngine("repository.anatomy", isAsked ? { set } : undefined);
  if (answer.data !== undefined) return <Result set={set} anatomy={answer.data} />;
  return (
    <Section title="Anatomy">
      <p className="quiet">{costText(cost)}</p>
      {isAsked ? (
        <Unanswered
          answer={answer}
          label="Weighing the repository"
          cancelled={["Weighing was cancelled", "Weigh again"]}
        />
      ) : (
        <p>
          <Button onClick={() => setAsked(true)}>Weigh</Button>
        </p>
      )}
    </Section>
  );
}

function costText({ snapshots, manifests }: AnatomyCost): string {
  const which = snapshots === undefined ? "all snapshots" : countOf(snapshots, "snapshot");
  if (manifests === undefined) return `Reads ${which} and all of their manifests, one request each.`;
  return `Reads ${which} and ${countOf(manifests.files, "manifest")}, ${formatBytes(manifests.bytes)}.`;
}

function Result({ set, anatomy }: { readonly set: number; readonly anatomy: Weighed }) {
  const [before, setBefore] = useState("");
  const expiry = useEngine("repository.expiry", { set, before });
  const [finding] = anatomy.findings;
  const gaps = anatomyGaps(anatomy);
  return (
    <>
      {gaps.map((gap) => (
        <p key={gap} className="quiet">
          {gap}
        </p>
      ))}
      {finding === undefined ? null : <ErrorNotice error={finding} />}
      {expiry.error === undefined ? null : <ErrorNotice error={expiry.error} onRetry={expiry.retry} />}
      {expiry.last === undefined ? <Loading label="Simulating" /> : null}
      <Parts anatomy={anatomy} expiry={expiry.last?.data} before={before} onBefore={setBefore} />
      <CommitWeights anatomy={anatomy} onBefore={setBefore} />
      <ReaderTable reader={anatomy.reader} />
    </>
  );
}
