import { byKind } from "#core/basics.ts";
import { useEffect, useRef, useState } from "react";
import type { App } from "#store/app-store.ts";
import { useApp, useAppState } from "#store/react.tsx";
import type { AppState } from "#store/state.ts";
import { ownerFileIn } from "#store/take-owner-file.ts";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { useDelayed } from "#widgets/hooks.ts";
import { Button } from "#widgets/controls/Button.tsx";
import styles from "./WindowDrop.module.css";
import { type Dropped, takeDropped } from "./local-files.ts";
import { type LocalOutcome, openDropped, openText } from "./open-local.ts";
import { readAddress } from "./typed-address.ts";

/** Files, links and text dropped or pasted anywhere on the page, at any time. Draws only while something is dragged. */
export function WindowDrop() {
  const app = useApp();
  const [dragging, setDragging] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  useDrops(app, setDragging, setNotice);
  usePastes(app, setNotice);
  const compares = useAppState(({ set, view }) => set !== undefined && view === "compare");
  const opened = useAppState((state) => state.opened);
  const [noticed, setNoticed] = useState(opened);
  if (noticed !== opened) {
    setNoticed(opened);
    if (notice?.pasted !== undefined) setNotice(undefined); // The question was about the set before.
  }
  // A question stays until it is answered.
  const passes = notice !== undefined && notice.pasted === undefined;
  useDelayed(notice, passes ? 8000 : undefined, () => setNotice(undefined));
  return (
    <>
      {dragging ? (
        <div className={styles.overlay}>
          <p className={styles.invitation}>
            {compares ? "Drop to compare" : "Drop to open"}
            <span>
              A reference file with its source files, a Parquet folder, a Zarr store or a ZIP. Nothing is uploaded.
            </span>
          </p>
        </div>
      ) : null}
      <div className={styles.notice} aria-live="polite">
        {notice === undefined ? null : <NoticeText notice={notice} say={setNotice} />}
      </div>
    </>
  );
}

interface Notice {
  readonly text: string;
  /** Opened when the user says so. */
  readonly pasted?: Transferred;
}

type Say = (notice: Notice | undefined) => void;

function NoticeText({ notice: { text, pasted }, say }: { readonly notice: Notice; readonly say: Say }) {
  const app = useApp();
  if (pasted === undefined) return text;
  const answer = (open: boolean) => {
    say(undefined);
    if (open) void openTransferred(app, pasted, say);
  };
  return (
    <div className={`wrap gap-8 ${styles.question}`}>
      <span>{text}</span>
      <Button data-kind="primary" onClick={() => answer(true)}>
        Open it
      </Button>
      <Button onClick={() => answer(false)}>Go back</Button>
    </div>
  );
}

function useDrops(app: App, setDragging: (dragging: boolean) => void, say: Say): void {
  const depth = useRef(0);
  useEffect(() => {
    const count = (change: number) => {
      depth.current = Math.max(0, depth.current + change);
      setDragging(depth.current > 0);
    };
    const listeners = {
      dragenter: (event: DragEvent) => {
        if (isWelcome(event)) count(1);
      },
      dragleave: (event: DragEvent) => {
        if (isWelcome(event)) count(-1);
      },
      dragover: (event: DragEvent) => {
        if (isWelcome(event)) event.preventDefault();
      },
      drop: (event: DragEvent) => {
        if (!isWelcome(event)) return;
        event.preventDefault();
        count(-Infinity);
        const { dataTransfer } = event;
        if (dataTransfer !== null) void openTransferred(app, transferredIn(dataTransfer, document.baseURI), say);
      },
    };
    return listen(listeners);
  }, [app, setDragging, say]);
}

function usePastes(app: App, say: Say): void {
  useEffect(
    () =>
      listen({
        paste: (event: ClipboardEvent) => {
          const { clipboardData } = event;
          if (clipboardData === null) return;
          const pasted = transferredIn(clipboardData, document.baseURI);
          if (isField(event.target) && (!isEmptyAddress(event.target) || pasted.kind === "neither")) return;
          takePaste(app, event, pasted, say);
        },
      }),
    [app, say],
  );
}

function takePaste(app: App, event: ClipboardEvent, pasted: Transferred, say: Say): void {
  const state = app.store.getState();
  const rule = pasteRule(state);
  if (rule === "never") {
    say({ text: "Nothing was pasted. In Edit, paste into the document’s editor." });
    return;
  }
  event.preventDefault();
  if (rule === "open" || pasted.kind === "neither") void openTransferred(app, pasted, say);
  else void askOrTake(app, pasted, say);
}

/** An owner's file closes nothing that is open: it is taken at once, as when dropped. */
async function askOrTake(app: App, pasted: Transferred, say: Say): Promise<void> {
  const { set, opened } = app.store.getState();
  const blob = set === undefined ? undefined : pastedBlob(pasted);
  const isOwners = blob !== undefined && (await ownerFileIn(blob).catch(() => undefined)) !== undefined;
  if (app.store.getState().opened !== opened) return;
  if (isOwners) await openTransferred(app, pasted, say);
  else say({ text: `Pasted: ${transferredWords(pasted)}. ${whatStays(set?.name)}`, pasted });
}

const whatStays = (name: string | undefined): string =>
  name === undefined ? "Another dataset is being opened." : `${name} is open.`;

async function openTransferred(app: App, what: Transferred, say: Say): Promise<void> {
  if (what.kind === "files") {
    const [outcome, count] = await openDropped(app, what.dropped);
    return sayOutcome(app, outcome, count, say);
  }
  if (what.kind === "json") return sayOutcome(app, await openText(app, what.text), 1, say);
  if (what.kind === "url") return app.actions.open({ kind: "url", url: what.url });
  say({ text: "The pasted text is neither a URL nor JSON." });
}

function sayOutcome(app: App, outcome: LocalOutcome, files: number, say: Say): void {
  const name = app.store.getState().set?.name ?? "the set";
  if (outcome === "added")
    say({ text: `${countOf(files, "file")} added. Sources of ${name} with these names are read from them.` });
  if (outcome === "expectation") say({ text: `Loaded as expectations for ${name}.` });
  if (outcome === "acceptance") say({ text: `Loaded as accepted problems of ${name}.` });
}

function isWelcome(event: DragEvent): boolean {
  const types = event.dataTransfer?.types ?? [];
  return types.includes("Files") || (types.includes("text/uri-list") && !isField(event.target));
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

/** The start page's field has the focus from the beginning: pasting there opens as pasting anywhere does. */
const isEmptyAddress = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.dataset["paste"] === "open" && target.value === "";

type Listeners = { readonly [K in keyof WindowEventMap]?: (event: WindowEventMap[K]) => void };

/** Listens on the window; returns what stops it. */
function listen(listeners: Listeners): () => void {
  const controller = new AbortController();
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, listener as EventListener, { signal: controller.signal });
  return () => controller.abort();
}

// Handles text and files that are pasted or dropped anywhere on the page, and tells if a paste opens them.

type Transferred =
  | { readonly kind: "files"; readonly dropped: Dropped }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "neither" };

/** Files first, else a link or a document as text. Call in the event's handler: later the files are gone. */
export function transferredIn(data: Pick<DataTransfer, "items" | "files" | "getData">, base: string): Transferred {
  const dropped = takeDropped(data);
  if (dropped.length > 0) return { kind: "files", dropped };
  const text = data.getData("text/uri-list") || data.getData("text/plain");
  const typed = readAddress(text, base);
  if (typed.kind === "json") return typed;
  const isUrl = typed.kind === "url" && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text.trim());
  return isUrl ? { kind: "url", url: typed.url } : { kind: "neither" };
}

export function transferredWords(what: Transferred): string {
  return byKind(what, {
    files: ({ dropped }) => countOf(dropped.length, "file"),
    json: ({ text }) => `a JSON document of ${formatBytes(new TextEncoder().encode(text).length)}`,
    url: ({ url }) => `the address ${url.length > 100 ? `${url.slice(0, 100)}…` : url}`,
    neither: "neither a URL nor JSON",
  });
}

/** Blob that may be an owner's file for the open set: a text, or a single file. */
export function pastedBlob(what: Transferred): Blob | undefined {
  if (what.kind === "json") return new Blob([what.text]);
  const [file, ...others] = what.kind === "files" ? what.dropped : [];
  return file instanceof Blob && others.length === 0 ? file : undefined;
}

/**
 * A paste outside any field may be meant for one. Where nothing is open it opens; what is open, or being opened, is left
 * only when asked; in the studio a paste is meant for the editor.
 */
type PasteRule = "open" | "ask" | "never";

export function pasteRule({ set, view, tasks }: Pick<AppState, "set" | "view" | "tasks">): PasteRule {
  if (set === undefined) return tasks.length === 0 ? "open" : "ask";
  return view === "edit" && set.isDocument ? "never" : "ask";
}
