/** The engine's place in the browser: runs one subject on the file it is sent. */
import { measure, type Subject } from "./subjects.ts";

addEventListener("message", (event: MessageEvent<{ subject: Subject; file: File }>) => {
  measure(event.data.subject, event.data.file).then(
    (outcome) => postMessage({ outcome }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
