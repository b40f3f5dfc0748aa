/** Documents whose edits are kept in this browser: nothing typed is lost because something else was opened. */
import { useEffect, useState } from "react";
import type { KeptEdit } from "#store/kept-edits.ts";
import { useApp } from "#store/react.tsx";
import { formatBytes } from "#widgets/number-format.ts";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./KeptEdits.module.css";

const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Nothing where nothing is kept. */
export function KeptEdits({ onOpening }: { readonly onOpening?: () => void }) {
  const { keeper, actions } = useApp();
  const [kept, setKept] = useState<readonly KeptEdit[]>([]);
  useEffect(() => {
    // A browser that keeps nothing has nothing to list.
    keeper.list().then(setKept, () => undefined);
  }, [keeper]);
  if (kept.length === 0) return null;
  return (
    <section className={styles.kept} aria-label="Edits kept in this browser">
      <h3 className={styles.heading}>Edits kept in this browser</h3>
      <ul className="grid gap-4">
        {kept.map((edit) => (
          <KeptLine
            key={edit.documentId}
            edit={edit}
            onOpen={() => {
              onOpening?.();
              void actions.openKept(edit);
            }}
            onDiscard={async () => {
              await keeper.remove(edit.documentId).catch(() => undefined);
              setKept(kept.filter((one) => one !== edit));
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface KeptLineProps {
  readonly edit: KeptEdit;
  readonly onOpen: () => void;
  readonly onDiscard: () => Promise<void>;
}

/** Discarding asks once more, in place. */
function KeptLine({ edit, onOpen, onDiscard }: KeptLineProps) {
  const [asked, setAsked] = useState(false);
  return (
    <li className={styles.line}>
      <Button className="ellipsis" title={edit.url ?? edit.name} onClick={onOpen}>
        {edit.name}
      </Button>
      <span className={styles.facts}>
        {WHEN.format(edit.when)}, {formatBytes(edit.text.length)}
      </span>
      <QuietButton
        onClick={() => {
          if (asked) void onDiscard();
          else setAsked(true);
        }}
        onBlur={() => setAsked(false)}
      >
        {asked ? "Discard edits" : "Discard"}
      </QuietButton>
    </li>
  );
}
