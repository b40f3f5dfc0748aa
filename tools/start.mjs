/** `npm start`: installs what is missing, builds, serves the page on PORT (default 5173) and prints its address. */
import { ensureDependencies, must, run } from "./ensure.mjs";

const port = process.env.PORT ?? "5173";
ensureDependencies();
must("npx", ["vite", "build", "--logLevel", "warn"]);
process.exit(run("npx", ["vite", "preview", "--port", port, "--strictPort"]));
