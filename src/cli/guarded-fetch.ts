/** `fetch` of the terminal: it asks nothing of this machine or a private network on behalf of what others wrote. */
import { failure, targetAt } from "../core/findings/finding.ts";
import { isPrivateHost } from "../core/urls/private-address.ts";
import type { Fetch } from "../io/http/http-target.ts";
import type { Lookup } from "./judged-request.ts";

export interface Guard {
  /** Address that the user wrote: its host may be anywhere; if it is private by name, all others may be. */
  readonly trusted: string | undefined;
  readonly allowPrivate?: boolean | undefined;
  /** Hosts that are private by name are refused, too; else that is for who resolves targets. */
  readonly judgesNames?: boolean;
  readonly lookup?: Lookup;
}

/** Rejects with `target-private-address`. Redirects are shown, and never followed. */
export function guardedFetch({ trusted, allowPrivate = false, judgesNames = false, lookup }: Guard): Fetch {
  const trustedHost = trusted !== undefined && URL.canParse(trusted) ? new URL(trusted).hostname : undefined;
  const everywhere = allowPrivate || (trustedHost !== undefined && isPrivateHost(trustedHost));
  return async (address, init) => {
    const { acceptEncoding, isPrivateError, judgedRequest, responseOf } = await import("./judged-request.ts");
    const url = new URL(address);
    const { method = "GET", signal } = init;
    const headers = new Headers(init.headers);
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", acceptEncoding(headers));
    const mayBePrivate = everywhere || url.hostname === trustedHost || (!judgesNames && isPrivateHost(url.hostname));
    try {
      const given = { method, headers: Object.fromEntries(headers), ...(signal && { signal }) };
      return responseOf(await judgedRequest(url, { ...given, mayBePrivate, lookup }), method, address);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (!isPrivateError(error)) throw new TypeError("fetch failed", { cause: error });
      const from = trusted === undefined ? "file" : "public-address";
      throw failure("target-private-address", targetAt(address), { host: url.hostname, from });
    }
  };
}
