/** Storage of the browser. It may be full, forbidden or absent: values then last until the tab is closed. */
import { attempt } from "../core/attempt.ts";

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
