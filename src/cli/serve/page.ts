/** The page's own files, as its build left them, with the policy that they declare. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sendFile, typeOf } from "./files.ts";
import type { Asked } from "./loopback.ts";

/** Places of the page: beside the program in the package, in the output of `vite build` in the repository. */
const PLACES = ["../page/", "../", "../../../dist/"];

export interface Page {
  readonly send: (asked: Asked, response: ServerResponse) => Promise<void>;
}

/** Throws where there is none. */
export function openPage(): Page {
  const found = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const folder = found.find((place) => existsSync(join(place, "index.html")));
  if (folder === undefined) throw new Error("The page has not been built: run “npx vite build” in the repository.");
  const real = realpathSync(folder);
  const own = declared(join(real, "index.html"));
  return {
    send(asked, response) {
      const path = asked.path === "" ? "index.html" : asked.path;
      // A document's own policy applies to it; workers follow the headers of their file.
      const policy = path.endsWith(".html") ? declared(join(real, basename(path))) : own;
      const sandbox = path === "nunjucks.html" ? "; sandbox allow-scripts" : "";
      response.setHeader("content-security-policy", `${policy}${sandbox}; frame-ancestors 'self'`);
      return sendFile({ ...asked, range: undefined }, response, { real, typeOf }, path);
    },
  };
}

function declared(path: string): string {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(text)?.[1] ?? "default-src 'none'";
}
