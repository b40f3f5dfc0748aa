/** The process of the command line. */
import { main } from "./main.ts";
import { endOutput } from "./output.ts";

process.stdout.on("error", endOutput);

process.exitCode = await main(process.argv.slice(2));
