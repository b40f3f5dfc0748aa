/** Takes a slice or a series out of the page: as a picture, as values, as Python. */
import { useState } from "react";
import type { Plane } from "#core/plane/plane.ts";
import { countOf } from "#widgets/number-format.ts";
import { sliceText } from "#store/address.ts";
import { useApp, useCommand, useEngine } from "#store/react.tsx";
import { useTask } from "#store/hooks/use-task.ts";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { download } from "#widgets/controls/hand-out.ts";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { Snippet } from "#widgets/Snippet.tsx";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import styles from "./DataPanel.module.css";
import { type ArrayShown, placeAlong, useShown } from "./shown-array.ts";
import { pngFile, svgFile } from "./slide.ts";

export interface PictureChoice {
  /** Pixels for each of CSS. */
  readonly ratio: number;
  readonly edges: boolean;
  readonly smooth: boolean;
}

interface SaveMenuProps {
  /** Draws the picture with axes and colours; absent where there is none. */
  readonly picture: ((choice: PictureChoice) => SVGElement) | undefined;
  /** The dimension of the series at the cursor; absent for the slice. */
  readonly along?: number;
}

export function SaveMenu(props: SaveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  useCommand(props.along === undefined ? "save-slice" : "save-series", () => setOpen(true));
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
        {picture === undefined ? null : <PictureFiles picture={picture} isPlane={along === undefined} file={file} />}
        <div className="flow gap-6">
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

interface PictureFilesProps {
  readonly picture: NonNullable<SaveMenuProps["picture"]>;
  readonly isPlane: boolean;
  readonly file: string;
}

/** The picture as it will be, what of it can be chosen, and its files. */
function PictureFiles({ picture, isPlane, file }: PictureFilesProps) {
  const { look, colours } = useShown();
  const [ratio, setRatio] = useState<"2" | "4">("2");
  const [edges, setEdges] = useState(false);
  const [smooth, setSmooth] = useState(look.smooth);
  const { begun, begin } = useTask("save-picture", `Drawing ${file}`, file);
  const save = (ending: string, write: (svg: SVGElement) => Blob | Promise<Blob>) =>
    begin(async () => download(await write(picture({ ratio: Number(ratio), edges, smooth })), `${file}.${ending}`));
  const preview = (image: HTMLImageElement) => {
    image.src = URL.createObjectURL(svgFile(picture({ ratio: 1, edges, smooth })));
    return () => URL.revokeObjectURL(image.src);
  };
  return (
    <>
      <img className={styles.preview} ref={preview} alt="Preview of the file" />
      <div className="flow gap-12">
        <Segmented
          label="Pixels"
          value={ratio}
          options={[
            { value: "2", text: "2×", title: "Twice the pixels of the screen" },
            { value: "4", text: "4×", title: "Four times the pixels of the screen" },
          ]}
          onValue={setRatio}
        />
        {isPlane ? (
          <>
            <Switch label="Chunk edges" on={edges} onChange={setEdges} />
            {colours.classes === undefined ? <Switch label="Smooth shading" on={smooth} onChange={setSmooth} /> : null}
          </>
        ) : null}
      </div>
      <div className="flow gap-6">
        <Button onClick={() => save("png", (svg) => pngFile(svg, Number(ratio)))}>Picture (PNG)</Button>
        <Button onClick={() => save("svg", svgFile)}>Picture (SVG)</Button>
      </div>
      {begun?.error === undefined ? null : <ErrorNotice error={begun.error} />}
    </>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly title?: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ label, title, on, onChange }: SwitchProps) {
  return (
    <label className={styles.switch} title={title}>
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
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
