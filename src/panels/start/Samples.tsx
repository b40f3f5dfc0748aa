import { useId } from "react";
import { useActions } from "../../store/react.tsx";
import styles from "./Samples.module.css";
import start from "./StartPanel.module.css";
import { Button } from "../../widgets/controls/Button.tsx";

/** Sets to try; `onOpening` is called as soon as one is being opened. */
export function Samples({ onOpening }: { readonly onOpening?: () => void }) {
  const actions = useActions();
  const id = useId();
  return (
    <section className={start.section} aria-label="Samples">
      <div className={start.sectionHead}>
        <h2>Samples</h2>
        <span>served with this page</span>
      </div>
      <ul className={styles.list}>
        {SAMPLES.map(({ title, detail, address, view }) => (
          <li key={address} className={styles.sample}>
            <Button
              aria-describedby={`${id}-${address}`}
              onClick={() => {
                const at = view === undefined ? {} : { view };
                void actions.open({ kind: "url", url: new URL(address, document.baseURI).href }, at);
                onOpening?.();
              }}
            >
              {title}
            </Button>
            <p id={`${id}-${address}`}>{detail}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the page brings along to try it with. */
interface Sample {
  readonly title: string;
  readonly detail: string;
  /** Relative to the page. */
  readonly address: string;
  /** Where it is shown; absent = Overview. */
  readonly view?: "edit" | "history";
}

const SAMPLES: readonly Sample[] = [
  {
    title: "Ocean sample",
    detail: "Eight arrays of a synthetic ocean, referenced in two HDF5 files by Kerchunk.",
    address: "samples/ocean.v1.json",
  },
  {
    title: "Ocean sample, broken on purpose",
    detail: "The same data with six problems, such as a shifted offset and a missing source file.",
    address: "samples/ocean-broken.json",
  },
  {
    title: "One file only",
    detail: "The references of the first HDF5 file alone, as Kerchunk wrote them.",
    address: "samples/ocean-a.v1.json",
  },
  {
    title: "Ocean with a history",
    detail: "An Icechunk repository with commits, a branch and tags. Opens in History.",
    address: "samples/ocean.icechunk",
    view: "history",
  },
  {
    title: "The specification's example",
    detail: "Version 1 with templates and gen: nine references, of which most readers see fewer. Opens in the studio.",
    address: "samples/specification.v1.json",
    view: "edit",
  },
];
