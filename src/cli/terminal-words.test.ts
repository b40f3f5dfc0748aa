/** No sentence that a terminal prints speaks of parts of the page: every recorded finding, as the terminal says it. */
import { describe, expect, it } from "vitest";
import recorded from "../core/findings/examples.json" with { type: "json" };
import type { Facts, Finding, Place } from "../core/findings/fact.ts";
import { containerNeeds } from "../core/words/container-words.ts";
import { inTerminal } from "../core/findings/catalogue/in-terminal.ts";
import { explained } from "./print/explained.ts";
import { runCommand } from "./testing/run-command.ts";

const EXAMPLES = recorded as unknown as Readonly<Record<string, { readonly place: Place; readonly facts: Facts }>>;

const OF_PAGE =
  /\bdrop (?:the (?:file|folder|archive|source|same)|it\b)|give it again|\bin locations\b|\bclick|\bown tab\b|rewrite rule|since you opened|this page|\bon the page\b|&ref=/i;

/** The finding's words, without those for the page alone. */
const saidOf = (found: Finding): string => {
  const { message, remedy = "", about } = explained(found);
  return about === "page" ? "" : `${message} ${remedy}`;
};

describe("in a terminal", () => {
  it("no finding speaks of what the page has", () => {
    const wrong = Object.entries(EXAMPLES).flatMap(([code, example]) => {
      const text = saidOf({ code, ...example, count: 1 });
      return OF_PAGE.test(text) ? [`${code}: ${text}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("nor does a status of a server, whatever it is", () => {
    const example = EXAMPLES["http-status"];
    if (example === undefined) throw new Error("No example of http-status.");
    for (const status of [301, 400, 401, 403, 404, 410, 416, 500])
      expect(saidOf({ code: "http-status", ...example, facts: { ...example.facts, status }, count: 1 })).not.toMatch(
        OF_PAGE,
      );
  });

  it("nor what a container of virtual chunks needs", () => {
    const kinds = ["http", "s3", "gcs", "tigris", "azure", "local_file_system", "in_memory", "other"] as const;
    const said = kinds.flatMap((store) =>
      [{}, { endpoint: "https://e" }, { sendsHeaders: true }].map((more) =>
        inTerminal(containerNeeds({ store, ...more } as never)),
      ),
    );
    expect(said.filter((text) => OF_PAGE.test(text))).toEqual([]);
  });

  it("nor does explain", async () => {
    const { stdout } = await runCommand(["explain", "target-is-local", "key-denied", "target-null", "web-page"]);
    expect(stdout).not.toMatch(OF_PAGE);
    expect(stdout).toContain("--root");
  });
});
