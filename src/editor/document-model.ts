/** One document in the editor: its text with history, where one was in it, and which versions were given away. */
import { EditLog, type Span } from "./edit-log.ts";
import { LANGUAGE } from "./language.ts";
import { editor, type IDisposable, Range, Uri } from "./monaco.ts";

/** Recently sent texts, newest last, to match responses. */
const REMEMBERED = 8;

let made = 0;

interface Given {
  readonly text: string;
  readonly version: number;
}

export class DocumentModel {
  readonly model: editor.ITextModel;
  /** Scroll, cursor and folding, while no editor shows it. */
  viewState: editor.ICodeEditorViewState | null = null;
  readonly #log: EditLog;
  readonly #listener: IDisposable;
  readonly #given: Given[] = [];
  #read: Given;

  constructor(text: string) {
    made += 1;
    this.model = editor.createModel(
      text,
      LANGUAGE,
      Uri.parse(`inmemory://refscope/${String(made)}/reference-set.json`),
    );
    this.model.updateOptions({
      tabSize: 2,
      insertSpaces: true,
      trimAutoWhitespace: true,
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    });
    this.#log = new EditLog(this.model.getVersionId());
    this.#listener = this.model.onDidChangeContent((event) => {
      const changes = event.changes.map((change) => ({
        start: change.rangeOffset,
        removed: change.rangeLength,
        added: change.text.length,
      }));
      this.#log.add(event.versionId, changes);
      readNewLines(this.model, event);
    });
    this.#read = { text: this.model.getValue(), version: this.model.getVersionId() };
    this.#remember({ ...this.#read, text });
  }

  /** The text as it is; read once a version. */
  text(): string {
    const version = this.model.getVersionId();
    if (this.#read.version !== version) this.#read = { text: this.model.getValue(), version };
    return this.#read.text;
  }

  /** The same, remembered as given away. */
  give(): string {
    const text = this.text();
    if (this.#given.at(-1) !== this.#read) this.#remember(this.#read);
    return text;
  }

  /** Version of a text that was given away; the current one if none is named, `undefined` for one that is unknown. */
  versionOf(text: string | undefined): number | undefined {
    if (text === undefined) return this.model.getVersionId();
    // Newest first. Texts of other lengths differ without being read.
    return this.#given.findLast((given) => given.text.length === text.length && given.text === text)?.version;
  }

  /** Present place of a span of an earlier version; `undefined` if unknown. */
  place(span: Span, version: number): (Range & { readonly touched: boolean }) | undefined {
    const moved = this.#log.move(span, version);
    if (moved === undefined) return undefined;
    const range = Range.fromPositions(this.model.getPositionAt(moved.start), this.model.getPositionAt(moved.end));
    return Object.assign(range, { touched: moved.touched });
  }

  dispose(): void {
    this.#listener.dispose();
    this.model.dispose();
  }

  #remember(given: Given): void {
    this.#given.push(given);
    if (this.#given.length > REMEMBERED) this.#given.shift();
  }
}

/**
 * Monaco closes brackets only in lines whose words it has read, and reads them when it is idle: on a busy machine an
 * opening bracket right after Enter would stay open. So new lines are read at once. What does it has no public name;
 * without it nothing is lost but that.
 */
interface Reading {
  readonly tokenization?: {
    isCheapToTokenize?: (line: number) => boolean;
    forceTokenization?: (line: number) => void;
  };
}

/** After a change: reads the lines that Enter made, if all above them is read. */
function readNewLines(model: editor.ITextModel, { changes }: editor.IModelContentChangedEvent): void {
  const [change] = changes;
  if (change === undefined || changes.length > 1 || !/^\r?\n[ \t]*(?:\r?\n[ \t]*)?$/.test(change.text)) return;
  const { tokenization } = model as Reading;
  const first = change.range.startLineNumber;
  if (tokenization?.isCheapToTokenize?.(first) === true) tokenization.forceTokenization?.(first + 1);
}
