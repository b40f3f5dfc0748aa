/** The catalogue on the page: fetched when there is first something to say of a finding. */
import { useEffect, useSyncExternalStore } from "react";
import type { Explain } from "../../core/findings/explained.ts";
import type { Finding } from "../../core/findings/finding.ts";

let explain: Explain | undefined;
let fetching: Promise<Explain> | undefined;
const listeners = new Set<() => void>();

/** For single uses. Fetches it before it is needed, too: while a set is opened. */
export function loadCatalogue(): Promise<Explain> {
  fetching ??= fetchCatalogue();
  return fetching;
}

async function fetchCatalogue(): Promise<Explain> {
  try {
    explain = (await import("../../core/findings/explain.ts")).explained;
  } catch {
    explain = unexplained;
    fetching = undefined; // Whoever needs it next tries again.
  }
  for (const listener of listeners) listener();
  return explain;
}

/** `undefined` until it is here. */
export function useExplain(): Explain | undefined {
  useEffect(() => void loadCatalogue(), []);
  return useSyncExternalStore(subscribe, () => explain);
}

/** The messages of the findings, one after another; `undefined` where there are none, and until the catalogue is here. */
export function useMessage(...findings: readonly (Finding | undefined)[]): string | undefined {
  const loaded = useExplain();
  const some = findings.filter((one) => one !== undefined);
  return loaded === undefined || some.length === 0 ? undefined : messageOf(some, loaded);
}

export const messageOf = (findings: readonly Finding[], say: Explain): string =>
  findings.map((one) => say(one).message).join(" ");

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const unexplained: Explain = ({ code }) => ({
  title: code,
  brief: code,
  severity: "warning",
  message: `The explanation of ${code} could not be loaded from this site.`,
  remedy: "Reload the page: the site may have been updated since it was opened.",
  readers: "",
  about: "page",
  question: undefined,
  action: "reload",
  inPlace: false,
  noSet: false,
  final: false,
});
