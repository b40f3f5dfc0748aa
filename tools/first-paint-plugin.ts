/**
 * Writes the start page into the built `index.html`, with its styles: on a slow line its words stand there seconds before
 * the program does. React puts the same in its place.
 */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer, type Plugin } from "vite";

/** Shown a moment late: a page that has its program by then opens with what its address names. Buttons wait for it. */
const WAITING = `#root>[data-first]{height:100%;cursor:progress;animation:first 1ms 200ms both}
@keyframes first{from{visibility:hidden}}
[data-samples=none] [aria-label=Samples]{display:none}`;

export function firstPaint(root: string): Plugin {
  return {
    name: "first-paint",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html, { bundle = {} }) {
        const styles: string[] = [];
        // A sheet that is disabled is not fetched, yet counts as there for the code that asks for it.
        const linked = html.replaceAll(/<link rel="stylesheet"[^>]* href="\.\/([^"]+)"/g, (link, name: string) => {
          const sheet = bundle[name];
          if (sheet?.type !== "asset") throw new Error(`${name} is not in the bundle.`);
          styles.push(String(sheet.source));
          return `${link} disabled`;
        });
        const css = styles.join("");
        if (/url\(/.test(css.replaceAll('url("data:', ""))) throw new Error("A sheet of the first page names a file.");
        const page = (await drawn(root))
          // React puts the rest in its place.
          .replaceAll(/<link [^>]*>|<textarea.*?<\/textarea>| (?:title|aria-describedby)="[^"]*"/g, "")
          .replaceAll("<button ", "<button inert ");
        return linked
          .replace("</head>", () => `<style>${css}${WAITING}</style>\n  </head>`)
          .replace('<div id="root"></div>', () => `<div id="root"><div data-first>${page}</div></div>`);
      },
    },
  };
}

async function drawn(root: string): Promise<string> {
  const server = await createServer({
    root,
    configFile: false,
    plugins: [react()],
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { firstPaint } = await server.ssrLoadModule(join(root, "tools/first-paint.tsx"));
    return (firstPaint as () => string)();
  } finally {
    await server.close();
  }
}
