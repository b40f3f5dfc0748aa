/** The section "Readers": what other software makes of the set; compared when asked for. */
import { lazy, Suspense } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import type { ReaderChosen } from "../../store/use-reader.ts";
import { usePendingWhileShown } from "../../store/react.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import type { ComparedReaders } from "./use-compared-readers.ts";
import styles from "./Readers.module.css";

const ReadersTable = lazy(async () => {
  const { ReadersTable } = await import("./ReadersTable.tsx");
  return { default: ReadersTable };
});

export const READERS_ID = "check-readers";

interface ReadersProps {
  readonly set: SetSummary;
  readonly chosen: ReaderChosen;
  readonly compared: ComparedReaders;
}

export function Readers({ set, chosen, compared: { opened, show, answer } }: ReadersProps) {
  return (
    <section aria-labelledby={READERS_ID}>
      <div className={styles.head}>
        <h3 id={READERS_ID} tabIndex={-1}>
          Readers
        </h3>
        <span>what other software makes of it, beside the causes above</span>
        <button type="button" aria-expanded={opened} onClick={() => show(!opened)}>
          {opened ? "Hide the comparison" : "Compare readers"}
        </button>
      </div>
      {opened ? (
        <Suspense fallback={<UnderWay />}>
          <ReadersTable set={set} chosen={chosen} answer={answer} />
        </Suspense>
      ) : null}
    </section>
  );
}

function UnderWay() {
  usePendingWhileShown("Loading the readers");
  return <Loading label="Loading the readers" />;
}
