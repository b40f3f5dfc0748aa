/**
 * The side of a thread: reads chunks by zarrita, over its own stores. What these fetch is asked of the engine, so that
 * nothing is requested but by `io/`. Documents come without templates and gen, for which its parser would run code.
 */
import * as zarr from "zarrita";
import ReferenceStore from "@zarrita/storage/ref";
import { once } from "#core/basics.ts";
import {
  STORE_URL,
  type ForeignChunk,
  type ForeignData,
  type FromZarrita,
  type ToZarrita,
  type ZarritaChunk,
  type ZarritaRequest,
  type ZarritaResponse,
  type ZarritaSource,
  type ZarritaThread,
} from "./zarrita-messages.ts";

/** Longest text of an error. */
const MAX_ERROR = 300;

interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: Error) => void;
}

/** Gives what is to be called with every message. */
export function serveZarrita(post: (message: FromZarrita) => void): (message: ToZarrita) => void {
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let store = (): zarr.AsyncReadable => new Map();

  const ask = (request: Request): Promise<Response> =>
    new Promise((resolve, reject) => {
      requests += 1;
      waiting.set(requests, { resolve, reject });
      post({ kind: "request", request: requests, of: requestOf(request) });
    });

  return (message) => {
    if (message.kind === "open") {
      // An error on the whole document is thrown for each chunk.
      store = once(() => openStore(message.source, ask));
      return;
    }
    if (message.kind === "read") {
      void answer(message, store).then(post);
      return;
    }
    const one = waiting.get(message.request);
    waiting.delete(message.request);
    if (message.kind === "answer") one?.resolve(responseOf(message.response));
    else one?.reject(new TypeError(message.reason));
  };
}

type Ask = (request: Request) => Promise<Response>;

function openStore(source: ZarritaSource, ask: Ask): zarr.AsyncReadable {
  if (source.kind === "store") return new zarr.FetchStore(STORE_URL, { fetch: ask });
  return ReferenceStore.fromSpec(JSON.parse(source.text) as Record<string, unknown>, { fetch: ask });
}

async function answer(
  { id, ...chunk }: Extract<ToZarrita, { kind: "read" }>,
  store: () => zarr.AsyncReadable,
): Promise<FromZarrita> {
  try {
    return { kind: "chunk", id, chunk: await read(chunk, store()) };
  } catch (error) {
    return { kind: "error", id, error: String(error).slice(0, MAX_ERROR) };
  }
}

async function read(
  { array, zarrFormat, coordinates }: ZarritaChunk,
  store: zarr.AsyncReadable,
): Promise<ForeignChunk> {
  const location = zarr.root(store).resolve(`/${array}`);
  const open = zarrFormat === 2 ? zarr.open.v2 : zarr.open.v3;
  const opened = await open(location, { kind: "array" });
  const { data, shape, stride } = await opened.getChunk([...coordinates]);
  return { data: plain(data), shape, stride };
}

const isNumbers = (data: unknown): data is ForeignData & ArrayBufferView =>
  ArrayBuffer.isView(data) && !(data instanceof DataView);

/** Its own classes for booleans and texts would not survive the way between threads. */
function plain(data: unknown): ForeignData {
  if (isNumbers(data)) return data;
  const elements = [...(data as Iterable<unknown>)];
  if (typeof elements[0] === "boolean") return Uint8Array.from(elements, Number);
  return elements.map(elementText);
}

function elementText(element: unknown): string | null {
  if (typeof element === "string") return element;
  return element === undefined ? null : (JSON.stringify(element) ?? null);
}

function requestOf(request: Request): ZarritaRequest {
  const range = request.headers.get("Range");
  return { url: request.url, method: request.method, ...(range === null ? {} : { range }) };
}

function responseOf({ status, bytes, length }: ZarritaResponse): Response {
  const headers = length === undefined ? {} : { "Content-Length": String(length) };
  return new Response(bytes ?? null, { status, headers });
}

/** Runs zarrita in this thread, if no other can be started. It cannot be ended while zarrita computes. */
export function zarritaHere(): ZarritaThread {
  let heard: (message: FromZarrita) => void = () => undefined;
  const serve = once(() => serveZarrita((message) => queueMicrotask(() => heard(message))));
  return {
    post: (message) => serve()(message),
    listen: (listener) => {
      heard = listener;
    },
    end: () => {
      heard = () => undefined;
    },
  };
}
