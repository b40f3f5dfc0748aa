/** Writes the set, as edited, to a file. */
import { useState, type ReactNode } from "react";
import { type Finding, findingOfError, isAbort } from "../../core/findings/finding.ts";
import type { SetSummary } from "../../core/open-set.ts";
import type { ExportCompression, Exported, ExportForm } from "../../core/studio.ts";
import { useApp, useAppState } from "../../store/react.tsx";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { ErrorNotice, useMessage } from "../../widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatExactBytes } from "../../widgets/number-format.ts";
import { download } from "../../widgets/controls/download.ts";
import { Button } from "../../widgets/controls/Button.tsx";
import styles from "./ExportDialog.module.css";

interface Choice<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly detail: string;
}

const FORMS: readonly Choice<ExportForm>[] = [
  {
    id: "version1",
    label: "As edited",
    detail: "The text as typed, with any templates and gen, which readers may render differently.",
  },
  {
    id: "version0",
    label: "Version 0, flattened",
    detail: "Every reference written out as a flat object of keys. All readers read it alike.",
  },
  {
    id: "version1-flat",
    label: "Version 1, flattened",
    detail: 'The same within {"version": 1, "refs": …}: no templates, no gen. For readers that ask for Version 1.',
  },
];

const COMPRESSIONS: readonly Choice<ExportCompression>[] = [
  { id: "none", label: "None", detail: ".json" },
  { id: "gzip", label: "gzip", detail: ".json.gz" },
];

interface Outcome {
  readonly exported?: Exported;
  readonly error?: Finding;
}

export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const set = useAppState((state) => state.set);
  const [form, setForm] = useState<ExportForm>("version0");
  const [compression, setCompression] = useState<ExportCompression>("none");
  const { busy, outcome, start } = useExport();
  const refused = useAppState((state) => state.edit?.answer?.refused);
  const whyRefused = useMessage(refused);
  if (set === undefined) return null;
  return (
    <Dialog
      title="Export"
      onClose={onClose}
      footer={
        <Button
          data-kind="primary"
          data-autofocus
          disabled={refused !== undefined && form !== "version1"}
          aria-disabled={busy}
          onClick={() => (busy ? undefined : void start(set, form, compression))}
        >
          {busy ? "Exporting…" : "Export"}
        </Button>
      }
    >
      <div className={styles.form}>
        <Radios legend="Form" choices={set.version === 1 ? FORMS : FORMS.slice(1)} chosen={form} onChoose={setForm} />
        <Radios legend="Compression" choices={COMPRESSIONS} chosen={compression} onChoose={setCompression} inline />
        {refused === undefined || form === "version1" ? null : (
          <p className={styles.warning}>
            {whyRefused} There is nothing true to flatten: correct the document first, or export it as edited.
          </p>
        )}
        <Said outcome={outcome} />
      </div>
    </Dialog>
  );
}

/** Runs as a task of the status bar, with its progress and Cancel. */
function useExport() {
  const { engine, tasks, store } = useApp();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({});
  const start = async (set: SetSummary, form: ExportForm, compression: ExportCompression) => {
    setBusy(true);
    setOutcome({});
    try {
      const request = { set: set.id, text: store.getState().edit?.text, form, compression };
      const exported = await tasks.run("export", `Exporting ${set.name}`, (options) =>
        engine.call("edit.export", request, options),
      );
      download(exported.blob, exported.name);
      setOutcome({ exported });
    } catch (error) {
      if (!isAbort(error)) setOutcome({ error: findingOfError(error, `Exporting ${set.name}`) });
    } finally {
      setBusy(false);
    }
  };
  return { busy, outcome, start };
}

function Said({ outcome: { exported, error } }: { readonly outcome: Outcome }) {
  if (error !== undefined) return <ErrorNotice error={error} />;
  if (exported === undefined) return null;
  const { name, references, bytes, leftOut } = exported;
  return (
    <p role="status" className={styles.said}>
      <b>{name}</b>: {countOf(references, "reference")},{" "}
      <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>.{" "}
      {leftOut > 0
        ? `${countOf(leftOut, "bad reference")} could not be written and were left out.`
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
      {choices.map(({ id, label, detail }) => (
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
