import { expect, it } from "vitest";
import { containerNeeds } from "./container-words.ts";
import type { ContainerSummary } from "../repository.ts";

const needsOf = (change: Partial<ContainerSummary>): string =>
  containerNeeds({ name: "c", prefix: "s3://b/", store: "s3", options: [], sendsHeaders: false, ...change });

it("says what reading from each kind of store needs", () => {
  expect(needsOf({ store: "http", sendsHeaders: true })).toContain("sends the headers that are stored here");
  expect(needsOf({ store: "http" })).toBe("Nothing but a server that allows other origins (CORS).");
  expect(needsOf({ store: "s3" })).toContain("Read over HTTPS without a signature");
  expect(needsOf({ store: "s3", endpoint: "https://o.example" })).toContain("Read from https://o.example without");
  expect(needsOf({ store: "tigris" })).toContain("No endpoint is stored");
  expect(needsOf({ store: "odd" })).toContain("An unknown kind of store");
});
