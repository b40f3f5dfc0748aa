/** JSON, or lines that are printable, for a stream in large pieces; waits where the reader is slow. */
import { once } from "node:events";
import type { Writable } from "node:stream";

/** The program that reads the output may stop early, as `head` does; a full disk is no reason for a stack. */
export function endOutput(error: Error): never {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  process.stderr.write(`The output could not be written: ${error.message}\n`);
  process.exit(2);
}

/** Characters that steer a terminal, separate lines, or turn the direction of text round. */
export const STEERS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** JSON that is written already, or a piece of it; its own spaces stay. */
export const escapedJson = (json: string): string =>
  json.replaceAll(STEERS, (character) => ("\t\n\r".includes(character) ? character : escaped(character)));

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const PIECE = 1 << 16;

export class Output {
  readonly #stream: Writable;
  #pieces: string[] = [];
  #size = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
    // `render DOC | head` is not an error.
    stream.on("error", (error) => endOutput(error));
  }

  async write(text: string): Promise<void> {
    this.#pieces.push(text);
    this.#size += text.length;
    if (this.#size >= PIECE) await this.flush();
  }

  async flush(): Promise<void> {
    const text = escapedJson(this.#pieces.join(""));
    this.#pieces = [];
    this.#size = 0;
    if (text !== "" && !this.#stream.write(text)) await once(this.#stream, "drain");
  }

  /** Waits until everything is written; the stream stays open. */
  async end(): Promise<void> {
    await this.flush();
  }
}
