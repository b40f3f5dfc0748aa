/** Preferences remembered between visits: rewrite rules, region and theme. Never credentials or targets. */
import type { StoreApi } from "zustand/vanilla";
import { NO_LOCATIONS, type RewriteRule } from "../core/byte-source.ts";
import { remember, rememberedObject } from "./browser-storage.ts";
import type { AppState } from "./state.ts";

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
