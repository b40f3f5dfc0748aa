/** Writes the set, as edited, to a file or a folder. */
import { type ReactNode, useEffect, useState } from "react";
import { type Finding, placeText } from "#core/findings/finding.ts";
import type { SetSummary } from "#core/open-set.ts";
import type { ExportCompression, Exported, ExportWish } from "#core/studio.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useApp, useAppState } from "#store/react.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { ErrorNotice, Loading, useExplain, useMessage } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatExactBytes } from "#widgets/number-format.ts";
import { download } from "#widgets/controls/hand-out.ts";
import { Button } from "#widgets/controls/Button.tsx";
import styles from "./ExportDialog.module.css";

type Form = ExportWish["form"];
type Choice<T extends string> = readonly [id: T, label: string, detail: string];

const AS_EDITED = "The text as typed, with any templates and gen, which readers may render differently.";
const TEMPLATED = "What URLs begin with is written once: a smaller file, for readers that render templates.";

const formsOf = ({ version }: SetSummary): readonly Choice<Form>[] => [
  ...(version === 1 ? [["version1", "As edited", AS_EDITED] as const] : []),
  [
    "version0",
    "Version 0, flattened",
    "A flat object of keys, with all references written out. All readers read it alike.",
  ],
  ["version1-flat", "Version 1, flattened", 'The same within {"version": 1, "refs": …}: no templates, no gen.'],
  ...(version === 1 ? [] : [["version1", "Version 1 with templates", TEMPLATED] as const]),
  [
    "parquet",
    "Kerchunk Parquet",
    "Small files that fsspec fetches as needed: for millions of references. Zarr v2 only.",
  ],
];

const COMPRESSIONS: readonly Choice<ExportCompression>[] = [
  ["none", "None", ".json"],
  ["gzip", "gzip", ".json.gz"],
];

export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Export set={set} onClose={onClose} />;
}

function Export({ set, onClose }: { readonly set: SetSummary; readonly onClose: () => void }) {
  const [form, setForm] = useState<Form>("version0");
  const [compression, setCompression] = useState<ExportCompression>("none");
  const refused = useAppState((state) => (form === "version1" ? undefined : state.edit?.answer?.refused));
  const whyRefused = useMessage(refused);
  const { isHere, plan, begun, start, cancel } = useExport(set, form, compression, refused !== undefined);
  const busy = begun?.running === true;
  const findings = begun?.found?.findings ?? plan?.found ?? [];
  const error = begun?.error ?? plan?.error;
  const disabled = refused !== undefined || plan?.error !== undefined;
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      footer={
        <>
          {form === "parquet" && pickFolder !== undefined ? (
            <Button
              disabled={disabled}
              aria-disabled={busy}
              onClick={() => (busy ? undefined : void start(pickFolder))}
            >
              Choose a folder…
            </Button>
          ) : null}
          <Button
            data-kind="primary"
            data-autofocus
            disabled={disabled}
            aria-disabled={busy}
            onClick={() => (busy ? undefined : void start())}
          >
            {busy ? "Exporting…" : form === "parquet" ? "Export .zip" : "Export"}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Radios legend="Form" choices={formsOf(set)} chosen={form} onChoose={setForm} />
        {form === "parquet" ? (
          <p className={styles.detail}>The .zip is not compressed. Unpack it: readers open the folder inside.</p>
        ) : (
          <Radios legend="Compression" choices={COMPRESSIONS} chosen={compression} onChoose={setCompression} inline />
        )}
        {refused === undefined ? null : (
          <p className={styles.warning}>
            {whyRefused} There is nothing true to flatten: correct the document first, or export it as edited.
          </p>
        )}
        {isHere || begun !== undefined ? null : (
          <p className={styles.detail}>Export first fetches all references, then says what cannot be written.</p>
        )}
        <Notes findings={findings} loss />
        <Notes findings={findings} loss={false} />
        {busy ? <Loading label="Exporting" progress={begun.progress} onCancel={cancel} /> : null}
        <Said outcome={begun?.found} error={error} />
      </div>
    </Dialog>
  );
}

/** Without what was exported: references had to be fetched first, and something cannot be written. */
interface Outcome {
  readonly findings: readonly Finding[];
  readonly exported?: Exported;
}

const isLoss = ({ code }: Finding): boolean => code === "write-left-out";

/** Plan of the export: made at once if all references are loaded, else when Export is pressed. */
function useExport(set: SetSummary, form: Form, compression: ExportCompression, isRefused: boolean) {
  const { engine, store } = useApp();
  const subject = `${set.id} ${form}`;
  const planning = useTask<readonly Finding[]>("export", `Checking what can be exported of ${set.name}`, subject);
  const exporting = useTask<Outcome>("export", `Exporting ${set.name}`, subject);
  const plan = planning.begun;
  const isHere = set.pages === undefined || set.pages.loaded === set.pages.count;
  const wish = { set: set.id, text: store.getState().edit?.text, form };
  useEffect(() => {
    if (isHere && !isRefused) planning.begin((options) => engine.call("write.plan", wish, options));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once of what is chosen
  }, [subject, isRefused]);
  const start = async (pick?: PickFolder) => {
    // The user may think better of it.
    const folder = await pick?.({ mode: "readwrite" }).catch(() => undefined);
    if (pick !== undefined && folder === undefined) return;
    const known = plan?.found ?? exporting.begun?.found?.findings;
    exporting.begin(async (options) => {
      const findings = known ?? (await engine.call("write.plan", wish, options));
      if (known === undefined && findings.some(isLoss)) return { findings };
      const exported = await engine.call("write.export", { ...wish, compression, folder }, options);
      if (exported.blob !== undefined) download(exported.blob, exported.name);
      return { findings, exported };
    });
  };
  return { isHere, plan, begun: exporting.begun, start, cancel: exporting.cancel };
}

type PickFolder = (options: { readonly mode: "readwrite" }) => Promise<FileSystemDirectoryHandle>;

/** Not in every browser. */
const pickFolder = (globalThis as { readonly showDirectoryPicker?: PickFolder }).showDirectoryPicker?.bind(globalThis);

const MOST_NOTES = 6;

function Notes({ findings, loss }: { readonly findings: readonly Finding[]; readonly loss: boolean }) {
  const explain = useExplain();
  const these = findings.filter((one) => isLoss(one) === loss);
  if (explain === undefined || these.length === 0) return null;
  const more = these.length - MOST_NOTES;
  return (
    <ul className={loss ? styles.warning : styles.detail} aria-label={loss ? "Not written" : "How it is written"}>
      {these.slice(0, MOST_NOTES).map((one) => (
        <li key={`${placeText(one.place)} ${explain(one).message}`}>
          {one.place.kind === "set" ? null : <b>{placeText(one.place)} </b>}
          {explain(one).message}
        </li>
      ))}
      {more > 0 ? <li>{countOf(more, "more note")}.</li> : null}
    </ul>
  );
}

function Said({ outcome, error }: { readonly outcome: Outcome | undefined; readonly error: Finding | undefined }) {
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (outcome === undefined) return null;
  const { exported, findings } = outcome;
  if (exported === undefined) return <p role="status">Export again to write the rest.</p>;
  const { name, files, references, bytes, leftOut } = exported;
  return (
    <p role="status" className={styles.said}>
      <b>{name}</b>: {files > 1 ? `${countOf(files, "file")}, ` : ""}
      {countOf(references, "reference")}, <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>.{" "}
      {leftOut > 0
        ? `${countOf(leftOut, "bad reference")} could not be written and were left out.`
        : findings.some(isLoss)
          ? ""
          : "Nothing was left out."}
    </p>
  );
}

interface RadiosProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
  readonly inline?: boolean;
}

function Radios<T extends string>({ legend, choices, chosen, onChoose, inline = false }: RadiosProps<T>): ReactNode {
  return (
    <fieldset className={styles.choices} data-inline={inline}>
      <legend>{legend}</legend>
      {choices.map(([id, label, detail]) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name={legend} checked={chosen === id} onChange={() => onChoose(id)} />
          <span>
            {label} <span className={styles.detail}>{detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
