/** Text for a stream in large pieces, waiting where the reader is slow. */
import { once } from "node:events";
import type { Writable } from "node:stream";

const PIECE = 1 << 16;

export class Output {
  readonly #stream: Writable;
  #pieces: string[] = [];
  #size = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
    // `render DOC | head` is not an error.
    stream.on("error", (error) => process.exit("code" in error && error.code === "EPIPE" ? 0 : 2));
  }

  async write(text: string): Promise<void> {
    this.#pieces.push(text);
    this.#size += text.length;
    if (this.#size >= PIECE) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#size = 0;
    if (text !== "" && !this.#stream.write(text)) await once(this.#stream, "drain");
  }

  /** What is written is handed over; the stream stays open. */
  async end(): Promise<void> {
    await this.flush();
  }
}
