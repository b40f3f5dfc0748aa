import { describe, expect, it } from "vitest";
import { aligned, counted, escapedJson, paintFor, printableJson, printableLines } from "./lines.ts";
import { runCommand } from "./testing/run-command.ts";
import { usage } from "./usage.ts";

describe("lines for people", () => {
  it("steer no runner of CI, and hold no secret", () => {
    expect(printableLines("::error file=a::b\nhttps://b.example/a?sig=5ec7e7\n##[group]x")).toBe(
      "\u200b::error file=a::b\nhttps://b.example/a?sig=…\n\u200b##[group]x",
    );
    expect(printableJson({ url: "https://u:pa55@b.example/a" })).not.toContain("pa55");
  });

  it("count in words", () => {
    expect([counted(0, "group"), counted(1, "group"), counted(1200, "group")]).toEqual([
      "0 groups",
      "1 group",
      "1,200 groups",
    ]);
  });

  it("have columns, whose names steer nothing", () => {
    expect(
      aligned([
        ["a", "[1]", "x"],
        ["größe\u001b", "[10, 2]"],
        ["ö", "", "z"],
      ]),
    ).toEqual(["a       [1]      x", "größe�  [10, 2]", "ö                z"]);
    const long = "n".repeat(500);
    expect(
      aligned([
        [long, "x"],
        ["a", "y"],
      ]),
    ).toEqual([`${long}  x`, `a${" ".repeat(59)}  y`]);
  });

  it("keep their own line feeds only, and JSON keeps its texts", () => {
    expect(printableLines("a\u001bb\nc\u2028")).toBe("a�b\nc�");
    const value = { "k\u202e": ["\u009b\n\u2028", "größe"] };
    expect(printableJson(value)).not.toMatch(/[\u009b\u2028\u202e]/u);
    expect(JSON.parse(printableJson(value))).toEqual(value);
    expect(JSON.parse(escapedJson(JSON.stringify(value)))).toEqual(value);
  });

  it("are coloured on a terminal only, and not against NO_COLOR", () => {
    const red = (isTTY: boolean, env: NodeJS.ProcessEnv) => paintFor({ isTTY }, env)("error", "x");
    expect(red(true, {})).toBe("\u001b[31mx\u001b[39m");
    expect(red(true, { NO_COLOR: "" })).toBe("\u001b[31mx\u001b[39m");
    expect([red(false, {}), red(true, { NO_COLOR: "1" }), red(true, { TERM: "dumb" })]).toEqual(["x", "x", "x"]);
  });
});

describe("usage", () => {
  it("attributes each option to a command, and says each of a check", () => {
    expect(usage()).toMatch(/--deep N\|all .* \(check\)/);
    expect(usage()).not.toContain("()");
    for (const option of ["--network", "--deep", "--reader", "--expect", "--accept", "--fail-on", "--format"]) {
      expect(usage("check")).toContain(`  ${option} `);
    }
  });

  it("of a command names its options and no others", () => {
    expect(usage("history")).toMatch(/history ADDRESS[^]*--limit N[^]*/);
    expect(usage("history")).not.toMatch(/--threads|--simple|FROM/);
    expect(usage("digest")).toMatch(/--threads N +threads that decode/);
    for (const command of ["info", "digest", "history", "compare", "render"])
      expect(usage()).toContain(`\n  ${command} `);
    expect(usage("none")).toBe(usage());
  });
});

describe("info", { timeout: 30_000 }, () => {
  it("aligns arrays, adds up chunks and findings, and counts in words", async () => {
    const { stdout } = await runCommand(["info", "public/samples/ocean-broken.json"]);
    const lines = stdout.split("\n");
    expect(lines[1]).toMatch(/, 8 arrays, 1 group$/);
    const starts = lines.filter((line) => / of +\d+ chunks?$/.test(line)).map((line) => line.search(/\d+ of/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}lat {7}<f8 {2}\[90\] {13}1 of {3}1 chunk$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}together +102 of 122 chunks$/));
    expect(starts).toHaveLength(9);
    expect(lines).toContainEqual("  0 errors, 1 warning, 5 notes");
  });
});
