import { useEffect, useId, useRef, useState } from "react";
import { useActions, useApp, useAppState } from "#store/react.tsx";
import type { Task } from "#store/state.ts";
import { Icon } from "#widgets/Icon.tsx";
import { ProgressBar, progressText } from "#widgets/notes/ProgressBar.tsx";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { Button, Form, TextField } from "#widgets/controls/Button.tsx";
import { openPicked, openText } from "./open-local.ts";
import { readAddress, type TypedAddress } from "./typed-address.ts";
import styles from "./OpenForm.module.css";

/** The ways to open a set that begin with the user: a URL, files, a folder, pasted JSON. */
export function OpenForm({ onOpening }: PartProps) {
  return (
    <div className={styles.form}>
      <UrlField onOpening={onOpening} />
      <div className={styles.ways}>
        <p className={styles.drop} title={DROPPED}>
          <Icon side={16} path="M8 2.5v7.5M5 7.2l3 3 3-3M3 13.5h10" />
          Drop files or a folder anywhere
        </p>
        <FilePicker label="Open files…" onOpening={onOpening} />
        <FilePicker label="Open folder…" folder onOpening={onOpening} />
        <PasteField onOpening={onOpening} />
      </div>
    </div>
  );
}

const DROPPED =
  "A reference file, alone or with its source files; a Kerchunk Parquet folder; a Zarr store; an Icechunk repository; a ZIP of any of them";

interface PartProps {
  /** Called as soon as something is being opened. */
  readonly onOpening?: (() => void) | undefined;
}

function UrlField({ onOpening }: PartProps) {
  const app = useApp();
  const failed = useAppState((state) => state.openError?.attempt?.source);
  const opening = useAppState(({ tasks }) => tasks.find(({ region }) => region === "open"));
  const [entered, setText] = useState(typedEarly);
  // The address that could not be opened stays in the field, to be corrected.
  const text = entered ?? (failed?.kind === "url" ? failed.url : "");
  const [refused, setRefused] = useState<TypedAddress>();
  const id = useId();
  const field = useFocusOnArrival();
  const open = (url: string) => {
    void app.actions.open({ kind: "url", url });
    onOpening?.();
  };
  const submit = () => {
    const typed = readAddress(text, document.baseURI);
    if (opening !== undefined) return;
    if (typed.kind === "url") open(typed.url);
    else if (typed.kind === "json") {
      void openText(app, typed.text);
      onOpening?.();
    } else setRefused(typed);
  };
  return (
    <Form className="stack gap-8" onSubmit={submit}>
      <label htmlFor={id} className="unseen">
        Open URL
      </label>
      <div className={styles.line}>
        <TextField
          id={id}
          ref={field}
          data-autofocus
          data-paste="open"
          className={styles.address}
          inputMode="url"
          placeholder="https://… or s3://bucket/references.json, …/store.zarr or …/data.nc"
          aria-describedby={refused === undefined ? undefined : `${id}-refused`}
          readOnly={opening !== undefined}
          value={opening?.label ?? text}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(undefined);
          }}
        />
        {opening === undefined ? (
          <button type="submit" data-kind="primary">
            Open URL
          </button>
        ) : (
          <Opening task={opening} />
        )}
      </div>
      <div id={`${id}-refused`} className={styles.refused} role="alert">
        {refused === undefined ? null : <Refusal typed={refused} onOpen={open} onOpening={onOpening} />}
      </div>
    </Form>
  );
}

/** Text typed into the field of `index.html`, before the program was there. */
const typedEarly = (): string | undefined =>
  document.querySelector<HTMLInputElement>("[data-first] [data-paste]")?.value || undefined;

/** Focuses the field; not on a touch screen, where a keyboard would cover the rest. */
function useFocusOnArrival() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const isFree = document.activeElement === document.body && !matchMedia("(pointer: coarse)").matches;
    if (isFree) field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}

/** Progress and Cancel in place of the button. */
function Opening({ task: { id, label, progress } }: { readonly task: Task }) {
  const actions = useActions();
  return (
    <div className={`row gap-12 rigid ${styles.opening}`} role="status" aria-label="Progress">
      <span className="quiet figures">{progress === undefined ? "" : progressText(progress)}</span>
      <Button onClick={() => actions.cancel(id)}>Cancel</Button>
      <ProgressBar label={label} progress={progress} />
    </div>
  );
}

interface RefusalProps extends PartProps {
  readonly typed: TypedAddress;
  readonly onOpen: (url: string) => void;
}

/** Why what was typed cannot be opened, and the next step. */
function Refusal({ typed, onOpen, onOpening }: RefusalProps) {
  if (typed.kind === "empty") return <p>Enter the URL of a dataset first.</p>;
  if (typed.kind === "path")
    return (
      <>
        <p>
          This is a local path. Web pages cannot read paths, only files that you choose: select it <b>{typed.name}</b>{" "}
          here, or drop it anywhere on this page.
        </p>
        <FilePicker label="Choose the file…" onOpening={onOpening} />
      </>
    );
  if (typed.kind === "no-scheme")
    return (
      <>
        <p>The URL has no scheme. Did you mean this?</p>
        <Button onClick={() => onOpen(typed.suggestion)}>Open {typed.suggestion}</Button>
      </>
    );
  if (typed.kind !== "word") return null;
  return (
    <p>
      “{typed.text}” is not a URL. A URL says where the dataset is: <code>https://example.org/references.json</code> or{" "}
      <code>s3://bucket/store.zarr</code>.
    </p>
  );
}

interface FilePickerProps extends PartProps {
  readonly label: string;
  readonly folder?: boolean;
}

function FilePicker({ label, folder = false, onOpening }: FilePickerProps) {
  const app = useApp();
  return (
    <FileButton
      text={label}
      multiple
      folder={folder}
      onFiles={(files) => {
        void openPicked(app, files);
        onOpening?.();
      }}
    />
  );
}

function PasteField({ onOpening }: PartProps) {
  const app = useApp();
  const [text, setText] = useState("");
  const [shown, setShown] = useState(false);
  const id = useId();
  return (
    <>
      <Button aria-expanded={shown} aria-controls={`${id}-field`} onClick={() => setShown(!shown)}>
        Paste JSON
      </Button>
      <div id={`${id}-field`} className={styles.pasteField} hidden={!shown}>
        <label htmlFor={id} className="quiet">
          The text of a reference file. Outside fields, {PASTE_KEYS} opens what is on the clipboard at once.
        </label>
        <textarea
          id={id}
          rows={7}
          spellCheck={false}
          placeholder='{"version": 1, "refs": {".zgroup": "{\"zarr_format\": 2}"}}'
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          disabled={text.trim() === ""}
          onClick={() => {
            void openText(app, text);
            onOpening?.();
          }}
        >
          Open pasted JSON
        </Button>
      </div>
    </>
  );
}

const PASTE_KEYS = /mac/i.test(globalThis.navigator?.userAgent ?? "") ? "⌘V" : "Ctrl+V";
