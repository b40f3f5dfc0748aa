/** Writes the set, as edited, to a file or a folder. */
import { useEffect, useState } from "react";
import { type Finding, placeText } from "#core/findings/finding.ts";
import type { SetSummary } from "#core/open-set.ts";
import { type ExportCompression, type Exported, type ExportPlan, type ExportWish, keepsText } from "#core/studio.ts";
import { useTask } from "#store/hooks/use-task.ts";
import { useApp, useAppState } from "#store/react.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { ErrorNotice, Loading, useExplain, useMessage } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatExactBytes } from "#widgets/number-format.ts";
import { download } from "#widgets/controls/hand-out.ts";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { Snippet } from "#widgets/Snippet.tsx";
import { type Choice, Radios } from "./Radios.tsx";
import { SourcePaths } from "./SourcePaths.tsx";
import styles from "./ExportDialog.module.css";

type Form = ExportWish["form"];

const AS_EDITED = "The text as it stands.";
const RENDERED = "The text as it stands, with its templates and gen, which readers may render differently.";
const TEMPLATED = "What URLs begin with is written once: a smaller file, for readers that render templates.";

const formsOf = ({ rendered }: SetSummary, isKept: boolean): readonly Choice<Form>[] => [
  ...(isKept ? [["version1", "As edited", rendered === true ? RENDERED : AS_EDITED] as const] : []),
  [
    "version0",
    "Version 0, flattened",
    "A flat object of keys, with all references written out. All readers read it alike.",
  ],
  ["version1-flat", "Version 1, flattened", 'The same within {"version": 1, "refs": …}: no templates, no gen.'],
  ...(isKept ? [] : [["version1", "Version 1 with templates", TEMPLATED] as const]),
  [
    "parquet",
    "Kerchunk Parquet",
    "Small files that fsspec fetches as needed: for millions of references. Zarr v2 only.",
  ],
  [
    "icechunk",
    "Icechunk repository",
    "One commit on main, with virtual chunks where the sources are. Metadata becomes Zarr v3.",
  ],
];

/** True of forms that are a folder of files. */
const isOfFiles = (form: Form): boolean => form === "parquet" || form === "icechunk";

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
  const [sources, setSources] = useState<string>();
  const isKept = keepsText(set.version, { form: "version1", sources });
  const refused = useAppState(({ edit }) => (isKept && form === "version1" ? undefined : edit?.answer?.refused));
  const whyRefused = useMessage(refused);
  const isFolder = isOfFiles(form);
  const wish = { form, compression: isFolder ? "none" : compression, sources } as const;
  const { isHere, plan, begun, start, copied, cancel } = useExport(set, wish, refused !== undefined);
  // The plan of another choice stays until this one's is there.
  const [shown, setShown] = useState<ExportPlan>();
  const planned = begun?.found?.plan ?? plan?.found;
  if (planned !== undefined && planned !== shown) setShown(planned);
  const busy = begun?.running === true;
  const findings = planned?.findings ?? [];
  const error = begun?.error ?? plan?.error;
  const disabled = refused !== undefined || plan?.error !== undefined;
  return (
    <Dialog title="Export" onClose={onClose} footer={<Foot {...{ wish, disabled, busy, start, copied }} />}>
      <div className={styles.form}>
        <Radios legend="Form" choices={formsOf(set, isKept)} chosen={form} onChoose={setForm} />
        {isFolder ? (
          <p className={styles.detail}>The .zip is not compressed. Unpack it: readers open the folder inside.</p>
        ) : (
          <Radios legend="Compression" choices={COMPRESSIONS} chosen={compression} onChoose={setCompression} inline />
        )}
        {refused === undefined ? null : (
          <p className={styles.warning}>
            {whyRefused} There is nothing true to flatten: correct the document first
            {set.version === 1 ? ", or export it as edited" : ""}.
          </p>
        )}
        {isHere || begun !== undefined ? null : (
          <p className={styles.detail}>Export first fetches all references, then says what cannot be written.</p>
        )}
        {shown === undefined || shown.paths.count === 0 ? null : (
          <SourcePaths
            set={set.id}
            paths={shown.paths}
            isAbsolute={form === "icechunk"}
            sources={sources}
            onSources={setSources}
          />
        )}
        <Notes findings={findings} loss />
        <Notes findings={findings} loss={false} />
        {busy ? <Loading label="Exporting" progress={begun.progress} onCancel={cancel} /> : null}
        <Said outcome={begun?.found} error={error} />
        {shown === undefined ? null : <OpenIt language="Python" text={shown.python} />}
        {shown?.javascript === undefined ? null : <OpenIt language="JavaScript" text={shown.javascript} />}
      </div>
    </Dialog>
  );
}

interface FootProps extends Pick<ReturnType<typeof useExport>, "start" | "copied"> {
  readonly wish: Pick<ExportWish, "form" | "compression">;
  readonly disabled: boolean;
  readonly busy: boolean;
}

function Foot({ wish: { form, compression }, disabled, busy, start, copied }: FootProps) {
  const begin = (pick?: PickFolder) => (busy ? undefined : void start(pick));
  return (
    <>
      {isOfFiles(form) && pickFolder !== undefined ? (
        <Button disabled={disabled} aria-disabled={busy} onClick={() => begin(pickFolder)}>
          Choose a folder…
        </Button>
      ) : null}
      {!isOfFiles(form) && compression === "none" && !disabled ? <CopyButton text={copied} what="JSON" label /> : null}
      <Button data-kind="primary" data-autofocus disabled={disabled} aria-disabled={busy} onClick={() => begin()}>
        {busy ? "Exporting…" : isOfFiles(form) ? "Export .zip" : "Export"}
      </Button>
    </>
  );
}

const OpenIt = ({ language, text }: { readonly language: string; readonly text: string }) => (
  <details>
    <summary>Open the export in {language}</summary>
    <div className="grid leading gap-6">
      <Snippet label={`${language} that opens the export`} text={text} />
      <CopyButton text={text} what="snippet" label />
    </div>
  </details>
);

/** Without what was exported: references had to be fetched first, and something cannot be written. */
interface Outcome {
  readonly plan: ExportPlan;
  readonly exported?: Exported;
}

const isLoss = ({ code }: Finding): boolean => code === "write-left-out";

/** Plan of the export: made at once if all references are loaded, else when Export is pressed. */
function useExport(set: SetSummary, choice: Omit<ExportWish, "text">, isRefused: boolean) {
  const { engine, store, tasks } = useApp();
  const subject = `${set.id} ${JSON.stringify(choice)}`;
  const planning = useTask<ExportPlan>("export", `Checking what can be exported of ${set.name}`, subject);
  const exporting = useTask<Outcome>("export", `Exporting ${set.name}`, subject);
  const plan = planning.begun;
  const isHere = set.pages === undefined || set.pages.loaded === set.pages.count;
  const wish = { ...choice, set: set.id, text: store.getState().edit?.text };
  useEffect(() => {
    if (isHere && !isRefused) planning.begin((options) => engine.call("write.plan", wish, options));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once of what is chosen
  }, [subject, isRefused]);
  const start = async (pick?: PickFolder) => {
    // The user may think better of it.
    const folder = await pick?.({ mode: "readwrite" }).catch(() => undefined);
    if (pick !== undefined && folder === undefined) return;
    const known = plan?.found ?? exporting.begun?.found?.plan;
    exporting.begin(async (options) => {
      const made = known ?? (await engine.call("write.plan", wish, options));
      if (known === undefined && made.findings.some(isLoss)) return { plan: made };
      const exported = await engine.call("write.export", { ...wish, folder }, options);
      if (exported.blob !== undefined) download(exported.blob, exported.name);
      return { plan: made, exported };
    });
  };
  const copied = async () => {
    const { blob } = await tasks.run("copy", `Copying ${set.name}`, (options) =>
      engine.call("write.export", wish, options),
    );
    return (await blob?.text()) ?? "";
  };
  return { isHere, plan, begun: exporting.begun, start, copied, cancel: exporting.cancel };
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
  const { exported, plan } = outcome;
  if (exported === undefined) return <p role="status">Export again to write the rest.</p>;
  const { name, files, references, bytes, leftOut } = exported;
  return (
    <p role="status" className={styles.said}>
      <b>{name}</b>: {files > 1 ? `${countOf(files, "file")}, ` : ""}
      {countOf(references, "reference")}, <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>.{" "}
      {leftOut > 0
        ? `${countOf(leftOut, "bad reference")} could not be written and were left out.`
        : plan.findings.some(isLoss)
          ? ""
          : "Nothing was left out."}
    </p>
  );
}
