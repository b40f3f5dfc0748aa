/** What other readers make of the edited set: asked when typing pauses, given up when it goes on. */
import type { StoreApi } from "zustand/vanilla";
import { isAbort } from "../core/errors.ts";
import type { ReadersSummary } from "../core/studio.ts";
import type { CallOptions, Client } from "../worker/client.ts";
import type { EditState } from "./edit-state.ts";
import { runJavaScriptReader, type ReaderOutcome } from "./sandbox-frame.ts";
import type { AppState } from "./state.ts";

export interface ReaderComparison {
  start(set: number): void;
  stop(): void;
}

/** Longest time that the JavaScript reader may take, in milliseconds. */
const LIMIT_MS = 10_000;
/** It begins when nothing was typed for so long. */
const REST_MS = 600;

export function readerComparison(engine: Client, store: StoreApi<AppState>): ReaderComparison {
  let controller = new AbortController();
  const change = (set: number, part: Partial<EditState>) => {
    const { edit, set: shown, revision } = store.getState();
    // Rows are asked for again when more is known of them.
    if (edit !== undefined && shown?.id === set)
      store.setState({ edit: { ...edit, ...part }, ...(part.readers === undefined ? {} : { revision: revision + 1 }) });
  };
  const compare = async (set: number, signal: AbortSignal) => {
    change(set, { readers: await engine.call("edit.readers", { set }, { signal }), comparing: true });
    await rest(signal);
    change(set, { readers: await askJavaScriptReader(engine, set, { signal }), comparing: false });
  };
  return {
    start(set) {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      compare(set, signal).catch((error: unknown) => {
        // The true result does not depend on the comparison: where it fails, nothing else stops.
        if (!isAbort(error) && !signal.aborted) change(set, { comparing: false });
      });
    },
    stop: () => controller.abort(),
  };
}

/** The document, as it is shown, rendered by the real reader in its sandbox and compared with the true result. */
export async function askJavaScriptReader(
  engine: Client,
  set: number,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<ReadersSummary> {
  const document = await engine.call("edit.javascriptDocument", { set }, options);
  const answer =
    "unavailable" in document
      ? document
      : said(await runJavaScriptReader(document.bytes, { limit: LIMIT_MS, signal: options.signal }));
  return engine.call("edit.javascriptAnswer", { set, answer }, options);
}

function said(outcome: ReaderOutcome): { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly unavailable: string } {
  switch (outcome.kind) {
    case "answer":
      return { bytes: outcome.bytes };
    case "timeout":
      return { unavailable: `It was stopped after ${Math.round(outcome.milliseconds / 1000)} s: a reader would hang.` };
    case "unavailable":
      return { unavailable: outcome.reason };
  }
}

function rest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, REST_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
