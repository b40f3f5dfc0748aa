import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { TableEdit, VersionRow } from "#core/studio.ts";
import { runs } from "#core/testing/runs.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { createEngine } from "../engine.ts";

type Engine = ReturnType<typeof createEngine>;
import { applyTextEdits } from "./text-edits.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });
/** Makes a document too large to be edited as text. */
const PADDING = `"padding":"${"x".repeat((4 << 20) + 10)}"`;

const zarray = (chunks: number) => JSON.stringify(zarrayWith({ shape: [chunks] }));

async function open(engine: Engine, text: string): Promise<number> {
  const answer = await engine.call(
    "set.open",
    { source: { kind: "text", text, name: "big.json" }, locations: NO_LOCATIONS },
    context(),
  );
  if (answer.kind !== "set") throw new Error("no set");
  return answer.set.id;
}

async function rowsOf(engine: Engine, set: number | undefined) {
  const { rows } = await engine.call(
    "edit.versionRows",
    { set: set ?? -1, spec: { show: "all", text: "" }, from: 0, to: 500 },
    context(),
  );
  const plain = ({ key, target, offset, length, state, origin, change }: VersionRow) => ({
    key,
    target,
    offset,
    length,
    state,
    origin,
    change,
  });
  return rows.filter(({ key }) => key !== "padding").map(plain);
}

const members = fc.uniqueArray(
  fc.oneof(
    fc.tuple(
      fc.constantFrom("a/0", "a/1", "a/9", "b/0", "b/1", "é/0", "__proto__", "a b/0.0", '"q"'),
      fc.constantFrom(
        '["s3://x/1",0,4]',
        '["{{u}}/y",5,6]',
        '["s3://x/1"]',
        "[null,1,2]",
        '"text"',
        '"base64:AAA="',
        "[1]",
        '["z",9007199254740991,4294967296]',
      ),
    ),
    fc.tuple(
      fc.constantFrom("a/.zarray", "b/.zarray", ".zgroup", "a/.zattrs"),
      fc.constantFrom(
        JSON.stringify(zarray(3)),
        JSON.stringify(zarray(12)),
        '{"x": [1.0]}',
        '"{\\"zarr_format\\": 2}"',
      ),
    ),
  ),
  { selector: ([key]) => key, maxLength: 10 },
);
const key = fc.constantFrom("a/0", "a/1", "b/0", "new/0", "padding2");
const edit: fc.Arbitrary<TableEdit> = fc.oneof(
  fc.record({
    kind: fc.constant("replace-prefix" as const),
    from: fc.constantFrom("s3://x", "s3://", "q"),
    to: fc.constantFrom("gs://", '"'),
  }),
  fc.record({ kind: fc.constant("set-reference" as const), key, value: fc.constantFrom('["s3://n",1,2]', '"inline"') }),
  fc.record({ kind: fc.constant("remove-reference" as const), key }),
  fc.record({ kind: fc.constant("drop-array" as const), path: fc.constantFrom("b", "new") }),
  fc.record({
    kind: fc.constant("shift-ranges" as const),
    path: fc.constantFrom("a", "new"),
    shift: fc.integer({ min: -3, max: 3 }),
    lengthen: fc.integer({ min: -3, max: 3 }),
  }),
);
const gens = fc.constantFrom("[]", '[{"key":"a/{{i}}","url":"{{u}}/{{i}}","dimensions":{"i":{"stop":3}}}]');

describe("a set too large for a text editor", () => {
  it("is edited to what editing its text would give", async () => {
    await fc.assert(
      fc.asyncProperty(
        members,
        gens,
        fc.boolean(),
        fc.array(edit, { maxLength: 3 }),
        async (members, gen, isFirst, edits) => {
          const refs = members.map(([k, v]) => `${JSON.stringify(k)}:${v}`);
          const document = (refs: readonly string[]) =>
            `{"version":1,"templates":{"u":"http://t"},"gen":${gen},"refs":{${refs.join(",")}}}`;
          const engine = createEngine();
          const large = await open(engine, document(isFirst ? [PADDING, ...refs] : [...refs, PADDING]));
          const source = await engine.call("edit.source", { set: large }, context());
          expect(source.kind).toBe("reduced");
          const reduced = await engine.call("edit.render", { set: large, text: source.text, edits }, context());
          const small = await open(engine, document(refs));
          let edited = document(refs);
          for (const edit of edits) {
            edited = applyTextEdits(edited, await engine.call("edit.textEdits", { text: edited, edit }, context()));
          }
          const whole = await engine.call("edit.render", { set: small, text: edited, edits: [] }, context());
          expect(await rowsOf(engine, reduced.set?.id)).toEqual(await rowsOf(engine, whole.set?.id));
          expect(reduced.changes).toEqual(whole.changes);
          expect(reduced.references).toBe(whole.references + 1);
        },
      ),
      { numRuns: runs(40, 4) },
    );
  });

  it("takes metadata, templates and new references from the text", async () => {
    const engine = createEngine();
    const large = await open(
      engine,
      `{"version":1,"templates":{"u":"http://t"},"gen":[],"refs":{"a/.zarray":${JSON.stringify(zarray(3))},${PADDING},"a/0":["{{u}}/0",0,4],"b/.zarray":"{}"}}`,
    );
    const { text, kept } = await engine.call("edit.source", { set: large }, context());
    expect(kept).toBe(2);
    expect(JSON.parse(text)).toMatchObject({ version: 1, templates: { u: "http://t" }, gen: [] });
    const document = JSON.parse(text) as { templates: { u: string }; refs: Record<string, unknown> };
    document.templates.u = "http://other";
    delete document.refs["b/.zarray"];
    document.refs["a/1"] = ["{{u}}/1", 4, 4];
    const { set, changes } = await engine.call(
      "edit.render",
      { set: large, text: JSON.stringify(document), edits: [] },
      context(),
    );
    expect(changes).toEqual({ added: 1, removed: 1, changed: 1 });
    expect((await rowsOf(engine, set?.id)).map(({ key, target }) => [key, target?.slice(0, 20)])).toEqual([
      ["a/.zarray", zarray(3).slice(0, 20)],
      ["a/0", "http://other/0"],
      ["a/1", "http://other/1"],
    ]);
  });

  it("of Version 0 has a text of metadata only", async () => {
    const engine = createEngine();
    const large = await open(engine, `{".zgroup":"{}",${PADDING},"a/0":["x",0,4]}`);
    expect(JSON.parse((await engine.call("edit.source", { set: large }, context())).text)).toEqual({ ".zgroup": "{}" });
    const answer = await engine.call("edit.render", { set: large, text: '{".zgroup": "{}"}', edits: [] }, context());
    expect(answer.changes).toEqual({ added: 0, removed: 0, changed: 0 });
  });

  it("refuses a value that is not JSON before anything is done", async () => {
    const engine = createEngine();
    const set = await open(engine, `{${PADDING},"a/0":["x",0,4]}`);
    const edits = [{ kind: "set-reference", key: "k", value: "[1" }] as const;
    await expect(engine.call("edit.render", { set, text: "{}", edits }, context())).rejects.toMatchObject({
      code: "reference-not-json",
    });
  });
});
