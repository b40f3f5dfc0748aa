/** A thread's side of a pool: decodes what it is sent, one chunk after another. */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { findingOfError, type Finding } from "#core/findings/finding.ts";
import { decodeAndReport, decodeChunk, type ReportAbout, type ReportedChunk } from "../chunk/decode-chunk.ts";

/** Says that it is ready; gives what is to be called with every message. */
export function serveDecoding(
  post: (message: FromThread, transfer: ArrayBuffer[]) => void,
): (message: ToThread) => void {
  const { signal } = new AbortController();
  let metadata: ChunkMetadata | undefined;
  let last: Promise<void> = Promise.resolve();

  async function answer(id: number, of: ChunkMetadata, stored: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      const { bytes, remarks, error } = await decodeChunk(of, stored, signal);
      const whole = bytes === undefined ? undefined : alone(bytes);
      const said = { ...(remarks && { remarks }), ...(error && { error }) };
      post({ kind: "decoded", id, ...(whole && { bytes: whole }), ...said }, whole === undefined ? [] : [whole.buffer]);
    } catch (failure) {
      post({ kind: "decoded", id, error: findingOfError(failure, "Decoding in a thread of its own") }, []);
    }
  }

  async function report({ id, stored }: ToThread, of: ChunkMetadata, about: ReportAbout): Promise<void> {
    const { values: _, ...reported } = await decodeAndReport(of, stored, about, signal);
    const all = [reported.bytes, ...reported.stageBytes].flatMap((bytes) => bytes?.buffer ?? []);
    post({ kind: "reported", id, reported }, [...new Set(all)]);
  }

  post({ kind: "ready" }, []);
  return (message) => {
    metadata = message.metadata ?? metadata;
    const of = metadata;
    if (of === undefined) return;
    const { id, stored, about } = message;
    last = last.then(() => (about === undefined ? answer(id, of, stored) : report(message, of, about)));
  };
}

/** Copies bytes into a buffer that holds nothing else: buffers are transferred whole. */
function alone(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Messages between a pool and its threads. */
export interface ToThread {
  readonly id: number;
  /** Absent: that of the message before. */
  readonly metadata?: ChunkMetadata;
  /** The thread's own from here on. */
  readonly stored: Uint8Array<ArrayBuffer>;
  /** Facts for a report, if all of the chunk's stages are wanted. */
  readonly about?: ReportAbout;
}

/** Values lie in the bytes. */
export type FromReport = Omit<ReportedChunk, "values">;

export type FromThread =
  | { readonly kind: "ready" }
  | {
      readonly kind: "decoded";
      readonly id: number;
      readonly bytes?: Uint8Array<ArrayBuffer>;
      readonly remarks?: readonly Finding[];
      readonly error?: Finding;
    }
  | { readonly kind: "reported"; readonly id: number; readonly reported: FromReport };
