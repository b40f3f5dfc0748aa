/** Public names that lead to this machine, and public redirects to it. */
import { expect, it } from "vitest";
import type { Fetch } from "../io/http/http-target.ts";
import { guardedFetch } from "./guarded-fetch.ts";

const answers: Fetch = () => Promise.resolve(new Response("x"));
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "rebound.example": ["127.0.0.1"],
  "mixed.example": ["93.184.216.34", "fd00::1"],
  "public.example": ["93.184.216.34", "2606:2800:220:1::1"],
};
const addressesOf = (host: string) => Promise.resolve(NAMES[host] ?? []);

const codeOf = async (url: string, guard: Parameters<typeof guardedFetch>[0]): Promise<unknown> => {
  try {
    return (await guardedFetch({ fetch: answers, addressesOf, ...guard })(url, {})).status;
  } catch (error) {
    return (error as { readonly code?: string }).code;
  }
};

it.each([
  ["http://rebound.example/a", undefined, "target-private-address"],
  ["http://mixed.example/a", "https://public.example/refs.json", "target-private-address"],
  ["http://public.example/a", undefined, 200],
  ["http://unknown.example/a", undefined, 200],
  // The user wrote it.
  ["http://rebound.example/a", "http://rebound.example/refs.json", 200],
  ["http://rebound.example/a", "http://127.0.0.1:8000/refs.json", 200],
])("what a name leads to is looked at: %s for a set from %s", async (url, trusted, outcome) => {
  expect(await codeOf(url, { trusted })).toBe(outcome);
});

it("redirects of a public server into this machine are refused where nobody else judges them", async () => {
  const trusted = "https://public.example/a.nc";
  expect(await codeOf("http://127.0.0.1:9/", { trusted, judgesNames: true })).toBe("target-private-address");
  expect(await codeOf("http://127.0.0.1:9/", { trusted })).toBe(200);
});
