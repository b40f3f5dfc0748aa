/**
 * `npm run -s docs`: the documentation as static pages in `dist/docs/`, from the Markdown in `docs/` and from what the
 * project declares: commands, JSON, codes, codecs, addresses, the package. A page says where the latter goes by
 * `<!-- generated: NAME -->`. Where the built page lies beside it, that page learns that there is documentation.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Marked, type Token, type Tokens } from "marked";
import { COMMANDS, type Command } from "../src/cli/commands.ts";
import { argumentsOf, optionsOf } from "../src/cli/help.ts";
import { codecDescriptions } from "../src/codecs/find-codec.ts";
import { NOT_BUILT_NAMES } from "../src/codecs/not-built.ts";
import { codesBySubject, type CodeDescription } from "../src/core/findings/code-list.ts";
import { DOCUMENT_DRIVERS, FOLDER_DRIVERS } from "../src/engine/open/drivers.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SOURCE = join(ROOT, "docs");
/** Pictures of the page as it is built, if they were taken (tools/screens.ts). */
const TAKEN = join(ROOT, "dist", "screens");

/** Every page has its place in the list at the left. */
export const PAGES: Readonly<Record<string, readonly string[]>> = {
  Tasks: [
    "netcdf",
    "nan",
    "failed-chunk",
    "check",
    "publish",
    "action",
    "edit",
    "shard",
    "history",
    "compare",
    "private",
    "notebook",
  ],
  "The page": ["data", "embedding", "serving"],
  Reference: ["terminal", "json", "codes", "formats", "codecs", "address", "package"],
};
/** Starts the documentation; on GitHub what a folder shows. */
const FIRST = "README";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const code = (text: string): string => `<code>${escaped(text)}</code>`;
/** Sentences of the project: what stands between backticks is code. */
const prose = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
const sentence = (text: string): string =>
  `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}${/[.!?:]$/.test(text) ? "" : "."}`;
const pre = (html: string): string => `<pre tabindex="0"><code>${html}</code></pre>`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((one) => `<td>${one}</td>`).join("")}</tr>`).join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

// What is generated.

function commands(): string {
  const links = Object.keys(COMMANDS).map((name) => `<a href="#${name}">${name}</a>`);
  const each = Object.entries<Command>(COMMANDS)
    .map(([name, command]) => {
      const { takes, does, examples, exitCodes, json } = command;
      const rows = [...argumentsOf(command), ...optionsOf(command)].map(([term, text]) => [
        code(term),
        prose(sentence(text)),
      ]);
      return [
        `<h3 id="${name}">${code(`refscope ${name} ${takes}`.trim())}</h3>`,
        `<p>${prose(sentence(does))}</p>`,
        pre(examples.map(([line, what]) => `<i># ${escaped(what)}</i>\n<b>refscope ${escaped(line)}</b>`).join("\n")),
        table(["Argument or option", "Meaning"], rows),
        ...(json === undefined ? [] : [`<p>With <code>--json</code>: ${code(json)}</p>`]),
        `<p>Exit code: ${escaped(exitCodes ?? "0 fine, 1 problems found, 2 cannot do it")}.</p>`,
      ].join("\n");
    })
    .join("\n");
  return `<p>${links.join(" · ")}</p>\n${each}`;
}

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $defs?: Definitions;
}

/** A table an object: the whole, and each definition. */
function schemaTables(): string {
  const schema = JSON.parse(readFileSync(join(SOURCE, "schema", "check.schema.json"), "utf8")) as Schema;
  const defs = schema.$defs ?? {};
  const tableOf = (one: Schema) => table(["Member", "Type", "Meaning"], members(one, defs));
  const named = Object.entries(defs).filter(([, { properties }]) => properties !== undefined);
  return [tableOf(schema), ...named.map(([name, one]) => `<h3 id="${name}">${code(name)}</h3>\n${tableOf(one)}`)].join(
    "\n",
  );
}

type Definitions = Readonly<Record<string, Schema>>;

function members(
  { properties = {}, required = [] }: Schema,
  defs: Definitions,
  before = "",
): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, one]) => {
    const path = `${before}${name}`;
    const inner = one.properties === undefined ? (one.items?.properties === undefined ? undefined : one.items) : one;
    const optional = required.includes(name) ? "" : " <small>optional</small>";
    const row = [code(path) + optional, typeOf(one, defs), prose(one.description ?? "")];
    return [row, ...(inner === undefined ? [] : members(inner, defs, `${path}${inner === one ? "." : "[]."}`))];
  });
}

function typeOf(one: Schema, defs: Definitions): string {
  const { type, enum: values, const: value, $ref: to, items, anyOf } = one;
  if (to !== undefined) {
    const of = defs[basename(to)] ?? {};
    return of.properties === undefined ? typeOf(of, defs) : `<a href="#${basename(to)}">${basename(to)}</a>`;
  }
  if (values !== undefined) return values.map((each) => code(JSON.stringify(each))).join(" or ");
  if (value !== undefined) return code(JSON.stringify(value));
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, defs)).join(" or ");
  if (items !== undefined) return `list of ${typeOf(items, defs)}`;
  return escaped([type ?? "any"].flat().join(" or "));
}

/** Of the other commands, what their declarations say. */
function jsonOfCommands(): string {
  const declared = Object.entries<Command>(COMMANDS).filter(([, { json }]) => json !== undefined);
  return table(
    ["Command", "With --json"],
    declared.map(([name, { json = "" }]) => [`<a href="terminal.html#${name}">${name}</a>`, code(json)]),
  );
}

const SEVERITY_WORDS = { error: "Error", warning: "Warning", info: "Note" } as const;
const severityMark = (severity: CodeDescription["severity"]): string =>
  `<span class="${severity}">${SEVERITY_WORDS[severity]}</span>`;

function codes(): string {
  return codesBySubject()
    .map(({ subject, title, codes: list }) => {
      const rows = list.map((one) => [
        `<a href="codes/${one.code}.html">${code(one.code)}</a>`,
        severityMark(one.severity),
        escaped(one.title),
      ]);
      return `<h2 id="${subject}">${escaped(title)}</h2>\n${table(["Code", "Severity", "Title"], rows)}`;
    })
    .join("\n");
}

function codePage({ code: name, severity, title, example, remedy, readers }: CodeDescription, subject: string): string {
  return [
    `<h1>${escaped(title)}</h1>`,
    `<p class="kind">${severityMark(severity)} ${code(name)} · ${escaped(subject)}</p>`,
    `<h2 id="means">What it means</h2>\n<p>For example, at ${code(example.where)}:</p>`,
    `<blockquote><p>${prose(example.message)}</p></blockquote>`,
    ...(remedy === undefined ? [] : [`<h2 id="do">What to do</h2>\n<p>${prose(remedy)}</p>`]),
    ...(readers === "" ? [] : [`<h2 id="readers">What readers do</h2>\n<p>${prose(readers)}</p>`]),
    `<h2 id="terminal">In a terminal</h2>\n${pre(`<b>refscope explain ${name}</b>`)}`,
    `<p>If you know of it and want it left out of the result, <a href="../check.html#set-a-known-problem-aside">set it aside</a> with a reason.</p>`,
  ].join("\n");
}

function codecs(): string {
  const rows = codecDescriptions().map(({ id, otherNames, words, fields }) => [
    code(id),
    otherNames
      .filter((name) => name !== id)
      .map(code)
      .join(" "),
    prose(words),
    fields.map(({ name }) => code(name)).join(" "),
  ]);
  const known = [...NOT_BUILT_NAMES].map(([name, words]) => [code(name), escaped(sentence(words))]);
  return `${table(["Codec", "Other names", "When it decodes", "Configuration"], rows)}
<h2 id="not-decoded">Known by name, not decoded</h2>\n${table(["Name", "What it is"], known)}`;
}

const formats = (): string =>
  `<ul>${[...FOLDER_DRIVERS, ...DOCUMENT_DRIVERS].map(({ name }) => `<li>${escaped(name)}</li>`).join("")}</ul>`;

/** From the declaration of a link, with its comments. */
function address(): string {
  const text = readFileSync(join(ROOT, "src/store/address.ts"), "utf8");
  const declared = /export interface Address \{([^]*?)\n\}/.exec(text)?.[1] ?? "";
  const found = declared.matchAll(/\/\*\* ([^]*?) \*\/\s+readonly (\w+)\?/g);
  const rows = Array.from(found, ([, words = "", name = ""]) => [code(name), prose(words.replaceAll(/\s+\* /g, " "))]);
  return table(["Parameter", "Meaning"], rows);
}

/** From the types as they are published. */
function types(): string {
  const text = readFileSync(join(ROOT, "src/package/types.ts"), "utf8").replaceAll(/^export /gm, "");
  const found = text.matchAll(/^(?:\/\*\* ([^*]+) \*\/\n)?(interface (\w+)[^]*?^\}|type (\w+)[^]*?;$)/gm);
  return Array.from(found, ([, words, declared = "", one, other]) => [words, declared, one ?? other ?? ""] as const)
    .map(([words, declared, name]) =>
      [
        `<h3 id="${name.toLowerCase()}">${code(name)}</h3>`,
        ...(words === undefined ? [] : [`<p>${prose(words)}</p>`]),
        pre(escaped(declared)),
      ].join("\n"),
    )
    .join("\n");
}

const GENERATED: Readonly<Record<string, () => string>> = {
  commands,
  "json of check": schemaTables,
  "json of commands": jsonOfCommands,
  codes,
  codecs,
  formats,
  address,
  types,
};

// Markdown.

/** As GitHub makes them. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

interface Written {
  readonly title: string;
  readonly html: string;
  readonly heads: readonly { readonly id: string; readonly text: string }[];
}

/** Where the repository can be read; absent before it has a public address. */
function repository(): string | undefined {
  const { repository: is } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly repository?: string | { readonly url: string };
  };
  return (typeof is === "string" ? is : is?.url)?.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** An address in the Markdown of `docs/`, in the built page. `undefined`: it leads to what no page holds. */
function target(href: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path = "", ...anchor] = href.split("#");
  const file = relative(ROOT, resolve(SOURCE, path)).replaceAll("\\", "/");
  const rest = anchor.length === 0 ? "" : `#${anchor.join("#")}`;
  // The built page lies above; what is public lies beside it.
  if (file === "index.html") return `../${rest}`;
  if (file.startsWith("public/")) return `../${file.slice("public/".length)}${rest}`;
  if (/^docs\/(?:schema|screens)\//.test(file)) return path;
  if (/^docs\/[\w-]+\.md$/.test(file)) return `${built(basename(file, ".md"))}${rest}`;
  if (/^docs\/codes\/[\w-]+\.html$/.test(file)) return href;
  const home = repository();
  return home === undefined ? undefined : `${home}/blob/main/${file}${rest}`;
}

const built = (name: string): string => (name === FIRST ? "index.html" : `${name}.html`);

function written(name: string): Written {
  const heads: { id: string; text: string }[] = [];
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll("`", "");
        if (depth === 2) heads.push({ id: slug(plain), text: plain });
        return `<h${depth}${depth === 1 ? "" : ` id="${slug(plain)}"`}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const to = target(href);
        const inner = this.parser.parseInline(tokens);
        return to === undefined ? inner : `<a href="${escaped(to)}">${inner}</a>`;
      },
      image: ({ href, text }: Tokens.Image) => `<img src="${escaped(target(href) ?? "")}" alt="${escaped(text)}" />`,
      code: ({ text, lang = "" }: Tokens.Code) => pre(typed(text, lang.split(" ")[0])),
      html: ({ text }: Tokens.HTML | Tokens.Tag) => generated(text),
    },
  });
  const text = readFileSync(join(SOURCE, `${name}.md`), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${name}.md has no title.`);
  const html = marked.parse(text, { async: false });
  const more = html.matchAll(/<h2 id="([\w-]+)">([^<]+)<\/h2>/g);
  const all =
    name === "codes" || name === "codecs" ? Array.from(more, ([, id = "", of = ""]) => ({ id, text: of })) : heads;
  return { title, html, heads: all };
}

/** What is typed stands out from what is answered. */
function typed(text: string, lang = ""): string {
  if (lang === "sh") return `<b>${escaped(text)}</b>`;
  return lang === "console" ? escaped(text).replaceAll(/^\$ (.*)$/gm, "<b>$1</b>") : escaped(text);
}

function generated(text: string): string {
  const name = /^<!-- generated: (.+?) -->/.exec(text.trim())?.[1];
  const make = name === undefined ? undefined : GENERATED[name];
  if (make === undefined) throw new Error(`“${text.trim()}” is neither Markdown nor generated.`);
  return make();
}

// Pages.

/** Nothing but what lies beside it: neither script nor font is fetched. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

interface Page extends Written {
  readonly file: string;
}

function pageHtml({ file, title, html }: Page, all: readonly Page[]): string {
  const up = "../".repeat(file.split("/").length - 1);
  const named = new Map(all.map((one) => [one.file, one]));
  const item = (name: string) => {
    const page = named.get(built(name));
    if (page === undefined) throw new Error(`There is no page ${name}.`);
    const isHere = page.file === file;
    const isPart = file.startsWith(`${name}/`);
    const current = isHere ? ' aria-current="page"' : isPart ? ' aria-current="true"' : "";
    const inner = isHere ? page.heads.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`) : [];
    const list = inner.length === 0 ? "" : `<ul>${inner.join("")}</ul>`;
    return `<li><a href="${up}${page.file}"${current}>${escaped(page.title)}</a>${list}</li>`;
  };
  const groups = Object.entries(PAGES).map(
    ([group, names]) => `<h2>${group}</h2>\n<ul>\n${names.map(item).join("\n")}\n</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<link rel="icon" type="image/svg+xml" href="${up}../icon.svg" />
<link rel="stylesheet" href="${up}docs.css" />
<title>${escaped(title)} · Refscope</title>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="${up}../">Refscope</a> <a href="${up}index.html">Documentation</a> <a class="to-pages" href="#pages">All pages</a></header>
<main id="main">
${html}
</main>
<nav id="pages" aria-label="Pages">
<ul>${item(FIRST)}</ul>
${groups.join("\n")}
</nav>
</body>
</html>
`;
}

/** Writes all pages into a folder; their files. */
export function buildDocs(out: string): readonly string[] {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "codes"), { recursive: true });
  const names = [FIRST, ...Object.values(PAGES).flat()];
  const pages: Page[] = names.map((name) => ({ ...written(name), file: built(name) }));
  for (const { title: subject, codes: list } of codesBySubject())
    for (const one of list)
      pages.push({ file: `codes/${one.code}.html`, title: one.title, html: codePage(one, subject), heads: [] });
  for (const page of pages) writeFileSync(join(out, page.file), pageHtml(page, pages));
  const css = ["src/app/tokens.css", "tools/docs.css"].map((file) => readFileSync(join(ROOT, file), "utf8"));
  writeFileSync(join(out, "docs.css"), css.join("\n"));
  cpSync(join(SOURCE, "schema"), join(out, "schema"), { recursive: true });
  for (const screens of [join(SOURCE, "screens"), TAKEN])
    if (existsSync(screens)) cpSync(screens, join(out, "screens"), { recursive: true });
  tellPage(join(dirname(out), "index.html"));
  return pages.map(({ file }) => file);
}

/** `data-docs`: findings and the help link here. */
function tellPage(index: string): void {
  if (!existsSync(index)) return;
  const html = readFileSync(index, "utf8");
  if (!html.includes(" data-docs")) writeFileSync(index, html.replace("<html ", "<html data-docs "));
}

interface Block {
  readonly lang: string;
  /** What its first line says after the language. */
  readonly info: string;
  readonly text: string;
}

const tokensOf = (markdown: string, type: string): readonly Token[] => {
  const found: Token[] = [];
  const marked = new Marked();
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === type) found.push(token);
  });
  return found;
};

/** Every block of code. */
export const blocksOf = (markdown: string): readonly Block[] =>
  (tokensOf(markdown, "code") as readonly Tokens.Code[]).map(({ lang: first = "", text }) => {
    const [lang = "", ...info] = first.split(" ");
    return { lang, info: info.join(" "), text };
  });

export const linksOf = (markdown: string): readonly string[] =>
  (["link", "image"] as const).flatMap((type) => tokensOf(markdown, type).map((one) => (one as Tokens.Link).href));

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { out: { type: "string", default: join(ROOT, "dist", "docs") } } });
  const files = buildDocs(resolve(values.out));
  console.log(`${files.length} pages in ${values.out}`);
}
