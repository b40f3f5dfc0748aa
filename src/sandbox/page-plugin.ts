/**
 * Makes `nunjucks.html` for the build, the preview and the dev server: one file that holds the supervisor, the warden,
 * the reader, nunjucks and reference-spec-reader. All is inline, since a document of opaque origin may load no module
 * from the server, and its policy names the one script by its hash.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";

const FILE = "nunjucks.html";

/** Only headers can say these two: opened by itself, the document gets no origin; only our own page may frame it. */
const HEADER_ONLY = "sandbox allow-scripts; frame-ancestors 'self'";

/** @param pagePolicy Content-Security-Policy of everything else, sent by the preview. */
export function sandboxPage(pagePolicy: string): Plugin {
  let [root, outDir] = ["", ""];
  return {
    name: "sandbox-page",
    configResolved(config) {
      root = config.root;
      outDir = config.build.outDir;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (isSandbox(request.url)) pageText(root).then((text) => send(response, text), next);
        else next();
      });
    },
    configurePreviewServer(server) {
      const built = resolve(root, outDir, FILE);
      server.middlewares.use((request, response, next) => {
        const own = isSandbox(request.url) && existsSync(built);
        response.setHeader("Content-Security-Policy", own ? headerOf(readFileSync(built, "utf8")) : pagePolicy);
        next();
      });
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: await pageText(root) });
    },
  };
}

const isSandbox = (url = "") => (url.split(/[?#]/)[0] ?? "").endsWith(`/${FILE}`);

function send(response: ServerResponse, text: string): void {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Content-Security-Policy", headerOf(text));
  response.end(text);
}

/** The header that says what the document's own policy says, and more. */
function headerOf(text: string): string {
  const own = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1];
  return own === undefined ? "default-src 'none'" : `${own}; ${HEADER_ONLY}`;
}

/**
 * The whole document. Errors of bundling are thrown.
 * @param root the project's folder.
 */
export async function pageText(root: string): Promise<string> {
  const folder = join(root, "src/sandbox");
  const [supervisor, warden, reader] = await Promise.all(
    ["supervisor.ts", "warden.ts", "reader.ts"].map((name) => bundled(join(folder, name))),
  );
  const script = `const WARDEN=${literal(warden)},READER=${literal(reader)};\n${supervisor ?? ""}`;
  if (/<\/script|<!--/i.test(script)) throw new Error("The sandbox's script would end its own element.");
  const hash = createHash("sha256").update(script).digest("base64");
  const policy =
    `default-src 'none'; script-src 'unsafe-eval' 'sha256-${hash}'; worker-src blob:; connect-src 'none'; ` +
    "base-uri 'none'; form-action 'none'";
  return readFileSync(join(folder, FILE), "utf8")
    .replace("%policy%", () => policy)
    .replace("%script%", () => `<script>${script}</script>`);
}

/** A JavaScript string that can stand in an inline script. */
const literal = (text = "") => JSON.stringify(text).replaceAll("<", String.raw`\u003c`);

/** A program with all it imports, as a classic script. */
async function bundled(entry: string): Promise<string> {
  const results = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2023",
      // A template may print a function: its text is then part of the result, and must be as published.
      minify: false,
      lib: { entry, formats: ["iife"], name: "sandbox" },
    },
  });
  const output = Array.isArray(results) ? results[0] : results;
  const chunk = output !== undefined && "output" in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error(`Bundling ${entry} for the sandbox made no file.`);
  return chunk.code;
}
