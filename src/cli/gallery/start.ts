/** The process of `npm run gallery`; its arguments are ids of stores. */
import { resolve } from "node:path";
import { runGallery } from "./run-gallery.ts";

process.exitCode = await runGallery({
  file: resolve(import.meta.dirname, "../../core/gallery/stores.json"),
  ids: process.argv.slice(2),
  today: new Date().toISOString().slice(0, 10),
});
