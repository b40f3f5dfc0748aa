/** Takes a slice or a series out of the page: as a picture, as values, as Python. */
import { useState } from "react";
import type { Plane } from "#core/plane/plane.ts";
import { countOf } from "#widgets/number-format.ts";
import { sliceText } from "#store/address.ts";
import { useApp, useEngine } from "#store/react.tsx";
import { useTask } from "#store/hooks/use-task.ts";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { download } from "#widgets/controls/hand-out.ts";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { Snippet } from "#widgets/Snippet.tsx";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import styles from "./DataPanel.module.css";
import { type ArrayShown, placeAlong, useShown } from "./shown-array.ts";

interface SaveMenuProps {
  /** Draws the picture with axes and colours; absent where there is none. */
  readonly picture: (() => Promise<Blob>) | undefined;
  /** The dimension of the series at the cursor; absent for the slice. */
  readonly along?: number;
}

export function SaveMenu(props: SaveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const name = props.along === undefined ? undefined : "Save the series";
  return (
    <>
      <Button aria-label={name} onClick={() => setOpen(true)}>
        Save…
      </Button>
      {isOpen ? <SaveDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SaveDialog({ picture, along, onClose }: SaveMenuProps & { readonly onClose: () => void }) {
  const { engine } = useApp();
  const shown = useShown();
  const { set, node, request } = shown;
  const { scaled, shape } = request;
  const plane = along === undefined ? shown.plane : { row: undefined, column: along, at: shown.plane.at };
  const select = sliceText({ plane, seen: new Map() }, shape);
  const { title, file } = namesOf(shown, plane, along !== undefined);
  const of = { set: set.id, array: node.path };
  const python = useEngine("plane.python", { ...of, plane, scaled });
  const saving = useTask<number>("save-slice", `Reading ${node.path}`, `${set.id} ${node.path} ${select}`);
  const save = (format: "npy" | "csv") => {
    saving.begin(async (options) => {
      const { bytes, failed } = await engine.call("plane.file", { ...of, select, scaled, format }, options);
      download(
        new Blob([bytes], { type: format === "csv" ? "text/csv" : "application/octet-stream" }),
        `${file}.${format}`,
      );
      return failed;
    });
  };
  const { found: lost = 0, error } = saving.begun ?? {};
  return (
    <Dialog title={`Save ${title}`} onClose={onClose}>
      <div className={`grid gap-12 ${styles.save}`}>
        <div className="flow gap-6">
          {picture === undefined ? null : (
            <Button onClick={() => void picture().then((blob) => download(blob, `${file}.png`))}>Picture (PNG)</Button>
          )}
          <Button onClick={() => save("csv")}>Values (CSV)</Button>
          <Button onClick={() => save("npy")}>Values (NumPy)</Button>
        </div>
        {error === undefined ? null : <ErrorNotice error={error} />}
        {lost > 0 ? <p>{countOf(lost, "chunk")} failed: the values of failed chunks are empty in the file.</p> : null}
        <p>The same in Python:</p>
        {python.data === undefined ? null : (
          <>
            <Snippet label="Python snippet" text={python.data} />
            <CopyButton text={python.data} what="snippet" label />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** "sst, 2026-01-01", `sst-2026-01-01`; "sst at 31°S 121°W", `sst-at-31S-121W`: names of files need no quotes. */
function namesOf(shown: ArrayShown, { row, column, at }: Plane, isSeries: boolean) {
  const { name } = shown.node;
  const places = at.flatMap((one, dimension) =>
    dimension === row || dimension === column ? [] : [placeAlong(shown, dimension, one)],
  );
  const title = places.length === 0 ? name : `${name}${isSeries ? " at" : ","} ${places.join(" ")}`;
  return {
    title,
    file: title
      .replaceAll("−", "-")
      .replaceAll(/[°,]/g, "")
      .replaceAll(/[^\w.-]+/g, "-"),
  };
}

interface PictureWords {
  /** "sst, sea surface temperature (°C)" and "2026-01-03 · ocean.json". */
  readonly title: string;
  readonly subtitle: string;
}

export const SIDE = 16;

/**
 * Draws a picture file in the colours of the page, with a title above. `style`: of an element that has the page's colours. `draw`: below the title, in CSS pixels.
 */
export function pictureFile(
  { width, height, ratio }: Readonly<Record<"width" | "height" | "ratio", number>>,
  { title, subtitle }: PictureWords,
  style: CSSStyleDeclaration,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = canvas.getContext("2d");
  if (context === null) return Promise.reject(new Error("The browser provides no canvas to draw on."));
  context.scale(ratio, ratio);
  context.fillStyle = background(style);
  context.fillRect(0, 0, width, height);
  context.fillStyle = style.color;
  context.font = "600 15px system-ui, sans-serif";
  context.fillText(title, SIDE, 22, width - 2 * SIDE);
  context.font = "12px system-ui, sans-serif";
  context.fillText(subtitle, SIDE, 40, width - 2 * SIDE);
  draw(context);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The browser made no picture.")) : resolve(blob)));
  });
}

/** The first ground that is not transparent. */
function background({ backgroundColor: own }: CSSStyleDeclaration): string {
  return own === "" || own === "rgba(0, 0, 0, 0)" ? getComputedStyle(document.body).backgroundColor : own;
}
