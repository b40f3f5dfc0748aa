/** Takes the slice out of the page: as a picture, as values, as Python. */
import { useState } from "react";
import { sliceText } from "../../store/address.ts";
import { useApp, useEngine } from "../../store/react.tsx";
import { useTask } from "../../store/hooks/use-task.ts";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { CopyButton } from "../../widgets/controls/CopyButton.tsx";
import { download } from "../../widgets/controls/download.ts";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { Button } from "../../widgets/controls/Button.tsx";
import styles from "./DataPanel.module.css";
import { useShown } from "./shown-array.ts";

interface SaveMenuProps {
  /** Draws the picture with axes and colours; absent where there is none. */
  readonly picture: (() => Promise<Blob>) | undefined;
}

export function SaveMenu(props: SaveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Save…</Button>
      {isOpen ? <SaveDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SaveDialog({ picture, onClose }: SaveMenuProps & { readonly onClose: () => void }) {
  const { engine } = useApp();
  const { set, node, plane, request } = useShown();
  const { scaled, shape } = request;
  const select = sliceText({ plane, seen: new Map() }, shape);
  const name = `${node.name}[${select}]`.replaceAll(/[^\w.,[\]-]/g, "-");
  const of = { set: set.id, array: node.path };
  const python = useEngine("plane.python", { ...of, plane, scaled });
  const saving = useTask<void>("save-slice", `Reading ${node.path}`, `${set.id} ${node.path} ${select}`);
  const save = (format: "npy" | "csv") => {
    saving.begin(async (options) => {
      const { bytes } = await engine.call("plane.file", { ...of, select, scaled, format }, options);
      download(
        new Blob([bytes], { type: format === "csv" ? "text/csv" : "application/octet-stream" }),
        `${name}.${format}`,
      );
    });
  };
  return (
    <Dialog title={`Save ${node.name}[${select}]`} onClose={onClose}>
      <div className={styles.save}>
        <div className={styles.saves}>
          {picture === undefined ? null : (
            <Button onClick={() => void picture().then((blob) => download(blob, `${name}.png`))}>Picture (PNG)</Button>
          )}
          <Button onClick={() => save("csv")}>Values (CSV)</Button>
          <Button onClick={() => save("npy")}>Values (NumPy)</Button>
        </div>
        {saving.begun?.error === undefined ? null : <ErrorNotice error={saving.begun?.error} />}
        <p>The same in Python:</p>
        {python.data === undefined ? null : (
          <>
            <pre tabIndex={0} aria-label="Python snippet">
              {python.data}
            </pre>
            <CopyButton text={python.data} what="snippet" label />
          </>
        )}
      </div>
    </Dialog>
  );
}
