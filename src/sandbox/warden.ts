/**
 * The worker between the page and the reader. It starts the reader as a worker of its own, gives it the document, waits
 * for one message, checks it, ends the reader and passes the answer on. What a hostile document posts is unpacked here,
 * never on the page's thread, and the time limit is kept here, even while the page is busy.
 */
import { ANSWER_CAP, isAnswer, READER_NO_EVAL, READER_READY, READER_TOO_LARGE } from "./protocol.ts";
import type { FromWarden, WardenStart } from "./protocol.ts";

const NO_EVAL =
  "The host forbids “unsafe-eval” for nunjucks.html by a Content-Security-Policy header, and nunjucks makes code of " +
  "each template. Exempt this one file from the header: it brings a policy of its own.";
const NO_WORKERS = "This browser starts no worker inside a worker, which the sandbox needs.";

const TOO_LARGE = `The reader's answer is larger than ${ANSWER_CAP / 2 ** 20} MiB.`;

globalThis.addEventListener("message", (event: MessageEvent<WardenStart>) => watch(event.data), { once: true });

function watch({ document, limit, port, reader: program }: WardenStart): void {
  if (typeof Worker === "undefined") {
    port.postMessage({ kind: "unavailable", reason: NO_WORKERS } satisfies FromWarden);
    return;
  }
  const reader = new Worker(URL.createObjectURL(new Blob([program], { type: "text/javascript" })));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let given = false;

  const end = (message: FromWarden, transfer: Transferable[] = []) => {
    clearTimeout(timer);
    reader.onmessage = null;
    reader.terminate();
    port.postMessage(message, transfer);
  };
  const unavailable = (reason: string) => end({ kind: "unavailable", reason });
  const give = () => {
    given = true;
    timer = setTimeout(() => end({ kind: "timeout", milliseconds: limit }), limit);
    port.postMessage({ kind: "started" } satisfies FromWarden);
    reader.postMessage(document, [document]);
  };

  reader.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!given && data === READER_READY) give();
    else if (!given && data === READER_NO_EVAL) unavailable(NO_EVAL);
    else if (given && isAnswer(data)) end({ kind: "answer", bytes: data }, [data]);
    else if (given && data === READER_TOO_LARGE) unavailable(TOO_LARGE);
    else unavailable("The reader's answer is not of the expected form: the document's templates may have forged it.");
  };
  reader.addEventListener("messageerror", () => unavailable("The reader's answer could not be unpacked."));
  // Errors that template code throws outside of the reader's call change nothing.
  reader.addEventListener("error", (event) => {
    event.preventDefault();
    if (!given) unavailable("The reader could not be started.");
  });
}
