import { type ReactNode, useId } from "react";
import { SAMPLES } from "#core/gallery/samples.ts";
import { withoutToken } from "#core/words/without-secrets.ts";
import { useActions } from "#store/react.tsx";
import { Icon } from "#widgets/Icon.tsx";
import styles from "./Samples.module.css";
import { Button } from "#widgets/controls/Button.tsx";

/** Sets to try; `onOpening` is called as soon as one is being opened. */
export function Samples({ onOpening }: { readonly onOpening?: () => void }) {
  const actions = useActions();
  const id = useId();
  return (
    <section className="stack gap-8" aria-label="Samples">
      <div className="flex baseline gap-8">
        <h2 className="heading">Samples</h2>
        <span className="faint fine">served with this page</span>
      </div>
      <ul className={styles.list}>
        {SAMPLES.map(({ title, detail, address, view, picture }) => (
          <li key={address} className={`narrow relative ${styles.sample}`}>
            <div className={styles.picture} aria-hidden="true">
              {picture === undefined ? null : (
                <img src={`samples/pictures/${picture}.png`} alt="" width="180" height="90" />
              )}
              {OVER[address]}
            </div>
            <Button
              aria-describedby={`${id}-${address}`}
              onClick={() => {
                const at = view === undefined ? {} : { view };
                void actions.open({ kind: "url", url: new URL(address, withoutToken(document.baseURI)).href }, at);
                onOpening?.();
              }}
            >
              {title}
            </Button>
            <p className="quiet fine" id={`${id}-${address}`}>
              {detail}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Drawn on the picture of a sample, or in its place. */
const OVER: Readonly<Record<string, ReactNode>> = {
  // Rows 0 to 40 of 90 from the south, columns 64 to 128 of 180.
  "samples/ocean-broken.json": (
    <span className={styles.failed}>
      <Icon side={16} path="m4 4 8 8M12 4l-8 8" />
    </span>
  ),
  "samples/ocean.icechunk": (
    <svg className={styles.history} viewBox="0 0 150 72">
      <path d="M12 50H138M94 50C106 50 106 22 120 22H126" />
      {[14, 45, 76, 107, 136].map((x) => (
        <circle key={x} cx={x} cy="50" r="6" />
      ))}
      <circle cx="130" cy="22" r="6" />
    </svg>
  ),
  "samples/specification.v1.json": (
    <code className={styles.text}>
      {'"'}
      <b>gen</b>
      {'": [{ "key":\n  "gen_key{{i}}", …\n→ 9 references'}
    </code>
  ),
};
