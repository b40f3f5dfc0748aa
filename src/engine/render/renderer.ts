/**
 * Version 1 rendered as fsspec does it with `simple_templates=False`
 * (fsspec/implementations/reference.py: `_process_references1`, `_process_templates`, `_process_gen`).
 */
import type { Finding } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { JsonNode } from "#core/json/json.ts";
import { parseJsonTree } from "#core/json/parse-json.ts";
import { MAX_GENERATED } from "#core/table/version1.ts";
import type { GeneratedEntry, GenOrigin, RenderedUrl, Version1Renderer } from "#core/table/version1.ts";
import { Budget } from "@refscope/jinja";
import type { Gen } from "./gen.ts";
import { GenList } from "./gen-list.ts";
import { missingArguments, notedUrl, printedFunction } from "./name-findings.ts";
import {
  raisedBy,
  raisedText,
  genFails,
  gensFail,
  genTooLarge,
  genTooMuchText,
  templateFails,
  urlFails,
} from "./render-findings.ts";
import { readTemplates, type Templates } from "./templates.ts";

/** JSON texts of a document's `templates` and `gen`. */
export interface Version1Texts {
  readonly templates: string | undefined;
  readonly gen: string | undefined;
}

export interface RenderOptions {
  /** fsspec's `template_overrides`. */
  readonly overrides?: ReadonlyMap<string, string> | undefined;
  /** Most entries that all gens together may make. */
  readonly most?: number | undefined;
  /** Most characters of all their keys and URLs together. */
  readonly maxCharacters?: number | undefined;
}

export const MAX_CHARACTERS = 4_000_000_000;
const MAX_KEPT_URLS = 10_000;

type Take = (entry: GeneratedEntry, ordinal: number) => boolean;

/** Never throws: what is wrong with the document is in the renderer's findings. */
export function makeRenderer(texts: Version1Texts, options: RenderOptions = {}): Version1Renderer {
  return new Renderer(texts, options);
}

class Renderer implements Version1Renderer {
  /** Number of entries; none is made if it is over the limit (`gen-too-large`). */
  readonly size: number;
  readonly #log = new FindingLog();
  readonly #templates: Templates;
  readonly #list: GenList;
  readonly #isTooLarge: boolean;
  readonly #maxCharacters: number;
  /** At which of its entries a gen ends before its time. */
  readonly #endings = new Map<Gen, number>();
  readonly #urls = new Map<string, RenderedUrl>();
  /** Characters made so far, and up to which ordinal they are counted. */
  #characters = 0;
  #counted = 0;
  #isIncomplete = false;

  constructor(texts: Version1Texts, options: RenderOptions) {
    const { overrides, most = MAX_GENERATED, maxCharacters = MAX_CHARACTERS } = options;
    this.#maxCharacters = maxCharacters;
    const fault = (error: unknown, name: string | undefined): void => this.#stop(templateFails(error, name));
    const templates = readTemplates(
      nodeOf(texts.templates, (error) => fault(error, undefined)),
      overrides,
      new Budget(),
      {
        fault,
        missing: (name, template, given) => this.#log.addAll(missingArguments(name, template, given, templates)),
      },
    );
    this.#templates = templates;
    this.#list = this.#readList(texts.gen);
    const { gens, total } = this.#list;
    this.size = Number(total);
    this.#isTooLarge = total > BigInt(Math.min(most, Number.MAX_SAFE_INTEGER));
    if (this.#isTooLarge) this.#stop(genTooLarge(total, most));
    for (const [gen, { fault }] of gens.entries()) {
      if (fault !== undefined) this.#stop(genFails(fault, { gen, variables: [] }));
    }
  }

  #readList(text: string | undefined): GenList {
    const fault = (error: unknown): void => this.#stop(gensFail(error));
    try {
      return new GenList(nodeOf(text, fault), this.#templates, this.#log);
    } catch (error) {
      fault(error);
      return new GenList(undefined, this.#templates, this.#log);
    }
  }

  /** Keeps references from being made. */
  #stop(found: Finding): void {
    this.#isIncomplete = true;
    this.#log.add(found);
  }

  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  get hasTemplates(): boolean {
    return this.#templates.values.size > 0;
  }

  url(written: string): RenderedUrl {
    if (!this.hasTemplates || !written.includes("{{")) return { kind: "url", url: written };
    const known = this.#urls.get(written);
    if (known !== undefined) return known;
    const rendered = this.#rendered(written);
    if (this.#urls.size >= MAX_KEPT_URLS) this.#urls.clear();
    this.#urls.set(written, rendered);
    return rendered;
  }

  #rendered(written: string): RenderedUrl {
    try {
      return { kind: "url", url: notedUrl(written, this.#templates, this.#log) };
    } catch (error) {
      this.#log.add(urlFails(error, written));
      return { kind: "fault", error: raisedText(raisedBy(error)), reason: urlFails(error, written) };
    }
  }

  generate(from: number, take: Take): boolean {
    if (this.#isTooLarge) return true;
    const { gens, starts } = this.#list;
    for (const [index, gen] of gens.entries()) {
      const start = starts[index] ?? 0;
      if (!this.#generateOne(gen, index, start, Math.max(from - start, 0), take)) return false;
      if (this.#characters > this.#maxCharacters) break;
    }
    return true;
  }

  #generateOne(gen: Gen, index: number, start: number, from: number, take: Take): boolean {
    const end = Math.min(Number(gen.count), this.#endings.get(gen) ?? Infinity);
    for (let number = from; number < end; number += 1) {
      const entry = this.#entry(gen, index, start, number);
      if (entry === undefined) return true;
      if (!take(entry, start + number)) return false;
    }
    return true;
  }

  /** `undefined`: the gen ends here, and a finding says why. */
  #entry(gen: Gen, index: number, start: number, number: number): GeneratedEntry | undefined {
    try {
      const entry = gen.entry(number);
      const ordinal = start + number;
      if (ordinal < this.#counted) return entry;
      if (number === 0) this.#lookAt(entry, index);
      this.#counted = ordinal + 1;
      this.#characters += entry.key.length + entry.url.length;
      if (this.#characters <= this.#maxCharacters) return entry;
      this.#stop(genTooMuchText(ordinal, this.#maxCharacters));
    } catch (error) {
      this.#stop(genFails(error, { gen: index, variables: gen.variableTexts(number) }));
    }
    this.#endings.set(gen, number);
    return undefined;
  }

  #lookAt({ key, url }: GeneratedEntry, index: number): void {
    this.#log.addAll(printedFunction({ kind: "gen", index, field: "key" }, key, this.#templates));
    this.#log.addAll(printedFunction({ kind: "gen", index, field: "url" }, url, this.#templates));
  }

  origin(ordinal: number): GenOrigin {
    const { gen, index, number } = this.#list.place(ordinal);
    return { gen: index, variables: gen.variableTexts(number) };
  }

  findings(): readonly Finding[] {
    return this.#log.list();
  }
}

function nodeOf(text: string | undefined, fault: (error: unknown) => void): JsonNode | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJsonTree(text).root;
  } catch (error) {
    fault(error);
    return undefined;
  }
}
