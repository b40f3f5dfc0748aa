/** Storage of the browser. It may be full, forbidden or absent: values then last until the tab is closed. */
import { attempt } from "../core/basics.ts";
import type { StoreApi } from "zustand/vanilla";
import { NO_LOCATIONS, type RewriteRule } from "../core/byte-source.ts";
import type { AppState } from "./state.ts";

export function remember(place: string, text: string): void {
  attempt(() => localStorage.setItem(place, text));
}

export function remembered(place: string): string | null {
  return attempt(() => localStorage.getItem(place), null);
}

/** Texts remembered under places that begin alike, as libraries ask for them. */
export const storageAt = (prefix: string) => ({
  getItem: (key: string) => remembered(prefix + key),
  setItem: (key: string, value: string) => remember(prefix + key, value),
});

/** Members of a JSON object; storage is as untrusted as any input. */
export function rememberedObject(place: string): Readonly<Record<string, unknown>> {
  const value = attempt(() => JSON.parse(remembered(place) ?? "{}") as unknown);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

// Preferences remembered between visits: rewrite rules, region and theme. Never credentials or targets.

const PLACE = "refscope.preferences.1";

/** Stored preferences, as far as they can be understood: storage is as untrusted as any input. */
export function storedPreferences(): Pick<AppState, "locations" | "theme"> {
  const { rewrites, region, theme } = rememberedObject(PLACE);
  return {
    locations: {
      ...NO_LOCATIONS,
      rewrites: Array.isArray(rewrites) ? rewrites.filter(isRule) : [],
      region: typeof region === "string" && region !== "" ? region : undefined,
    },
    theme: theme === "light" || theme === "dark" ? theme : "system",
  };
}

/** Remembers every change from now on. */
export function rememberPreferences(store: StoreApi<AppState>): void {
  store.subscribe((state, before) => {
    if (state.locations === before.locations && state.theme === before.theme) return;
    const { rewrites, region } = state.locations;
    remember(PLACE, JSON.stringify({ rewrites, region, theme: state.theme }));
  });
}

function isRule(value: unknown): value is RewriteRule {
  if (typeof value !== "object" || value === null) return false;
  const rule = value as Partial<RewriteRule>;
  return typeof rule.from === "string" && typeof rule.to === "string";
}
