/**
 * Messages between the page and its sandbox. The page loads `nunjucks.html` in a frame of opaque origin; the frame's
 * supervisor starts the warden, a worker; the warden starts the reader, a worker of its own, and is the only one that
 * ever unpacks the reader's messages. The warden answers the page through a port of its own.
 */

/** The most that a reader may answer, in bytes. */
export const ANSWER_CAP = 256 * 2 ** 20;

/** Supervisor to page, through `window.postMessage`. */
export type FromSupervisor = { readonly kind: "ready" } | { readonly kind: "unavailable"; readonly reason: string };

/** Page to supervisor. `document` and `port` are transferred. */
export interface Start {
  readonly kind: "start";
  readonly document: ArrayBuffer;
  /** Milliseconds. */
  readonly limit: number;
  readonly port: MessagePort;
}

/** Supervisor to warden: the same, and the reader's program. */
export interface WardenStart extends Start {
  readonly reader: string;
}

/** Warden to page. `started` is sent when the reader has been given the document: its time runs from here. */
export type FromWarden =
  | { readonly kind: "started" }
  | { readonly kind: "answer"; readonly bytes: ArrayBuffer }
  | { readonly kind: "timeout"; readonly milliseconds: number }
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * Reader to warden: `READER_READY` or `READER_NO_EVAL` before it is given the document, then the answer's bytes or
 * `READER_TOO_LARGE`. After the document everything may be forged.
 */
export const READER_READY = "ready";
export const READER_NO_EVAL = "no-eval";
export const READER_TOO_LARGE = "too-large";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Bytes within the cap. A buffer that could still grow is not an answer. */
export const isAnswer = (value: unknown): value is ArrayBuffer =>
  value instanceof ArrayBuffer && !("resizable" in value && value.resizable === true) && value.byteLength <= ANSWER_CAP;

export const isStart = (value: unknown): value is Start =>
  isRecord(value) &&
  value.kind === "start" &&
  value.document instanceof ArrayBuffer &&
  typeof value.limit === "number" &&
  value.port instanceof MessagePort;

export const isFromSupervisor = (value: unknown): value is FromSupervisor =>
  isRecord(value) && (value.kind === "ready" || isUnavailable(value));

export const isFromWarden = (value: unknown): value is FromWarden =>
  isRecord(value) &&
  (value.kind === "started" ||
    (value.kind === "answer" && isAnswer(value.bytes)) ||
    (value.kind === "timeout" && typeof value.milliseconds === "number") ||
    isUnavailable(value));

const isUnavailable = (value: Readonly<Record<string, unknown>>) =>
  value.kind === "unavailable" && typeof value.reason === "string";
