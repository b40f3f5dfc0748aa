/**
 * Remembers which hosts answer. While a host has never given a readable answer, only one request is under way at a
 * time; if nobody is found there, the others fail at once, until a while has passed.
 */
import { once } from "#core/basics.ts";
import { type Finding, RefscopeError, silentHost, targetAt, withFacts } from "#core/findings/finding.ts";
import { abortError, whenAborted } from "../abort.ts";
import type { Fetch } from "./http-target.ts";

export interface HostWatch {
  /** Sees which hosts give answers that can be read. */
  readonly watched: (fetch: Fetch) => Fetch;
  /** Does what asks the host. Throws what is known of the host, where nobody is there. */
  readonly ask: <T>(url: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>;
  readonly readable: (url: string) => void;
  readonly failed: (url: string, error: Finding) => void;
  /** The failure with what is known of the host: that a page has read other files there. */
  readonly known: (url: string, error: Finding) => Finding;
  /** Hosts that are not asked, by why. */
  readonly silent: () => readonly Finding[];
}

interface Host {
  readable: boolean;
  /** It was, at any time. */
  wasRead: boolean;
  /** Failures since the last readable answer. */
  failures: number;
  silent: { readonly why: Finding; readonly since: number } | undefined;
  /** Something is under way, which others wait for as long as nothing is known. */
  isAsked: boolean;
  /** So many ask, and have not failed. */
  asking: number;
  waiting: (() => void)[];
}

function wake(host: Host): void {
  for (const go of host.waiting.splice(0)) go();
}

/** Milliseconds after which a silent host is tried again, where something is asked of it. */
const AGAIN_AFTER = 15_000;
/** Failures that count together, when each may concern one object or folder alone, or a host that was read before. */
const ENOUGH = 3;

const OF_HOSTS: ReadonlyMap<string, number> = new Map([
  ["host-unreachable", 1],
  ["timeout", 1],
  ["cors-missing", ENOUGH],
  ["unreachable-undecided", ENOUGH],
]);

/** Buckets of one host are as different as hosts. */
const OF_BUCKETS = /^(?:s3[.-][^/]*|storage\.googleapis\.com|[^/]*\.blob\.core\.windows\.net)$/;

function nameOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, host, hostname, pathname } = new URL(url);
  const origin = `${protocol}//${host}`;
  return OF_BUCKETS.test(hostname) ? `${origin}/${pathname.split("/")[1]}` : origin;
}

const ofSilent = (found: Finding, how: "tried" | "untried") => new RefscopeError(withFacts(found, { silentHost: how }));

const NEW_HOST = { readable: false, wasRead: false, failures: 0, silent: undefined, isAsked: false, asking: 0 };

function hostBook(now: () => number) {
  const hosts = new Map<string, Host>();
  // A request looks its host up several times.
  let last: readonly [url: string, host: Host] | undefined;
  const hostOf = (url: string): Host => {
    if (last?.[0] === url) return last[1];
    const name = nameOf(url);
    const host = hosts.get(name) ?? { ...NEW_HOST, waiting: [] };
    hosts.set(name, host);
    last = [url, host];
    return host;
  };
  return {
    hostOf,
    silence: (url: string): Finding | undefined => {
      const { silent } = hostOf(url);
      return silent === undefined || now() - silent.since > AGAIN_AFTER ? undefined : silent.why;
    },
    readable: (url: string): void => {
      const host = hostOf(url);
      Object.assign(host, { readable: true, wasRead: true, failures: 0, silent: undefined });
      wake(host);
    },
    failed: (url: string, error: Finding): void => {
      const enough = OF_HOSTS.get(error.code);
      const host = hostOf(url);
      if (enough === undefined) return;
      host.failures += 1;
      if (host.failures < (host.readable ? ENOUGH : enough)) return;
      Object.assign(host, { readable: false, silent: { why: error, since: now() } });
    },
    known: (url: string, error: Finding): Finding =>
      error.code === "cors-missing" && hostOf(url).wasRead ? withFacts(error, { othersRead: true }) : error,
    silent: () => [...hosts.values()].flatMap(({ silent }) => (silent === undefined ? [] : [silent.why])),
  };
}

export function hostWatch(now: () => number = () => performance.now()): HostWatch {
  const { hostOf, silence, readable, failed, known, silent } = hostBook(now);
  return {
    readable,
    failed,
    known,
    silent,
    watched: (fetch) => async (url, init) => {
      const response = await fetch(url, init);
      if (!response.type.startsWith("opaque")) readable(url);
      return response;
    },
    async ask(url, signal, task) {
      const host = hostOf(url);
      host.asking += 1;
      const isSilent = () => silence(url) !== undefined;
      let isTurn = false;
      const takesTurn = () => !host.isAsked && (isTurn = host.isAsked = true);
      const end = once(() => {
        if (isTurn) host.isAsked = false;
        host.asking -= 1;
        wake(host);
      });
      try {
        // One at a time, for as long as it is not known whether the host is there.
        await until(host, signal, () => isSilent() || takesTurn());
        const why = silence(url);
        if (why !== undefined) throw ofSilent({ ...why, place: targetAt(url) }, "untried");
        return await task();
      } catch (error) {
        if (!(error instanceof RefscopeError) || silentHost(error.finding) !== undefined) throw error;
        failed(url, error.finding);
        end();
        // The results of the other requests decide if the failure is the host's.
        if (OF_HOSTS.has(error.finding.code)) await until(host, signal, () => host.asking === 0 || isSilent());
        if (isSilent()) throw ofSilent(error.finding, "tried");
        const found = known(url, error.finding);
        throw found === error.finding ? error : new RefscopeError(found, { cause: error.cause });
      } finally {
        end();
      }
    },
  };
}

/** Waits as long as no answer of the host could be read. */
async function until(host: Host, signal: AbortSignal, isEnough: () => boolean): Promise<void> {
  while (!host.readable && !isEnough()) {
    if (signal.aborted) throw abortError();
    await new Promise<void>((resolve, reject) => {
      const stay = whenAborted(signal, () => reject(abortError()));
      host.waiting.push(() => {
        stay();
        resolve();
      });
    });
  }
}
