/** The engine's place in the browser: fetches the references and times them. */
import { timeReferences } from "./icechunk-subjects.ts";

async function run({ index, rounds }: { readonly index: number; readonly rounds: number }) {
  const manifest = await (await fetch(`/manifest/${index}`)).arrayBuffer();
  const kerchunk = await (await fetch(`/kerchunk/${index}`)).text();
  return timeReferences(new Uint8Array(manifest), kerchunk, rounds);
}

addEventListener("message", (event: MessageEvent<{ index: number; rounds: number }>) => {
  run(event.data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
