/** Rights and ways of the server that serves a page on this computer to fetch for it (`cli/serve/`, `session.json`). */
import type { Relays, Resolution } from "./byte-source.ts";
import type { ReferencePages } from "./table/reference-pages.ts";

export interface Relay {
  /** Addresses that begin with it; it ends with `/`, or is a whole address. */
  readonly prefix: string;
  /** Below the page's own address: the rest of the address follows. */
  readonly at: string;
}

/** `session.json`, beside the page. */
export interface Session {
  readonly version: 1;
  /** The dataset's own address. */
  readonly open: string | null;
  readonly name: string;
  readonly relays: readonly Relay[];
  /** Below the page's own address: `?array=PATH&chunk=0.0.1` adds where that chunk's bytes are. */
  readonly learn: string;
}

/** Parts of the session that the engine needs, with the page's own address. */
export interface OwnServer extends Pick<Session, "open" | "relays" | "learn"> {
  readonly base: string;
}

/** Also tells the server of what was not known. */
export interface OwnRelays extends Relays {
  /** Pages of references of the set at `url`: with what their targets need, each is here. */
  readonly watched?: (pages: ReferencePages, of: PagesPlace) => ReferencePages;
}

export interface PagesPlace {
  readonly url: string | undefined;
  readonly path: string;
  /** Chunks of the array along each dimension. */
  readonly grid: readonly number[];
  readonly resolve: (target: string | null) => Resolution;
}
