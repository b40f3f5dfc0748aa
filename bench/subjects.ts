/** What is measured: ways to get from the bytes of a reference set to its references. The same in Node and a worker. */
import ReferenceStore from "@zarrita/storage/ref";
import type { CallContext } from "../src/core/byte-source.ts";
import { readKerchunkJson } from "../src/formats/kerchunk-json/index.ts";
import { decompressed } from "../src/io/decompress.ts";

export const SUBJECTS = ["read", "js", "wasm", "parse", "zarrita"] as const;
export type Subject = (typeof SUBJECTS)[number];

export interface Outcome {
  readonly milliseconds: number;
  /** References counted, to see that the work was done. */
  readonly references: number;
  /** Bytes of the table, where there is one. */
  readonly bytesAtRest?: number;
}

/** Keeps what was made, so that it counts as memory until the measurement is over. */
export const kept: unknown[] = [];

const context: CallContext = { signal: new AbortController().signal, report: () => undefined };

export async function measure(subject: Subject, document: Blob): Promise<Outcome> {
  const start = performance.now();
  const outcome = await run(subject, document);
  return { milliseconds: performance.now() - start, ...outcome };
}

async function run(subject: Subject, document: Blob): Promise<Omit<Outcome, "milliseconds">> {
  if (subject === "read") return { references: await readOnly(document) };
  if (subject === "js" || subject === "wasm") return await scan(subject, document);
  const set = JSON.parse(await document.text()) as { refs: Record<string, unknown> };
  if (subject === "parse") {
    kept.push(set);
    return { references: Object.keys(set.refs).length };
  }
  kept.push(ReferenceStore.fromSpec(set as never));
  return { references: 0 };
}

async function scan(scanner: "js" | "wasm", document: Blob): Promise<Omit<Outcome, "milliseconds">> {
  const { stream } = await decompressed({ body: document.stream(), size: document.size }, context);
  const read = await readKerchunkJson(stream.body, { sizeHint: document.size, context, scanner });
  if (read.kind !== "set") throw new Error(`not a set: ${JSON.stringify(read)}`);
  kept.push(read);
  return { references: read.document.keys, bytesAtRest: read.document.table.byteLength };
}

/** Merely reading: the floor. */
async function readOnly(document: Blob): Promise<number> {
  const reader = document.stream().getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(1 << 20);
  for (;;) {
    const { value, done } = await reader.read(new Uint8Array(buffer, 0, 1 << 20));
    if (done) return 0;
    ({ buffer } = value);
  }
}
