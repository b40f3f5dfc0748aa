/** `explain` as it is given. */
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../core/findings/catalogue/index.ts";
import { describeCode, type CodeDescription } from "../core/findings/code-list.ts";
import { runCommand } from "./testing/run-command.ts";

const explain = (...args: readonly string[]) => runCommand(["explain", ...args]);

describe("explain", () => {
  it("says of a code what it is, what to do and what readers do", async () => {
    const { status, stdout } = await explain("range-past-end");
    const { title, severity, example, remedy, readers } = describeCode("range-past-end") ?? expect.fail("no such code");
    expect(status).toBe(0);
    for (const text of [title, severity, example.where, example.message, remedy ?? "", readers])
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(text);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("lists all codes without one, by subject, each once", async () => {
    const { status, stdout } = await explain();
    const listed = stdout.split("\n").flatMap((line) => /^ {2}(\S+)/.exec(line)?.[1] ?? []);
    expect(status).toBe(0);
    expect(listed.toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
    expect(stdout).toMatch(/^Sources and targets$/m);
  });

  it("gives all as JSON", async () => {
    const { status, stdout } = await explain("--json");
    const all = JSON.parse(stdout) as Record<string, CodeDescription>;
    expect(status).toBe(0);
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
    expect(all["http-status"]).toMatchObject({ code: "http-status", severity: "error", subject: "source" });
  });

  it("names a code that there is not, and explains the others", async () => {
    const { status, stdout, stderr } = await explain("tiemout", "timeout");
    expect([status, stderr]).toEqual([
      2,
      "Unknown code “tiemout”. Did you mean timeout? Run explain without a code to list all codes.\n",
    ]);
    expect(stdout).toContain("timeout");
  });
});
