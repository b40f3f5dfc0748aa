import { useId } from "react";
import { useActions } from "../../store/react.tsx";
import { SAMPLES, type Sample } from "./samples.ts";
import start from "./StartPanel.module.css";
import styles from "./Samples.module.css";

/** Sets to try; `onOpening` is called as soon as one is being opened. */
export function Samples({ onOpening }: { readonly onOpening?: () => void }) {
  return (
    <section className={start.section} aria-label="Samples">
      <div className={start.sectionHead}>
        <h2>Samples</h2>
        <span>served with this page</span>
      </div>
      <ul className={styles.list}>
        {SAMPLES.map((sample) => (
          <SampleLine key={sample.address} sample={sample} onOpening={onOpening} />
        ))}
      </ul>
    </section>
  );
}

interface SampleLineProps {
  readonly sample: Sample;
  readonly onOpening: (() => void) | undefined;
}

function SampleLine({ sample, onOpening }: SampleLineProps) {
  const actions = useActions();
  const id = useId();
  return (
    <li className={styles.sample}>
      <button
        type="button"
        aria-describedby={id}
        onClick={() => {
          const at = sample.view === undefined ? {} : { view: sample.view };
          void actions.open({ kind: "url", url: new URL(sample.address, document.baseURI).href }, at);
          onOpening?.();
        }}
      >
        {sample.title}
      </button>
      <p id={id}>{sample.detail}</p>
    </li>
  );
}
