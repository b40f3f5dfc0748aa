/** What is remembered between visits: rewrite rules, region and theme. Never credentials, targets or what was open. */
import type { StoreApi } from "zustand/vanilla";
import { NO_LOCATIONS, type RewriteRule } from "../core/location.ts";
import type { AppState, Theme } from "./state.ts";

const PLACE = "refscope.preferences.1";

interface Preferences {
  readonly rewrites: readonly RewriteRule[];
  readonly region: string | undefined;
  readonly theme: Theme;
}

/** What was remembered, as far as it can be understood: storage is as untrusted as any input. */
export function storedPreferences(): Pick<AppState, "locations" | "theme"> {
  const { rewrites, region, theme } = readPreferences();
  return { locations: { ...NO_LOCATIONS, rewrites, region }, theme };
}

/** Remembers every change from now on. */
export function rememberPreferences(store: StoreApi<AppState>): void {
  store.subscribe((state, before) => {
    if (state.locations === before.locations && state.theme === before.theme) return;
    const { rewrites, region } = state.locations;
    try {
      localStorage.setItem(PLACE, JSON.stringify({ rewrites, region, theme: state.theme }));
    } catch {
      // Storage is full or forbidden: the preferences last until the tab is closed.
    }
  });
}

function readPreferences(): Preferences {
  const stored = storedObject();
  const { region, theme } = stored;
  return {
    rewrites: Array.isArray(stored.rewrites) ? stored.rewrites.filter(isRule) : [],
    region: typeof region === "string" && region !== "" ? region : undefined,
    theme: theme === "light" || theme === "dark" ? theme : "system",
  };
}

function storedObject(): { rewrites?: unknown; region?: unknown; theme?: unknown } {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function isRule(value: unknown): value is RewriteRule {
  if (typeof value !== "object" || value === null) return false;
  const rule = value as Partial<RewriteRule>;
  return typeof rule.from === "string" && typeof rule.to === "string";
}
