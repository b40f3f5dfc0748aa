/** Results of other readers for the edited set: requested when typing pauses, given up when it goes on. */
import type { StoreApi } from "zustand/vanilla";
import { isAbort } from "../core/findings/finding.ts";
import type { ReadersSummary } from "../core/studio.ts";
import { ANSWER_CAP, type FromWarden, isFromSupervisor, isFromWarden, type Start } from "../sandbox/protocol.ts";
import type { CallOptions, Client } from "../worker/client.ts";
import type { AppState, EditState } from "./state.ts";

export type ReaderComparison = ReturnType<typeof readerComparison>;

/** Longest time that the JavaScript reader may take, in milliseconds. */
const LIMIT_MS = 10_000;
/** It begins when nothing was typed for so long. */
const REST_MS = 600;

export function readerComparison(engine: Client, store: StoreApi<AppState>) {
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
    start: (set: number) => {
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
  if (outcome.kind === "answer") return { bytes: outcome.bytes };
  if (outcome.kind === "unavailable") return { unavailable: outcome.reason };
  return { unavailable: `Stopped after ${Math.round(outcome.milliseconds / 1000)} s: a reader would hang.` };
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

// The JavaScript readers' view of a document: the real reference-spec-reader with the real nunjucks, locked up in a
// frame of opaque origin (`src/sandbox/`). The documents may hold any JavaScript; what comes back is not to be trusted.

type ReaderOutcome =
  /** UTF-8 JSON as `sandbox/answer.ts` writes it, or anything else that the document's code put in its place. */
  | { readonly kind: "answer"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "timeout"; readonly milliseconds: number }
  /** A full sentence. */
  | { readonly kind: "unavailable"; readonly reason: string };

interface ReaderOptions {
  /** Milliseconds that the reader may take, without the sandbox's start. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Milliseconds for the sandbox to load and start, and, once its document is loaded, to say a first word. */
const START_LIMIT = 20_000;
const FIRST_WORD_LIMIT = 5000;
/** The sandbox keeps the limit itself; so much later the page ends it, should the sandbox have died. */
const GRACE = 2000;

const NOT_STARTED =
  "The sandbox did not start: nunjucks.html is missing beside the page, or a Content-Security-Policy header of the " +
  "host forbids its script.";

const UNEXPECTED: ReaderOutcome = {
  kind: "unavailable",
  reason: `The sandbox's message is not of the expected form, or has more than ${ANSWER_CAP / 2 ** 20} MiB.`,
};

/**
 * Runs `parse(JSON.parse(document), nunjucks.renderString)` in a new sandbox, which is gone afterwards. Where `bytes`
 * fill their buffer, the buffer is transferred and is empty for the caller.
 * @throws the signal's reason, when it is aborted.
 */
export async function runJavaScriptReader(bytes: Uint8Array, options: ReaderOptions): Promise<ReaderOutcome> {
  options.signal.throwIfAborted();
  const frame = hiddenFrame();
  const channel = new MessageChannel();
  const over = new AbortController();
  try {
    return await answerOf(frame, channel, bytes, options, over.signal);
  } finally {
    over.abort();
    channel.port1.close();
    frame.remove();
  }
}

function hiddenFrame(): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("aria-hidden", "true");
  frame.referrerPolicy = "no-referrer";
  frame.tabIndex = -1;
  frame.hidden = true;
  frame.inert = true;
  frame.title = "Sandbox of the JavaScript reader";
  frame.src = new URL("nunjucks.html", document.baseURI).href;
  return frame;
}

/** Settles once; `over` ends all listening. */
function answerOf(
  frame: HTMLIFrameElement,
  channel: MessageChannel,
  bytes: Uint8Array,
  options: ReaderOptions,
  over: AbortSignal,
): Promise<ReaderOutcome> {
  const { limit, signal } = options;
  const { promise, resolve, reject } = deferred<ReaderOutcome>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heard = false;
  const wait = (milliseconds: number, outcome: ReaderOutcome) => {
    clearTimeout(timer);
    timer = setTimeout(resolve, milliseconds, outcome);
  };
  const listen = (target: EventTarget, type: string, listener: (event: MessageEvent<unknown>) => void) =>
    target.addEventListener(type, listener as (event: Event) => void, { signal: over });

  listen(window, "message", ({ source, data }) => {
    if (source === null || source !== frame.contentWindow || !isFromSupervisor(data)) return;
    if (data.kind === "unavailable") resolve(data);
    else if (!heard) hand(frame.contentWindow, channel.port2, bytes, limit);
    heard = true;
  });
  listen(frame, "load", () => {
    if (!heard) wait(FIRST_WORD_LIMIT, { kind: "unavailable", reason: NOT_STARTED });
  });
  listen(channel.port1, "message", ({ data }) => {
    const outcome = isFromWarden(data) ? outcomeOf(data) : UNEXPECTED;
    if (outcome === undefined) wait(limit + GRACE, { kind: "timeout", milliseconds: limit });
    else resolve(outcome);
  });
  listen(channel.port1, "messageerror", () => resolve(UNEXPECTED));
  listen(signal, "abort", () => reject(signal.reason));
  listen(over, "abort", () => clearTimeout(timer));
  channel.port1.start();
  wait(START_LIMIT, { kind: "unavailable", reason: NOT_STARTED });
  document.body.append(frame);
  return promise;
}

function hand(sandbox: Window, port: MessagePort, bytes: Uint8Array, limit: number): void {
  const document = bufferOf(bytes);
  const start: Start = { kind: "start", document, limit, port };
  // An opaque origin has no name to address it by; only our own document has said “ready” from this frame.
  sandbox.postMessage(start, "*", [document, port]);
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return whole ? buffer : bytes.slice().buffer;
}

function outcomeOf(message: FromWarden): ReaderOutcome | undefined {
  if (message.kind === "started") return undefined;
  return message.kind === "answer" ? { kind: "answer", bytes: new Uint8Array(message.bytes) } : message;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
