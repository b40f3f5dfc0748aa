import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "#core/words.ts";
import { describe, expect, it } from "vitest";
import { printableJson } from "./finding-json.ts";
import { aligned, paintFor, printableLines } from "./lines.ts";
import { escapedJson } from "./output.ts";
import { runCommand } from "../testing/run-command.ts";
import { commandNamed, COMMANDS, type Command } from "../commands.ts";
import { helpOf, helpOfAll } from "../help.ts";

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

describe("help", () => {
  const helpFor = (name: string) => helpOf(name, commandNamed(name) as Command);

  it("of a command names its options and no others, with examples, in 80 columns", () => {
    for (const option of ["--network", "--deep", "--reader", "--expect", "--accept", "--fail-on", "--format"])
      expect(helpFor("check")).toContain(`  ${option} `);
    expect(helpFor("history")).toMatch(/history ADDRESS[^]*--limit N[^]*/);
    expect(helpFor("history")).not.toMatch(/--threads|--simple|FROM/);
    for (const name of Object.keys(COMMANDS)) {
      expect(helpOfAll()).toContain(`\n  ${name} `);
      expect(helpFor(name)).toContain("Examples:");
      const long = helpFor(name)
        .split("\n")
        .filter((line) => line.length > 80 && !line.includes("npm run"));
      expect(long).toEqual([]);
    }
  });
});

describe("options", () => {
  it.each([
    [
      ["info", "x.json", "--deep", "all", "--fail-on", "new"],
      "info takes no option --deep. Run info --help for its options.",
    ],
    [["check", "x.json", "--fail-no", "new"], "check takes no option --fail-no. Did you mean --fail-on?"],
    [["check", "x.json", "--deep", "0"], "--deep expects a number of chunks or all, found “0”."],
    [["check", "x.json", "--limit-targets", "x"], "--limit-targets expects a number of sources or all, found “x”."],
    [["check", "x.json", "--origin", "x"], "--origin expects the origin of a page"],
    [["check", "x.json", "--threads"], "--threads needs a value: --threads N."],
    [["check", "x.json", "--json=yes"], "--json takes no value, found “yes”."],
    [["info"], "info needs a file or URL: refscope info REFS…"],
    [["infos", "x.json"], "Unknown command “infos”. Did you mean info? Run --help for a list."],
  ])("%j is an error of one line, and nothing is read", async (args, said) => {
    const { status, stdout, stderr } = await runCommand(args);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });

  it("of the program itself are its version and its help", async () => {
    expect((await runCommand(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runCommand(["help", "read"])).stdout).toBe((await runCommand(["read", "--help"])).stdout);
    expect(await runCommand(["help"])).toMatchObject({ status: 0 });
  });
});

describe("info", () => {
  it("prints nothing of how Refscope keeps a set", async () => {
    const { stdout } = await runCommand(["info", "--json", "public/samples/ocean.v1.json"]);
    const info = JSON.parse(stdout) as object;
    expect(Object.keys(info)).toEqual(expect.arrayContaining(["kind", "references", "nodes"]));
    for (const internal of ["id", "words", "revision", "tableBytes"]) expect(info).not.toHaveProperty(internal);
  });

  it("tells on stderr what does not open, and exits as check does: a warning is no failure", async () => {
    for (const command of ["info", "digest"]) {
      const { status, stdout, stderr } = await runCommand([command, "public/samples/README.md"]);
      expect([command, status, stdout]).toEqual([command, 2, ""]);
      expect(stderr).toMatch(/^public\/samples\/README\.md\n {2}\S/);
    }
    const folder = mkdtempSync(join(tmpdir(), "refscope-warned-"));
    const path = join(folder, "warned.json");
    const zarray = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: "|u1",
      compressor: null,
      filters: null,
      order: "C",
    };
    writeFileSync(
      path,
      JSON.stringify({ ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(zarray), "a/0": "x" }),
    );
    const { status, stdout } = await runCommand(["info", path]);
    rmSync(folder, { recursive: true });
    expect(stdout).toContain("warning fill-value-missing");
    expect(status).toBe(0);
  });

  it("aligns arrays, adds up chunks and findings, and counts in words", async () => {
    const { stdout } = await runCommand(["info", "public/samples/ocean-broken.json"]);
    const lines = stdout.split("\n");
    expect(lines[1]).toMatch(/, 8 arrays, 1 group$/);
    // A statement about several arrays appears once.
    expect(lines.filter((line) => line.includes("fill-value-confusing"))).toEqual([
      expect.stringMatching(/lat, lon, u: fill_value is 0/),
    ]);
    const starts = lines.filter((line) => / of +\d+ chunks?(?: {2}|$)/.test(line)).map((line) => line.search(/\d+ of/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}lat {7}<f8 {2}\[90\] {13}1 of {3}1 chunk {3}\(lat\)$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}together +102 of 122 chunks$/));
    expect(starts).toHaveLength(9);
    // Dimensions, codecs and targets.
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}sst .* 54 chunks {2}\(time, lat, lon\) +shuffle, zlib$/));
    expect(stdout).toMatch(/referenced in 3 targets: ocean-a\.nc, ocean-z\.nc, ocean-b\.nc\n/);
    expect(lines).toContainEqual("  0 errors, 1 warning, 4 notes");
  });
});
