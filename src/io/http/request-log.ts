/**
 * How often hosts had to be asked again before they answered (what is asked again here, other readers may take for
 * missing), and how quickly they answer.
 */
import type { HostPace } from "#core/readers/reading-cost.ts";

/** Requests to one host, each attempt counted. */
export interface HostRequests {
  /** URL of the first refused request, without its query, which may be a signature. */
  readonly url: string;
  readonly requests: number;
  /** Refused (429, 5xx) or dropped, asked again, and answered then. */
  readonly repeated: number;
  /** The statuses of these, ascending. */
  readonly statuses: readonly number[];
  /** Number of them that were dropped connections. */
  readonly dropped: number;
}

export interface RequestLog {
  /** A request that came to its end: `refusals` are the attempts before the last, by status, `undefined` where none came. */
  note(url: string, refusals: readonly (number | undefined)[], isAnswered: boolean): void;
  /** An answer begins, so many milliseconds after it was asked for; what is returned is called when its bytes are here. */
  answered(url: string, milliseconds: number): (bytes: number) => void;
  /** Hosts that had to be asked again. */
  repeated(): readonly HostRequests[];
  /** Pace of an origin; `undefined` if it got no requests. */
  pace(origin: string): HostPace | undefined;
}

interface Counts {
  url: string | undefined;
  requests: number;
  repeated: number;
  dropped: number;
  readonly statuses: Set<number>;
}

/** Milliseconds from request to answer, of the latest; bytes, and milliseconds while any were under way. */
interface Pace {
  readonly latencies: number[];
  requests: number;
  open: number;
  since: number;
  busy: number;
  bytes: number;
}

const LATEST = 64;
/** Fewest bytes whose time says something about the line. */
const ENOUGH_BYTES = 256 * 1024;

export function requestLog(): RequestLog {
  const hosts = new Map<string, Counts>();
  const paces = new Map<string, Pace>();
  return {
    answered(url, milliseconds) {
      const { origin } = new URL(url);
      const pace = paces.get(origin) ?? { latencies: [], requests: 0, open: 0, since: 0, busy: 0, bytes: 0 };
      paces.set(origin, pace);
      pace.latencies[pace.requests % LATEST] = milliseconds;
      pace.requests += 1;
      if (pace.open === 0) pace.since = performance.now();
      pace.open += 1;
      return (bytes) => {
        pace.open -= 1;
        pace.bytes += bytes;
        if (pace.open === 0) pace.busy += performance.now() - pace.since;
      };
    },
    pace(origin) {
      const pace = paces.get(origin);
      if (pace === undefined) return undefined;
      const { requests, latencies, bytes, busy } = pace;
      const latency = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
      const isEnough = bytes >= ENOUGH_BYTES && busy > 0;
      return { host: origin, requests, latency, ...(isEnough ? { bytesPerSecond: (bytes / busy) * 1000 } : {}) };
    },
    note(url, refusals, isAnswered) {
      const { origin, pathname } = new URL(url);
      const counts = hosts.get(origin) ?? { url: undefined, requests: 0, repeated: 0, dropped: 0, statuses: new Set() };
      hosts.set(origin, counts);
      counts.requests += refusals.length + 1;
      // One that was never answered is reported as such.
      if (!isAnswered || refusals.length === 0) return;
      counts.url ??= origin + pathname;
      counts.repeated += refusals.length;
      for (const status of refusals) {
        if (status === undefined) counts.dropped += 1;
        else counts.statuses.add(status);
      }
    },
    repeated: () =>
      [...hosts.values()].flatMap(({ url, statuses, ...counts }) =>
        url === undefined ? [] : [{ url, ...counts, statuses: [...statuses].toSorted((a, b) => a - b) }],
      ),
  };
}
