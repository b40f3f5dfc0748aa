/** Entry of the engine worker. */
import { createEngine } from "../engine/engine.ts";
import { decoderLater } from "../engine/many/decoder-later.ts";
import { serve } from "./host.ts";
import type { Channel } from "./protocol.ts";

const decoder = decoderLater(async () => (await import("./decode-workers.ts")).workerPool());
const openZarrita = async () => (await import("./zarrita-worker.ts")).zarritaWorker();

serve(globalThis as unknown as Channel, createEngine(undefined, decoder, openZarrita));
