/** `fetch` that asks nothing of this machine or a private network on behalf of what others wrote: names are looked up first. */
import { lookup } from "node:dns/promises";
import { failure, targetAt } from "../core/findings/finding.ts";
import { isPrivateHost } from "../core/private-address.ts";
import type { Fetch } from "../io/http/http-target.ts";

export interface Guard {
  /** What the user wrote: its host may be anywhere; where it is private by name, all others may be. */
  readonly trusted: string | undefined;
  /** Hosts that are private by name are refused, too; else that is for who resolves targets. */
  readonly judgesNames?: boolean;
  readonly fetch?: Fetch;
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

/** Rejects with `target-private-address`. */
export function guardedFetch({
  trusted,
  judgesNames = false,
  fetch = (url, init) => globalThis.fetch(url, init),
  addressesOf = lookedUp,
}: Guard): Fetch {
  const trustedHost = trusted !== undefined && URL.canParse(trusted) ? new URL(trusted).hostname : undefined;
  if (trustedHost !== undefined && isPrivateHost(trustedHost)) return fetch;
  const judged = new Map<string, Promise<boolean>>();
  const leadsHome = async (host: string): Promise<boolean> => {
    if (host === trustedHost) return false;
    if (isPrivateHost(host)) return judgesNames;
    return (await addressesOf(host)).some((address) => isPrivateHost(address.includes(":") ? `[${address}]` : address));
  };
  return async (url, init) => {
    const host = new URL(url).hostname;
    const isPrivate = judged.get(host) ?? leadsHome(host);
    judged.set(host, isPrivate);
    if (!(await isPrivate)) return fetch(url, init);
    throw failure("target-private-address", targetAt(url), {
      host,
      from: trusted === undefined ? "file" : "public-address",
    });
  };
}

/** None where the name is not known, which the request itself then tells. */
const lookedUp = async (host: string): Promise<readonly string[]> => {
  const found = await lookup(host.replace(/^\[(.*)\]$/, "$1"), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};
