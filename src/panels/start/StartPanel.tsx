import type { ReactNode } from "react";
import { Logo } from "../../widgets/Logo.tsx";
import { Samples } from "./Samples.tsx";
import styles from "./StartPanel.module.css";

export interface StartPanelProps {
  /** The form with the ways to open a set. */
  readonly children: ReactNode;
  /** Why the last attempt failed. */
  readonly notice: ReactNode;
  /** Below the samples. */
  readonly more?: ReactNode;
}

/** What is shown while nothing is open: what this is, how to begin, what it does with your data. */
export function StartPanel({ children, notice, more }: StartPanelProps) {
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <h1 className={styles.title}>
            <Logo size={30} />
            Refscope
          </h1>
          <p className={styles.what}>
            The network tab and hex viewer for virtual Zarr. Open a reference set to see where every chunk of every
            array comes from, and whether those bytes are really there and really decode.
          </p>
        </header>
        {notice}
        <div className={styles.begin}>
          <section className={styles.card} aria-label="Open a reference set">
            {children}
          </section>
          <section className={styles.card} data-tone="quiet">
            <Samples />
            {more}
          </section>
        </div>
        <div className={styles.facts}>
          <Fact title="What opens today">
            <p>
              Kerchunk JSON, Version 0 and Version 1, plain or compressed (<code>.gz</code>, <code>.zst</code>), with
              templates and <code>gen</code> rendered as Python's stack renders them, and an editor with the result
              beside it. Kerchunk Parquet. Zarr v2 and v3 stores, with the map of each shard, and chunk manifests.
            </p>
            <p>
              By address, as dropped files or a dropped folder, or in a ZIP archive, local or remote. Any chunk is
              decoded as Python decodes it, and its decoding can be changed in a trial. Icechunk repositories open at
              any branch, tag or snapshot, with their history and what changed between two snapshots.
            </p>
          </Fact>
          <Fact title="Your data stays with you">
            <p>
              Everything happens in this tab. Nothing is uploaded; the only requests are those you cause: for the
              reference set, and for the bytes of the chunks you look at, from where the set says they are.
            </p>
          </Fact>
          <Fact title="What a browser cannot do">
            <p>
              Servers must allow other pages to read from them (CORS), and to answer range requests. Where one does not,
              Refscope says so; download the file and drop it here together with the reference set instead.
            </p>
          </Fact>
        </div>
      </div>
    </main>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.fact}>
      <h2 className={styles.factTitle}>{title}</h2>
      {children}
    </section>
  );
}
