/** Stands for the engine worker: its pool starts workers of its own. */
import { workerPool } from "../src/worker/threads.ts";
import type { DecodeCase } from "./decode-cases.ts";
import { chunkRunner, type ChunkRunner, type PoolRun } from "./decode-many.ts";

type Question = { readonly kind: "case"; readonly one: DecodeCase } | { readonly kind: "run"; readonly run: PoolRun };

let runner: ChunkRunner | undefined;

async function answer(question: Question): Promise<number> {
  if (question.kind === "run") return (await runner?.run(question.run)) ?? NaN;
  runner = chunkRunner(question.one, (threads) => workerPool(threads, 0));
  return 0;
}

addEventListener("message", (event: MessageEvent<Question>) => {
  answer(event.data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
