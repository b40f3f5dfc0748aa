import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { runCommand } from "./testing/run-command.ts";

const script = async (shell: string) => (await runCommand(["completion", shell])).stdout;

describe("completion", () => {
  it("of bash gives commands, their options, and the words of an option", async () => {
    const source = await script("bash");
    const completed = (...words: string[]) => {
      const ask = `COMP_WORDS=(refscope "$@"); COMP_CWORD=$#; _refscope; printf '%s ' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `${source}\n${ask}`, "bash", ...words], { encoding: "utf8" }).trim();
    };
    expect(completed("")).toBe(Object.keys(COMMANDS).join(" "));
    expect(completed("check", "--form")).toBe("--format");
    expect(completed("check", "--format", "")).toBe("text json sarif github markdown");
    expect(completed("explain", "--")).toBe("--json");
  });

  it("of zsh and fish has every command and option; no other shell is known", async () => {
    for (const shell of ["zsh", "fish"]) {
      const text = await script(shell);
      for (const name of [...Object.keys(COMMANDS), "record-size", "kerchunk-parquet"]) expect(text).toContain(name);
    }
    expect((await runCommand(["completion", "tcsh"])).status).toBe(2);
  });
});
