/** The process of the command line. */
import { main } from "./main.ts";

// Whoever reads the answer may have had enough of it, as `head` has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await main(process.argv.slice(2));
