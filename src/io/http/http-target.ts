/** How a URL is requested, and what its server has shown so far. */
import type { Credential, Locations } from "#core/byte-source.ts";
import { type Pace, sleep } from "../abort.ts";
import type { HostLimit } from "./host-limit.ts";
import type { RequestLog } from "./request-log.ts";
import type { Versions } from "./target-version.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpOptions {
  readonly fetch?: Fetch;
  readonly credentials?: readonly Credential[];
  /** A public host may redirect to this machine or into a private network. */
  readonly allowPrivate?: boolean;
  /** Addresses that `fetch` takes whatever their scheme. */
  readonly relays?: Locations["relays"];
  /** `fetch` shows redirects (browsers do not), so that each is judged before it is followed. */
  readonly followsRedirects?: boolean;
  /** Milliseconds without a byte after which a request is given up. */
  readonly idleTimeout?: number;
  /** Least that is to arrive: a byte a second is no answer. */
  readonly pace?: Pace;
  /** Attempts on 429, 5xx and dropped connections, the first included. */
  readonly attempts?: number;
  /** Most bytes of one read. */
  readonly maximumBytes?: number;
  /** Maximum bytes wasted on a server that ignores ranges. */
  readonly sliceLimit?: number;
  /** Longest wait between attempts, in milliseconds, whatever the server asks for. */
  readonly longestWait?: number;
  readonly limit?: HostLimit;
  readonly log?: RequestLog;
  /** First answers of all targets of an open set. Absent: nothing is compared. */
  readonly versions?: Versions;
  /** Size of the target where it is already known. */
  readonly size?: number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** Options with nothing left open, and what has been learnt of this URL's server. */
export interface HttpTarget {
  readonly url: string;
  readonly fetch: Fetch;
  readonly credentials: readonly Credential[];
  readonly allowPrivate: boolean;
  readonly relays: Locations["relays"];
  readonly followsRedirects: boolean;
  readonly idleTimeout: number;
  readonly pace: Pace;
  readonly attempts: number;
  readonly maximumBytes: number;
  readonly sliceLimit: number;
  readonly longestWait: number;
  readonly limit: HostLimit | undefined;
  readonly log: RequestLog | undefined;
  readonly versions: Versions | undefined;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly learnt: {
    size: number | undefined;
    encodesRanges: boolean;
    /** It gave a range as it was asked for. */
    givesRanges: boolean;
  };
}

export function httpTarget(url: string, options: HttpOptions): HttpTarget {
  return {
    url,
    // Called through globalThis each time, so that it keeps its `this`.
    fetch: options.fetch ?? ((address, init) => globalThis.fetch(address, init)),
    credentials: options.credentials ?? [],
    allowPrivate: options.allowPrivate ?? false,
    relays: options.relays,
    followsRedirects: options.followsRedirects ?? false,
    idleTimeout: options.idleTimeout ?? 30_000,
    pace: options.pace ?? { bytes: 15_000, milliseconds: 30_000 },
    attempts: options.attempts ?? 3,
    maximumBytes: options.maximumBytes ?? 2 * 1024 ** 3,
    sliceLimit: options.sliceLimit ?? 64 * 1024 ** 2,
    longestWait: options.longestWait ?? 10_000,
    limit: options.limit,
    log: options.log,
    versions: options.versions,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    learnt: { size: options.size, encodesRanges: false, givesRanges: false },
  };
}
