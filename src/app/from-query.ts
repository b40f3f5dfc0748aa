/**
 * What stands after `?`: an address (`?url=…&array=sst`), which goes to its place after `#`, and `?embed=1&for=ORIGIN`,
 * where the page is a part of another one: without a header, for reading alone. It tells the origins that are listed,
 * and nobody else, what is selected: docs/embedding.md.
 */
import { formatAddress, parseAddress } from "../store/address.ts";
import type { App } from "../store/app-store.ts";
import type { AppState } from "../store/state.ts";
import "./embed.css";
import { addressOf } from "./use-shell.ts";

/** Those of `Address`. */
export const FIELDS = "url set ref array chunk view slice point values target tab".split(" ");

/** Moves the query into the fragment; values in the fragment win. */
export function moved({ search, hash }: Pick<Location, "search" | "hash">): { search: string; hash: string } {
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  for (const name of FIELDS) {
    const value = query.get(name);
    if (value !== null && !fragment.has(name)) fragment.set(name, value);
    query.delete(name);
  }
  return { search: query.size === 0 ? "" : `?${query}`, hash: fragment.size === 0 ? "" : `#${fragment}` };
}

export function fromQuery(app: App): void {
  const query = new URLSearchParams(location.search);
  const { search, hash } = moved(location);
  if (search !== location.search) history.replaceState(history.state, "", location.pathname + search + hash);
  if (query.get("embed") !== "1") return;
  document.documentElement.dataset.embed = "";
  refuseFiles();
  const tell = teller(originsIn(query.getAll("for")));
  app.store.subscribe((state) => {
    // Only documents can be edited. The change of state calls this again, below.
    if (state.set?.isDocument === true) app.store.setState({ set: { ...state.set, isDocument: false } });
    else tell(state);
  });
}

/** Origins alone: no wildcard, and no page without one. */
export const originsIn = (given: readonly string[]): readonly string[] =>
  given.flatMap((one) => (/^https?:/.test(one) && URL.canParse(one) ? new URL(one).origin : []));

/** Tells the opened dataset once, then every other place in it. */
function teller(origins: readonly string[]): (state: AppState) => void {
  let [opened, told] = [0, ""];
  return (state) => {
    // The address as links have it: nothing in it gives access to anything.
    const address = formatAddress(addressOf(state));
    if (window.parent === window || state.set === undefined || (address === told && state.opened === opened)) return;
    const type = state.opened === opened ? "refscope:selected" : "refscope:ready";
    [opened, told] = [state.opened, address];
    for (const origin of origins) window.parent.postMessage({ type, ...parseAddress(address) }, origin);
  };
}

/** Another dataset is not opened here. */
function refuseFiles(): void {
  const refuse = (event: Event) => {
    if (event.type !== "paste") event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const name of ["dragenter", "dragover", "drop", "paste"]) window.addEventListener(name, refuse, true);
}
