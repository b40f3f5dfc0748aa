/** `check` as it is called: formats, what makes it fail, what is accepted and expected. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ReaderReport } from "../core/report/readers.ts";
import type { CheckReport } from "../core/report/report.ts";
import { runCommand } from "./testing/run-command.ts";

let folder = "";
beforeAll(() => {
  vi.stubEnv("COLUMNS", "200");
  folder = mkdtempSync(join(tmpdir(), "refscope-check-"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const zarray = (shape: readonly number[]) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks: shape.map(() => 1),
    dtype: "|u1",
    compressor: null,
    filters: null,
    order: "C",
    fill_value: null,
  });

/** An array of three chunks, of which some are there. */
function writeSet(name: string, chunks: readonly number[], more: object = {}): string {
  const path = join(folder, name);
  const refs = { "a/.zarray": zarray([3]), ...Object.fromEntries(chunks.map((at) => [`a/${at}`, "x"])), ...more };
  writeFileSync(path, JSON.stringify(refs));
  return path;
}

interface SarifRun {
  readonly tool: {
    readonly driver: {
      readonly rules: readonly { readonly id: string; readonly shortDescription: { readonly text: string } }[];
    };
  };
  readonly results: readonly {
    readonly locations: readonly [
      { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
    ];
  }[];
}

type Printed = CheckReport & {
  readonly accepted?: CheckReport["accepted"];
  readonly readers?: readonly ReaderReport[];
};

async function report(args: readonly string[]): Promise<Printed> {
  return JSON.parse((await runCommand(["check", "--json", ...args])).stdout) as Printed;
}

describe("check", () => {
  it("only notes that a data file was made before its coordinates were written", async () => {
    const file = "src/engine/check/fixtures/unwritten/unwritten.nc4";
    const { findings } = JSON.parse((await runCommand(["check", "--json", "--deep", "all", file])).stdout) as {
      findings: readonly { code: string; severity: string }[];
    };
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["info no-chunks"]);
  });

  it("answers five questions, and fails on errors alone unless asked otherwise", async () => {
    const path = writeSet("gap.json", [0, 2], { "a/7": "x" });
    const { verdict, findings, checked } = await report([path]);
    expect(verdict).toMatchObject({
      opens: { answer: "yes" },
      complete: { answer: "partly", why: "1 of 3 chunks has no reference." },
      values: { answer: "yes" },
      readers: { answer: "not-checked" },
    });
    expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(["key-outside-grid", "steps-missing"]));
    // Inline chunks cost nothing to decode.
    expect(checked).toMatchObject({ chunks: { of: 2, decoded: 2, failed: 0 }, targets: { of: 0 } });
    expect((await runCommand(["check", path])).status).toBe(0);
    expect((await runCommand(["check", path, "--fail-on", "warning"])).status).toBe(1);
    expect((await runCommand(["check", writeSet("bad.json", [0, 1, 2], { "a/0": 4 })])).status).toBe(1);
  });

  it("counts chunks where it names chunks: five missing targets of two each are ten chunks", async () => {
    const targets = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`a/${at}`, [`d${at >> 1}.nc`, at, 1]]));
    const path = writeSet("targets.json", [], { "a/.zarray": zarray([10]), ...targets });
    const text = (await runCommand(["check", path, "--deep", "all", "--network"])).stdout;
    const markdown = (await runCommand(["check", path, "--deep", "all", "--network", "--format", "markdown"])).stdout;
    expect(text).toMatch(/error\[target-missing\]: Source files? not found [^(]*\(10 of 10 chunks\)/);
    expect(markdown).toMatch(/Source file not found \(10 chunks\)/);
  });

  it("finds no fault with what Refscope alone cannot decode", async () => {
    const compressed = (id: string) => JSON.stringify({ ...JSON.parse(zarray([3])), compressor: { id } });
    const path = writeSet("jpegxr.json", [0, 1, 2], { "a/.zarray": compressed("imagecodecs_jpegxr") });
    const { verdict, findings, checked } = await report([path, "--deep", "all"]);
    expect(verdict.values).toEqual({
      answer: "not-checked",
      why: "3 chunks are not checked: Refscope has no decoder for them.",
    });
    expect(checked.chunks).toEqual({ of: 3, decoded: 0, failed: 0, unbuilt: 3 });
    expect(findings.find(({ code }) => code === "codec-unknown")).toMatchObject({ severity: "info", count: 3 });
    expect((await runCommand(["check", path, "--deep", "all"])).status).toBe(0);
    // A name that nothing has is one of the metadata.
    const slip = writeSet("slip.json", [0, 1, 2], { "a/.zarray": compressed("zlibb") });
    expect((await runCommand(["check", slip, "--deep", "all"])).status).toBe(1);
  });

  it("asks about the reader that is named: by rules, and for zarrita by running it", async () => {
    const path = writeSet("reader.json", [0, 1, 2], { "a/1": "" });
    const { verdict, findings, checked } = await report([path, "--reader", "zarrita"]);
    expect(verdict.readers).toMatchObject({
      answer: "partly",
      why: expect.stringMatching(/was run on all 3 chunks: 1 differs from Python's/) as string,
    });
    expect(findings.map(({ code }) => code)).toContain("reader-misreads");
    expect(checked).toMatchObject({ reader: { name: "zarrita", run: { compared: 3, same: 2, different: 1 } } });
    const other = await report([path, "--reader", "icechunk"]);
    expect(other.verdict.readers.answer).toBe("no");
    expect(other.findings.map(({ code }) => code)).toContain("reader-cannot-read");
    const { status, stderr } = await runCommand(["check", path, "--reader", "nobody"]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/--reader expects one of fsspec, .*titiler/)]);
  });

  it("compares all readers, each with its verdict and evidence, and finds fault with none", async () => {
    const path = writeSet("readers.json", [0, 1, 2], { "a/1": "" });
    const { stdout } = await runCommand(["check", path, "--reader", "all"]);
    // Icechunk does not read it: that is no fault of the set.
    expect((await runCommand(["check", writeSet("plain.json", [0, 1, 2]), "--reader", "all"])).status).toBe(0);
    expect(stdout).toMatch(/Readers +Partially\. \d+ of 17 readers read all of it/);
    expect(stdout).toMatch(
      /✕ zarrita +Silently returns wrong values: 1 of 3 chunks +run on all 3 chunks +zarrita 0\.7\.5/,
    );
    expect(stdout).toMatch(/Evidence: run by Refscope's tests with zarrita 0\.7\.5\./);
    expect(stdout).toMatch(/✓ fsspec \(default\) +Reads +by rules/);
    const all = await report([path, "--reader", "all"]);
    expect(all.findings.filter(({ code }) => code.startsWith("reader-"))).toEqual([]);
    expect(all.readers).toHaveLength(17);
    expect(all.readers?.find(({ reader }) => reader === "zarrita")).toMatchObject({
      outcome: "wrong",
      run: { compared: 3, different: 1 },
      effects: [{ rule: "zarrita-empty-inline", count: 1, of: 3, conditional: false }, {}],
    });
    const markdown = (await runCommand(["check", path, "--reader", "all", "--format", "markdown"])).stdout;
    expect(markdown.match(/^\| Reader \| Verdict \| Known from \| Why \|$/gm)).toHaveLength(1);
    expect(markdown).toMatch(
      /^\| zarrita \| Silently returns wrong values: 1 of 3 chunks \| run on all 3 chunks; zarrita/m,
    );
    const effects = all.readers?.flatMap((one) => one.effects.filter(({ effect }) => effect !== "reads")) ?? [];
    expect(effects.length).toBeGreaterThan(2);
    expect(markdown.split("What each reads differently:")[1]?.match(/^- \*\*/gm)).toHaveLength(effects.length);
    expect((await runCommand(["check", path, "--reader", "icechunk"])).stdout).toMatch(/Evidence: its source/);
  });

  it("lists what was compared where that is asked for, and always in JSON", async () => {
    const axis = (name: string, more: object = {}) => JSON.stringify({ _ARRAY_DIMENSIONS: [name], ...more });
    const whole = (shape: readonly number[]) => JSON.stringify({ ...JSON.parse(zarray(shape)), chunks: shape });
    const path = writeSet("compared.json", [0, 1, 2], {
      "lat/.zarray": whole([3]),
      "lat/.zattrs": axis("lat", { bounds: "lat_bnds" }),
      "lat/0": "abc",
      "lat_bnds/.zarray": whole([3, 2]),
      "lat_bnds/0.0": "abbccd",
      "lev/.zarray": whole([2]),
      "lev/.zattrs": axis("lev"),
      "lev/0": "ab",
    });
    const { stdout } = await runCommand(["check", path, "--deep", "all", "--explain-compared"]);
    expect(stdout).toContain("decode; lat agrees with its bounds. 1 coordinate is stated once: nothing to compare.");
    expect(stdout.split("Compared\n")[1]?.trimEnd().split("\n")).toEqual([
      "  ✓  places  lat  agree                            lat, its bounds lat_bnds",
      "  ○  places  lev  stated once, nothing to compare  lev",
    ]);
    expect((await runCommand(["check", path, "--deep", "all"])).stdout).not.toContain("Compared");
    expect((await report([path])).checked.compared?.[0]).toMatchObject({
      quantity: "place",
      subject: "lat",
      agrees: true,
    });
  });

  it("says what does not open, and exits with 2", async () => {
    const path = join(folder, "none.json");
    writeFileSync(path, "{");
    const { status, stdout } = await runCommand(["check", path]);
    expect(status).toBe(2);
    expect(stdout).toContain("Cannot be opened");
    expect((await report([path])).verdict).toMatchObject({
      opens: { answer: "no" },
      values: { answer: "not-checked" },
    });
  });

  it("accepts what is known, says what of that is gone, and fails on a new gap", async () => {
    const known = join(folder, "known.json");
    const old = writeSet("old.json", [0, 2], { "a/7": "x" });
    await runCommand(["check", old, "--write-accept", known]);
    const run = (path: string) => runCommand(["check", path, "--accept", known, "--fail-on", "new"]);
    expect((await run(old)).status).toBe(0);
    expect((await report([old, "--accept", known])).findings).toEqual([]);
    const mended = writeSet("mended.json", [0, 1, 2], { "a/7": "x" });
    expect((await run(mended)).status).toBe(0);
    expect((await report([mended, "--accept", known])).findings).toMatchObject([{ code: "acceptance-unused" }]);
    expect((await run(writeSet("new.json", [0], { "a/7": "x" }))).status).toBe(1);
    const { verdict } = await report([old, "--accept", known]);
    expect(verdict.complete).toEqual({ answer: "yes", why: "1 of 3 chunks has no reference, all accepted." });
    const again = await report([old, "--accept", known]);
    expect(again.accepted).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: "steps-missing", reason: expect.any(String) })]),
    );
    const markdown = (await runCommand(["check", old, "--accept", known, "--format", "markdown"])).stdout;
    expect(markdown).toContain("## No problems found, apart from accepted ones");
    expect(markdown).toMatch(/### Accepted\n\n- `key-outside-grid`: .*Known when this file was written/);
    const sarif = (await runCommand(["check", old, "--accept", known, "--format", "sarif"])).stdout;
    const { runs } = JSON.parse(sarif) as { readonly runs: readonly [{ readonly results: readonly object[] }] };
    expect(runs[0].results.length).toBe(again.accepted?.length);
    expect(runs[0].results.every((one) => "suppressions" in one)).toBe(true);
  });

  it("says of what was accepted, and reaches further by now, by how much", async () => {
    const known = join(folder, "known-gap.json");
    await runCommand(["check", writeSet("one-gap.json", [0, 2]), "--write-accept", known]);
    const wider = writeSet("wider-gap.json", [2]);
    const said = /Spread further since it was accepted on \d{4}-\d\d-\d\d: 2 chunks by now, 1 then\./;
    for (const format of ["text", "markdown", "github"])
      expect((await runCommand(["check", wider, "--accept", known, "--format", format])).stdout).toMatch(said);
    const { findings, accepted } = await report([wider, "--accept", known]);
    expect(accepted?.map(({ code }) => code)).not.toContain("steps-missing");
    expect(findings.find(({ code }) => code === "steps-missing")?.outgrown).toMatchObject({
      reason: "Known when this file was written.",
      date: expect.any(String) as string,
      count: 1,
    });
    expect((await report([wider])).findings.every((one) => one.outgrown === undefined)).toBe(true);
  });

  it("expects what it wrote down", async () => {
    const expected = join(folder, "expected.json");
    const whole = writeSet("whole.json", [0, 1, 2]);
    await runCommand(["check", whole, "--write-expect", expected]);
    expect((await runCommand(["check", whole, "--expect", expected])).status).toBe(0);
    const gap = writeSet("gap-again.json", [0, 1]);
    expect((await report([whole, "--expect", expected])).verdict.complete).toEqual({
      answer: "yes",
      why: "All 3 chunks have references. Meets expected.json (1 array, 0 coordinates).",
    });
    const { findings, verdict, checked } = await report([gap, "--expect", expected]);
    expect(checked).toMatchObject({ expectation: { name: "expected.json", arrays: 1, coordinates: 0, met: false } });
    expect(findings[0]).toMatchObject({ code: "expected-chunks", severity: "error", array: "a" });
    expect(verdict.complete.answer).toBe("partly");
    expect((await runCommand(["check", gap, "--expect", expected])).status).toBe(1);
    writeFileSync(expected, "{}");
    expect(await runCommand(["check", gap, "--expect", expected])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^The file of expectations cannot be read\. In line 1, .*--write-expect/) as string,
    });
  });

  it("prints what was asked for, of several sets by name", async () => {
    const [one, other] = [writeSet("one.json", [0, 1, 2]), writeSet("two.json", [0, 1])];
    const both = JSON.parse((await runCommand(["check", one, other, "--json"])).stdout) as object;
    expect(Object.keys(both)).toEqual([one, other]);
    const text = async (format: string) => (await runCommand(["check", other, "--format", format])).stdout;
    expect(await text("text")).toMatch(/^.*two\.json: Opens with 1 warning\n/);
    expect(JSON.parse(await text("sarif"))).toMatchObject({ version: "2.1.0" });
    expect(await text("github")).toMatch(/^::warning file=.*\[steps-missing\]$/m);
    expect(await text("markdown")).toContain("| Is it complete? | ◐ Partially |");
    const [copy, page] = [join(folder, "copy.json"), join(folder, "copy.md")];
    await runCommand(["check", other, "--report", `json=${copy}`, "--report", `markdown=${page}`]);
    expect(JSON.parse(readFileSync(copy, "utf8"))).toMatchObject({ verdict: { complete: { answer: "partly" } } });
    expect(readFileSync(page, "utf8")).toBe(await text("markdown"));
    expect(await runCommand(["check", one, "--report", "xml=a"])).toMatchObject({ status: 2 });
    expect(await runCommand(["check", one, "--format", "xml"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--format expects one of") as string,
    });
    expect((await runCommand(["check", one, "--fail-on", "note"])).status).toBe(2);
  });

  it("of several sets in one document says which there are, and checks the others all the same", async () => {
    const two = join(folder, "several.json");
    const empty = { version: 1, refs: { ".zgroup": JSON.stringify({ zarr_format: 2 }) } };
    writeFileSync(two, JSON.stringify({ one: empty, two: empty }));
    const single = writeSet("beside.json", [0, 1, 2]);
    const words = "The document holds 2 reference sets. Choose one with --choice: one, two";
    const alone = await runCommand(["check", two, "--json"]);
    expect(alone).toMatchObject({ status: 2, stderr: `${two}\n  ${words}\n` });
    expect(JSON.parse(alone.stdout)).toMatchObject({ kind: "choose", choices: [{ id: "one" }, { id: "two" }] });
    const both = await runCommand(["check", two, single, "--json"]);
    expect(both.status).toBe(2);
    expect(JSON.parse(both.stdout)).toMatchObject({
      [two]: { kind: "choose" },
      [single]: { verdict: { opens: { answer: "yes" } } },
    });
    expect((await runCommand(["check", two, single])).stdout).toMatch(/^.*beside\.json: /);
    expect((await runCommand(["read", two, "--array", "a"])).stderr).toBe(`${words}\n`);
  });

  it("names files for code hosts by their paths in the project, and rules by what they are", async () => {
    const annotations = join(folder, "annotations");
    const uriOf = async (path: string, ...more: readonly string[]) => {
      const { stdout } = await runCommand(["check", path, "--format", "sarif", ...more]);
      const [run] = (JSON.parse(stdout) as { readonly runs: readonly [SarifRun] }).runs;
      return [run, run.results[0]?.locations[0].physicalLocation.artifactLocation.uri] as const;
    };
    const sample = "public/samples/ocean-broken.json";
    const [{ tool }, uri] = await uriOf(join(process.cwd(), sample), "--report", `github=${annotations}`);
    expect(uri).toBe(sample);
    expect(readFileSync(annotations, "utf8")).toMatch(/^::error file=public\/samples\/ocean-broken\.json,/m);
    const overlap = tool.driver.rules.find(({ id }) => id === "ranges-overlap");
    expect(overlap?.shortDescription.text).toBe("Overlapping ranges");
    const outside = writeSet("out side.json", [0]);
    expect((await uriOf(outside))[1]).toBe(pathToFileURL(outside).href);
  });

  it("writes files that read well", async () => {
    const expected = join(folder, "written.json");
    await runCommand(["check", writeSet("w.json", [0, 1, 2]), "--write-expect", expected]);
    expect(JSON.parse(readFileSync(expected, "utf8"))).toEqual({
      refscope: "expectation",
      arrays: { a: { shape: [3], dtype: "|u1", complete: true } },
      coordinates: {},
    });
  });
});
