/**
 * A Zarr store, or a folder of anything: objects by key, in a folder, in a zip archive or below a URL. Over HTTP not all
 * keys are listed, at most those of a folder; only asking shows what exists.
 */
import type { CallContext, RequestReport } from "../core/byte-source.ts";
import { factsOfFailure, failure, RefscopeError, targetAt } from "../core/findings/finding.ts";
import { webPageIn } from "../core/check/web-page.ts";
import { hostLimit } from "./http/host-limit.ts";
import { ABSENT_NAME } from "./http/host-answers.ts";
import { statusOf, webPageError } from "./http/http-failure.ts";
import { checkUrl, headRequester, type HttpOptions, httpSource } from "./http/http.ts";
import type { ListFolder } from "./http/list-folder.ts";
import type { LocalFiles } from "./local-files.ts";
import type { BaseLocation } from "./resolve.ts";
import { sharedTasks } from "./shared-task.ts";
import { negativeAnswer, type StoreAnswer } from "./store-answer.ts";
import { encodedPart } from "./url-path.ts";

export type { StoreAnswer } from "./store-answer.ts";

export type StoreRead =
  | { readonly kind: "present"; readonly bytes: Uint8Array<ArrayBuffer>; readonly request: RequestReport }
  | Exclude<StoreAnswer, { kind: "present" }>;

export interface Store {
  /** For messages; without a URL's query, which may be a signature. */
  readonly name: string;
  /** Every key, where the store can be listed; in the order of the listing. */
  readonly keys: readonly string[] | undefined;
  /** Lists the direct contents of a folder (`""` or `a/b/`), if there are no `keys`. */
  readonly list?: ListFolder;
  /** `undefined` where only asking shows it, and there was no recent request. */
  has(key: string): boolean | undefined;
  /** Size in bytes; `undefined` if the store lacks the object, or if only a request shows it. */
  sizeOf(key: string): number | undefined;
  /** @throws RefscopeError where it cannot be known: `http-status`, `host-unreachable`, `store-key-invalid` … */
  stat(key: string, context: CallContext): Promise<StoreAnswer>;
  /** The whole object, never a chunk. Throws as `stat`, what reading it throws, and `web-page` for HTML in its place. */
  get(key: string, context: CallContext): Promise<StoreRead>;
  /** A target written as a key, resolved from here (`resolveTarget`), is that object. */
  readonly base: BaseLocation;
}

/** Files given or below a directory, or in a zip archive; `prefix` is the folder in them, "" for all. */
export function filesStore(files: LocalFiles, prefix: string): Store {
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const sourceOf = (key: string) => files.source(folder + key);
  let keys: readonly string[] | undefined;
  return {
    name: folder.slice(0, -1),
    get keys() {
      keys ??= files.list.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
      return keys;
    },
    has: (key) => sourceOf(key) !== undefined,
    sizeOf: (key) => sourceOf(key)?.size,
    async stat(key) {
      const source = sourceOf(key);
      if (source === undefined) return { kind: "absent" };
      return source.size === undefined ? { kind: "present" } : { kind: "present", size: source.size };
    },
    async get(key, context) {
      const read = await sourceOf(key)?.read(undefined, context);
      return read === undefined ? { kind: "absent" } : { kind: "present", bytes: read.bytes, request: read.request };
    },
    base: { kind: "file", path: folder, exact: true },
  };
}

export interface HttpStoreOptions extends HttpOptions {
  /** Milliseconds for which an answer is remembered. */
  readonly memory?: number;
  readonly now?: () => number;
}

/**
 * `prefix` is the URL of the folder; its query goes with every request (signed URLs). Like every address that the user
 * gives, it may be a private one: keys never lead out of it.
 *
 * @throws RefscopeError `url-invalid`.
 */
export function httpStore(prefix: string, options: HttpStoreOptions = {}): Store {
  const place = storePlace(prefix, options);
  const http: HttpOptions = { ...options, limit: options.limit ?? hostLimit() };
  const askHead = headRequester(http);
  // This decides whether the server lets other answers be read.
  let isHeard = false;
  const unlessHeard = (error: unknown): { readonly kind: "absent"; readonly unreadable: true } => {
    const facts = factsOfFailure(error, "cors-missing");
    if (!isHeard || facts === undefined || facts.withCredentials || facts.redirects === true) throw error;
    return { kind: "absent", unreadable: true };
  };
  const answers = rememberedAnswers(options.memory ?? 60_000, options.now ?? (() => performance.now()));
  const asking = sharedTasks<string, StoreAnswer>();
  let lister: ListFolder | undefined;
  const settled = deniedAsAbsent((context) => askHead(urlOf(place, ABSENT_NAME), context));
  return {
    name: place.folder,
    keys: undefined,
    async list(folder, start, context) {
      lister ??= (await import("./http/list-folder.ts")).folderLister(http);
      return lister(folder === "" ? place.folder + place.query : urlOf(place, folder), start, context);
    },
    has: (key) => hasByAnswer(answers.of(key)),
    sizeOf: (key) => sizeByAnswer(answers.of(key)),
    async stat(key, context) {
      const url = urlOf(place, key);
      const ask = async (): Promise<StoreAnswer> => {
        const asked = await askHead(url, context).catch(unlessHeard);
        const { answer, isSure } = await settled(key, asked, context);
        isHeard ||= answer.kind === "present";
        if (isSure) answers.keep(key, answer);
        return answer;
      };
      return answers.of(key) ?? asking(key, context, ask);
    },
    async get(key, context) {
      const url = urlOf(place, key);
      const known = answers.of(key);
      // A HEAD may be denied where a GET is not.
      if (known?.kind === "absent") return known;
      const read = await getObject(url, key, http, answers, context).catch(unlessHeard);
      isHeard ||= read.kind === "present";
      return read;
    },
    base: { kind: "url", url: place.folder, exact: true, ...(place.query === "" ? {} : { query: place.query }) },
  };
}

const METADATA = /(?:^|\/)(?:zarr\.json|\.z[a-z]+)$/;

/**
 * Stores that may not be listed (S3) also deny what they do not have. Asked once for a name that cannot exist, such a
 * store says the same: then a chunk that it denies is missing, if it gives others; of a store that gives none, it is not
 * known.
 */
function deniedAsAbsent(askAbsent: (context: CallContext) => Promise<StoreAnswer>) {
  let unknown: Promise<StoreAnswer | undefined> | undefined;
  let givesChunks = false;
  return async (key: string, answer: StoreAnswer, context: CallContext) => {
    if (answer.kind === "present" && !METADATA.test(key)) givesChunks = true;
    if (answer.kind !== "denied" || METADATA.test(key)) return { answer, isSure: true };
    unknown ??= askAbsent(context).catch((error: unknown) => {
      unknown = undefined;
      context.signal.throwIfAborted();
      if (!(error instanceof RefscopeError)) throw error;
      return undefined;
    });
    const other = await unknown;
    if (other?.kind !== "denied" || other.status !== answer.status) return { answer, isSure: true };
    const { status } = answer;
    return givesChunks ? { answer: { kind: "absent", status } as const, isSure: true } : { answer, isSure: false };
  };
}

async function getObject(
  url: string,
  key: string,
  http: HttpOptions,
  answers: Answers,
  context: CallContext,
): Promise<StoreRead> {
  try {
    const { bytes, request } = await httpSource(url, http).read(undefined, context);
    const page = webPageIn(bytes);
    if (page !== undefined) throw webPageError(url, page);
    return { kind: "present", bytes, request };
  } catch (error) {
    const negative = negativeAnswer(statusOf(error), factsOfFailure(error, "http-status"));
    if (negative === undefined) throw error;
    answers.keep(key, negative);
    return negative;
  }
}

/** The server sends a page for whatever it does not have, or to ask for a sign-in. */
export const isWebPage = (error: unknown): error is RefscopeError => factsOfFailure(error, "web-page") !== undefined;

/** Denied may mean either. */
function hasByAnswer(answer: StoreAnswer | undefined): boolean | undefined {
  return answer === undefined || answer.kind === "denied" ? undefined : answer.kind === "present";
}

function sizeByAnswer(answer: StoreAnswer | undefined): number | undefined {
  return answer?.kind === "present" ? answer.size : undefined;
}

interface Place {
  /** With `/` at its end, without query. */
  readonly folder: string;
  readonly query: string;
}

function storePlace(prefix: string, { relays }: HttpStoreOptions): Place {
  checkUrl(prefix, relays);
  const { protocol, host, pathname, search } = new URL(prefix);
  return { folder: `${protocol}//${host}${pathname.endsWith("/") ? pathname : `${pathname}/`}`, query: search };
}

function urlOf(place: Place, key: string): string {
  const parts = key.split("/");
  if (key === "" || parts.some((part) => part === "." || part === "..")) throw keyInvalid(place, key);
  return `${place.folder}${parts.map((part) => encoded(place, key, part)).join("/")}${place.query}`;
}

function encoded(place: Place, key: string, part: string): string {
  const text = encodedPart(part);
  if (text === undefined) throw keyInvalid(place, key);
  return text;
}

const keyInvalid = ({ folder }: Place, key: string) => failure("store-key-invalid", targetAt(folder), { key });

// Remembers for a while what a server said about keys, so that it is not asked twice.

type Answers = ReturnType<typeof rememberedAnswers>;

const MAX_KEPT = 100_000;

/** `time` and what `now` gives are in milliseconds. */
function rememberedAnswers(time: number, now: () => number) {
  const kept = new Map<string, { readonly answer: StoreAnswer; readonly until: number }>();
  return {
    of(key: string): StoreAnswer | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (now() < found.until) return found.answer;
      kept.delete(key);
      return undefined;
    },
    keep(key: string, answer: StoreAnswer): void {
      kept.delete(key);
      kept.set(key, { answer, until: now() + time });
      const oldest = kept.keys().next().value;
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}
