import { useState } from "react";
import type { UnreadableTargets } from "../../core/open-set.ts";
import { prefixOf } from "../../store/file-for-target.ts";
import { useActions, useEngine, useSend } from "../../store/react.tsx";
import { FileButton } from "../../widgets/controls/FileButton.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { useExplain } from "../../widgets/notes/use-explain.ts";
import { Button, QuietButton } from "../../widgets/controls/Button.tsx";
import styles from "./UnreadableBanner.module.css";

/** Says at once that targets cannot be read from here, before one of their chunks is selected. */
export function UnreadableBanner({ set }: { readonly set: number }) {
  const actions = useActions();
  const send = useSend();
  const found = useEngine("set.unreadable", { set }).data;
  const explain = useExplain();
  const [dismissed, setDismissed] = useState(0);
  const first = found?.examples[0];
  if (found === undefined || first === undefined || found.count <= dismissed) return null;
  const { target } = first;
  return (
    <div className={styles.banner} role="status" aria-label="Sources that cannot be read here">
      <p title={explain?.(first.finding).message}>
        <b>{unreadableWords(found)}</b>
        <code>{target ?? "null (the set’s target)"}</code>
      </p>
      <span className={styles.buttons}>
        <FileButton
          text={found.count === 1 ? "Choose file…" : "Choose files…"}
          multiple={found.count > 1}
          title="Reads them from files of this computer; several are matched by their names"
          onFiles={(files) => {
            const [file] = files;
            if (found.count === 1 && file !== undefined) void actions.chooseFileFor(target, file);
            else void actions.addFiles(files.map((blob) => ({ path: blob.name, blob })));
          }}
        />
        <Button
          onClick={() => send({ kind: "show-locations", prefix: target === null ? undefined : prefixOf(target) })}
        >
          {target === null ? "Locations…" : "Map prefix…"}
        </Button>
        <QuietButton onClick={() => setDismissed(found.count)}>Dismiss</QuietButton>
      </span>
    </div>
  );
}

function unreadableWords({ count, lookedAt, of }: UnreadableTargets): string {
  if (of === 1) return "The only source file cannot be read here: ";
  const among = lookedAt < of ? `the first ${countOf(lookedAt, "source")}` : countOf(of, "source");
  return `${formatCount(count)} of ${among} cannot be read here${count === 1 ? ": " : ", such as "}`;
}
