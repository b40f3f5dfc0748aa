import { useEffect, useRef, useState } from "react";
import type { App } from "../../store/app-store.ts";
import { useApp } from "../../store/react.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { takeDropped } from "./local-files.ts";
import { openDropped, openText } from "./open-local.ts";
import { readAddress } from "./typed-address.ts";
import styles from "./WindowDrop.module.css";

/** Files, links and text dropped or pasted anywhere on the page, at any time. Draws only while something is dragged. */
export function WindowDrop() {
  const app = useApp();
  const [dragging, setDragging] = useState(false);
  const [notice, setNotice] = useState<string>();
  useDrops(app, setDragging, setNotice);
  usePastes(app, setNotice);
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => {
      setNotice(undefined);
    }, 8000);
    return () => {
      clearTimeout(timer);
    };
  }, [notice]);
  return (
    <>
      {dragging ? (
        <div className={styles.overlay}>
          <p className={styles.invitation}>
            Drop to open
            <span>
              A reference file with the files it points at, a Parquet folder, a Zarr store, a ZIP. Nothing is uploaded.
            </span>
          </p>
        </div>
      ) : null}
      <p className={styles.notice} aria-live="polite">
        {notice}
      </p>
    </>
  );
}

type Say = (notice: string | undefined) => void;

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
        if (event.dataTransfer !== null) void openTransfer(app, event.dataTransfer, say);
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
          if (clipboardData === null || isField(event.target)) return;
          event.preventDefault();
          void openTransfer(app, clipboardData, say);
        },
      }),
    [app, say],
  );
}

/** Opens what was dropped or pasted: files first, else a link or a document as text. */
async function openTransfer(app: App, data: DataTransfer, say: Say): Promise<void> {
  const dropped = takeDropped(data);
  const text = data.getData("text/uri-list") || data.getData("text/plain");
  if (dropped.entries.length + dropped.files.length > 0) {
    const [outcome, count] = await openDropped(app, dropped);
    const { set } = app.store.getState();
    if (outcome === "added")
      say(`${countOf(count, "file")} added: targets of ${set?.name ?? "the set"} with these names are read from them.`);
    return;
  }
  const typed = readAddress(text, document.baseURI);
  if (typed.kind === "json") await openText(app, typed.text);
  else if (typed.kind === "url" && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text.trim()))
    await app.actions.open({ kind: "url", url: typed.url });
  else say("What was pasted is neither a URL nor JSON: nothing was opened.");
}

function isWelcome(event: DragEvent): boolean {
  const types = event.dataTransfer?.types ?? [];
  return types.includes("Files") || (types.includes("text/uri-list") && !isField(event.target));
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

type Listeners = { readonly [K in keyof WindowEventMap]?: (event: WindowEventMap[K]) => void };

/** Listens on the window; returns what stops it. */
function listen(listeners: Listeners): () => void {
  const controller = new AbortController();
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, listener as EventListener, { signal: controller.signal });
  return () => {
    controller.abort();
  };
}
