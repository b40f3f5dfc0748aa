/**
 * One way to render the gen of the specification's example, so many entries, in a fresh process:
 * `node --import tsx bench/render-subjects.ts SUBJECT ENTRIES` prints milliseconds as JSON. Every subject makes key, URL,
 * offset and length of each entry, and adds them up so that nothing is left out.
 */
import { createRequire } from "node:module";
import { makeRenderer } from "../src/engine/render/renderer.ts";

export const RENDER_SUBJECTS = ["refscope", "literals", "nunjucks", "reader"] as const;
export type RenderSubject = (typeof RENDER_SUBJECTS)[number];

const TEMPLATES = { u: "server.domain/path", f: "{{c}}" };
const GEN = { key: "gen_key{{i}}", url: "http://{{u}}_{{i}}", offset: "{{(i + 1) * 1000}}", length: "1000" };

/** Sum over all entries of the lengths of key and URL and of offset and length: the same for every subject. */
type Render = (entries: number) => number | Promise<number>;

const sum = (key: string, url: string, offset: number, length: number) => key.length + url.length + offset + length;

function genOf(entries: number) {
  return [{ ...GEN, dimensions: { i: { stop: entries } } }];
}

/** What rendering costs at the least: JavaScript written for these very templates. */
function literals(entries: number): number {
  let all = 0;
  for (let i = 0; i < entries; i += 1) {
    const length = "1000";
    const offset = parseInt(`${(i + 1) * 1000}`, 10);
    all += sum(`gen_key${i}`, `http://${TEMPLATES.u}_${i}`, offset, parseInt(length, 10));
  }
  return all;
}

function refscope(entries: number): number {
  let all = 0;
  const texts = { templates: JSON.stringify(TEMPLATES), gen: JSON.stringify(genOf(entries)) };
  makeRenderer(texts).generate(0, ({ key, url, offset, length }) => {
    all += sum(key, url, Number(offset), Number(length));
    return true;
  });
  return all;
}

interface Nunjucks {
  compile(template: string): { render(context: object): string };
}

function nunjucks(entries: number): number {
  const library = createRequire(import.meta.url)("nunjucks") as Nunjucks;
  const [key, url, offset, length] = [GEN.key, GEN.url, GEN.offset, GEN.length].map((one) => library.compile(one));
  let all = 0;
  for (let i = 0; i < entries; i += 1) {
    const context = { ...TEMPLATES, i };
    const text = (template: typeof key) => template?.render(context) ?? "";
    all += sum(text(key), text(url), parseInt(text(offset), 10), parseInt(text(length), 10));
  }
  return all;
}

/** It collects its references; the others only render. */
async function reader(entries: number): Promise<number> {
  const { parse } = await import("reference-spec-reader");
  let all = 0;
  for (const [key, ref] of parse({ version: 1, templates: TEMPLATES, gen: genOf(entries), refs: {} })) {
    const [url, offset = 0, length = 0] = ref;
    all += sum(key, String(url ?? ""), Number(offset), Number(length));
  }
  return all;
}

const RENDER: Readonly<Record<RenderSubject, Render>> = { refscope, literals, nunjucks, reader };

const [, script, subject, entries] = process.argv;
if (script?.endsWith("render-subjects.ts") === true) {
  const render = RENDER[subject as RenderSubject];
  await render(2000); // so that what is measured runs compiled
  const started = performance.now();
  const answer = await render(Number(entries));
  console.log(JSON.stringify({ milliseconds: performance.now() - started, answer }));
}
