/** How often hosts had to be asked again before they answered: what is asked again here, other readers may take for missing. */

/** Requests to one host, each attempt counted. */
export interface HostRequests {
  /** Of the first that was refused; without its query, which may be a signature. */
  readonly url: string;
  readonly requests: number;
  /** Refused (429, 5xx) or dropped, asked again, and answered then. */
  readonly repeated: number;
  /** The statuses of these, ascending. */
  readonly statuses: readonly number[];
  /** Of these, connections that were dropped. */
  readonly dropped: number;
}

export interface RequestLog {
  /** A request that came to its end: `refusals` are the attempts before the last, by status, `undefined` where none came. */
  note(url: string, refusals: readonly (number | undefined)[], isAnswered: boolean): void;
  /** Hosts that had to be asked again. */
  repeated(): readonly HostRequests[];
}

interface Counts {
  url: string | undefined;
  requests: number;
  repeated: number;
  dropped: number;
  readonly statuses: Set<number>;
}

export function requestLog(): RequestLog {
  const hosts = new Map<string, Counts>();
  return {
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
