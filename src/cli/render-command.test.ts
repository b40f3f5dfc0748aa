/** `render` and `render --lines` as they are given. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { EXAMPLE } from "../core/testing/specification-example.ts";
import { runCommand, startCommand } from "./testing/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "refscope-render-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: unknown): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const path = join(folder, name);
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

const render = (args: readonly string[], input = "") => runCommand(["render", ...args], input);

describe("render", () => {
  it("prints the Version 0 of the specification's example", async () => {
    const { status, stdout, stderr } = await render([written("example.json.gz", EXAMPLE)]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      key0: "data",
      key1: ["http://target_url", 10000, 100],
      key2: ["http://server.domain/path", 10000, 100],
      key3: ["http://text", 10000, 100],
      gen_key0: ["http://server.domain/path_0", 1000, 1000],
      gen_key1: ["http://server.domain/path_1", 2000, 1000],
      gen_key2: ["http://server.domain/path_2", 3000, 1000],
      gen_key3: ["http://server.domain/path_3", 4000, 1000],
      gen_key4: ["http://server.domain/path_4", 5000, 1000],
    });
  });

  it("says what fsspec's default mode raises", async () => {
    const { status, stdout, stderr } = await render([written("example.json", EXAMPLE), "--simple"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^error reference-fails: .*“key3”.*KeyError: "f\(c='text'\)"\. fsspec rejects the whole dataset\.$/m,
    );
  });

  it("takes other values for templates, and a limit", async () => {
    const path = written("example.json", EXAMPLE);
    const { stdout } = await render([path, "--template", "u=a=b", "--template", "f=x{{c}}"]);
    expect(JSON.parse(stdout)).toMatchObject({ key2: ["http://a=b", 10000, 100], key3: ["http://xtext", 10000, 100] });
    const limited = await render([path, "--most", "4"]);
    expect(limited.status).toBe(2);
    expect(limited.stderr).toContain("error gen-too-large: ");
    expect((await render([path, "--template", "u"])).stderr).toContain("NAME=VALUE");
  });

  it("warns with 1, and prints what fsspec reads all the same", async () => {
    const { status, stdout, stderr } = await render([
      written("typo.json", { version: 1, templates: { base: "a" }, refs: { k: ["{{bse}}/x"] } }),
    ]);
    expect([status, JSON.parse(stdout)]).toEqual([1, { k: ["/x"] }]);
    expect(stderr).toContain("warning name-undefined: ");
    expect(stderr).toContain("Did you mean “base”?");
  });

  it("says why a document cannot be read", async () => {
    const refused = await render([written("two.json", '{"version": 2}')]);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      "error document-fails: ValueError: Unknown reference spec version: 2. fsspec rejects the whole dataset.\n",
    ]);
    expect((await render([join(folder, "nowhere.json")])).status).toBe(2);
    expect((await render([])).status).toBe(2);
  });
});

describe("render --lines", () => {
  const hostile = [
    '{"version": 1, "gen": [{"key": "k{{i}}", "url": "u", "dimensions": {"i": {"stop": 1000000000}}}]}',
    `{"version": 1, "gen": [{"key": "k{{i}}", "url": "{{ 'a' * 4000000 }}", "dimensions": {"i": {"stop": 9999}}}]}`,
    '{"version": 1, "gen": [{"key": "{% for a in range(99999) %}{% endfor %}{{i}}", "url": "u", "dimensions": {"i": {"stop": 9999}}}]}',
    '{"version": 1, "templates": {"f": "{{ f(f=f) }}{{ f(f=f) }}"}, "refs": {"a": ["{{ f(f=f) }}"]}}',
    "[".repeat(200_000),
    "nonsense",
    "",
    "null",
  ];

  it("answers each line with one, whatever it holds", async () => {
    const lines = [
      '{"b": "1", "a": ["ü", 1.0, 12345678901234567890]}',
      JSON.stringify(EXAMPLE),
      ...hostile,
      '{"2": {"x": 1}, "1": NaN}',
    ];
    const { status, stdout } = await startCommand(["render", "--lines"], lines.join("\n"));
    expect(status).toBe(0);
    const answers = stdout.trimEnd().split("\n");
    expect(answers).toHaveLength(lines.length);
    expect(answers[0]).toBe('{"refs": [["b", "1"], ["a", ["ü", 1.0, 12345678901234567890]]]}');
    expect((JSON.parse(answers[1] ?? "") as { refs: unknown[] }).refs).toHaveLength(9);
    for (const answer of answers.slice(2, -1))
      expect(JSON.parse(answer)).toEqual({ error: expect.stringMatching(/^\w+: ./) as string });
    expect(answers.at(-1)).toBe('{"refs": [["2", "{\\"x\\": 1}"], ["1", NaN]]}');
  });

  it("answers as fsspec's default mode does", async () => {
    const { stdout } = await render(["--lines", "--simple"], `${JSON.stringify(EXAMPLE)}\n`);
    expect(stdout).toBe(`{"error": "KeyError: \\"f(c='text')\\""}\n`);
  });
});
