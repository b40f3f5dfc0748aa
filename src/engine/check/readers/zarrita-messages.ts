/** Messages between the engine and a thread that runs zarrita. Plain data: the thread may be a worker. */

/** Source that zarrita is to open. */
export type ZarritaSource =
  /** A source for its ReferenceStore: JSON text of a document that has neither templates nor gen. */
  | { readonly kind: "references"; readonly text: string }
  /** A source for its FetchStore: objects below `STORE_URL`. */
  | { readonly kind: "store" };

export interface ZarritaChunk {
  /** Path of the array. */
  readonly array: string;
  readonly zarrFormat: 2 | 3;
  readonly coordinates: readonly number[];
}

/** The answer to a request of zarrita's; `length` is that of a HEAD's target. */
export interface ZarritaResponse {
  readonly status: number;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly length?: number;
}

export type ToZarrita =
  /** Source from which chunks are read until another comes. */
  | { readonly kind: "open"; readonly source: ZarritaSource }
  | ({ readonly kind: "read"; readonly id: number } & ZarritaChunk)
  | { readonly kind: "answer"; readonly request: number; readonly response: ZarritaResponse }
  /** No answer came: what `fetch` throws. */
  | { readonly kind: "no-answer"; readonly request: number; readonly reason: string };

/** `range` is the header as zarrita writes it. */
export interface ZarritaRequest {
  readonly url: string;
  readonly method: string;
  readonly range?: string;
}

/** Chunk as zarrita gives it: elements at `stride`, which counts elements. */
export interface ForeignChunk {
  readonly data: ForeignData;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}

export type ForeignData = ArrayLike<number> | ArrayLike<bigint> | ArrayLike<string | null>;

export type FromZarrita =
  | { readonly kind: "request"; readonly request: number; readonly of: ZarritaRequest }
  | { readonly kind: "chunk"; readonly id: number; readonly chunk: ForeignChunk }
  | { readonly kind: "error"; readonly id: number; readonly error: string };

/** A thread that runs `serveZarrita`, as its host has it. */
export interface ZarritaThread {
  post(message: ToZarrita): void;
  /** To be called before anything else. `ended`: the thread could not start, or died. */
  listen(heard: (message: FromZarrita) => void, ended: () => void): void;
  end(): void;
}

/** Address that zarrita believes a store's objects to have. Nothing is requested from it. */
export const STORE_URL = "https://store.invalid/";
/** Address that it believes targets to have: followed by the target's number. */
export const TARGET_URL = "https://target.invalid/";
