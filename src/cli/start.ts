/** The process of the command line. */
import { main } from "./main.ts";

// The program that reads the output may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await main(process.argv.slice(2));
