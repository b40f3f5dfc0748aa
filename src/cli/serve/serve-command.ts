/** `serve`: a dataset as a plain Zarr store on this computer, for programs that read nothing else. */
import type { ServerResponse } from "node:http";
import type { CallContext } from "#core/byte-source.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { nodePool } from "../decode-threads.ts";
import { printable } from "../print/lines.ts";
import { openSet } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { closedRange } from "./files.ts";
import { type Asked, end, type Loopback, serveLoopback } from "./loopback.ts";
import { sayFindings, sentenceOf } from "../print/say-findings.ts";
import { plainStore } from "./plain-store.ts";
import { addTargets } from "./relays.ts";
import { untilStopped } from "./until-stopped.ts";
import type { Way } from "./upstream.ts";
import { wayOf } from "./way.ts";

export const serveCommand = ([refs = ""]: readonly string[], options: CommandOptions): Promise<number> =>
  untilStopped(async (context) => {
    const server = await serveStore(refs, options, context);
    console.log(server.base);
    console.error(`Serving ${printable(refs)} as a Zarr v2 store. In Python: xarray.open_zarr("${server.base}")`);
    console.error("Only who knows the address can read it. Press Ctrl+C to stop.");
    return server;
  });

/** Objects that were asked for last: readers ask for a chunk's size, and then for its bytes. */
const KEPT = 32;

export async function serveStore(
  refs: string,
  options: CommandOptions,
  context: CallContext,
  lookup?: Way["lookup"],
): Promise<Loopback & { readonly status: number }> {
  const own = await wayOf(refs, options, lookup);
  const set = await openSet(refs, options, context, own);
  const decoder = nodePool(options.threads);
  let known = addTargets(own.book.add, set, 0);
  own.settle();
  const store = plainStore(set, decoder, () => {
    // Who is logged in to: the dataset's own hosts.
    known = addTargets(own.book.add, set, known);
  });
  const leftOut = await store.leftOut(context);
  await sayFindings(leftOut);
  const kept = new Map<string, ReturnType<typeof store.get>>();
  const objectOf = (key: string): ReturnType<typeof store.get> => {
    const found = kept.get(key) ?? store.get(key, context);
    kept.delete(key);
    kept.set(key, found);
    found.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return found;
  };
  const server = await serveLoopback({ port: options.port, cors: options.cors === true }, (asked, response) =>
    answer(asked, response, objectOf),
  );
  void server.closed.then(() => decoder.close());
  return { ...server, status: leftOut.length === 0 ? 0 : 1 };
}

async function answer(
  { path, method, range }: Asked,
  response: ServerResponse,
  objectOf: (key: string) => Promise<Uint8Array | undefined>,
): Promise<void> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await objectOf(decodeURIComponent(path));
  } catch (error) {
    // A status that no reader takes for a missing chunk.
    return end(response, 500, error instanceof RefscopeError ? await sentenceOf(error.finding) : "");
  }
  if (bytes === undefined) return end(response, 404);
  const asked = closedRange(range);
  const part = asked === undefined || asked === "other" ? undefined : bytes.subarray(asked.first, asked.last + 1);
  const { length } = part ?? bytes;
  if (asked !== undefined && asked !== "other") {
    const said = length === 0 ? "*" : `${asked.first}-${asked.first + length - 1}`;
    response.setHeader("content-range", `bytes ${said}/${bytes.length}`);
    if (length === 0) return end(response, 416);
  }
  const type = /(?:^|\/)\.z[a-z]+$/.test(path) ? "application/json" : "application/octet-stream";
  const headers = { "content-type": type, "content-length": length, "accept-ranges": "bytes" };
  response.writeHead(part === undefined ? 200 : 206, headers).end(method === "HEAD" ? undefined : (part ?? bytes));
}
