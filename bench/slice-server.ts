/**
 * A process of its own: gives ranges of one file, each answer after so many milliseconds. Its arguments are the file and
 * the milliseconds; it says its port, and answers `/count` with the number of ranges that were asked for since the last.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [file = "", latency = "20"] = process.argv.slice(2);
const content = readFileSync(file);
let count = 0;

const server = createServer((request, response) => {
  if (request.url === "/count") {
    response.end(String(count));
    count = 0;
    return;
  }
  const [, first = "0", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const end = last === "" ? content.length : Number(last) + 1;
  count += 1;
  const headers = {
    "content-range": `bytes ${first}-${end - 1}/${content.length}`,
    "content-length": end - Number(first),
  };
  setTimeout(() => {
    response.writeHead(206, headers).end(content.subarray(Number(first), end));
  }, Number(latency));
});
server.listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
