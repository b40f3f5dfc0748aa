/** Markers in the text: the engine's findings, and problems that only the JSON service finds. */
import type { Severity } from "../core/findings/catalogue/entry.ts";
import type { Diagnostic } from "../core/studio.ts";
import type { DocumentModel } from "./document-model.ts";
import { editor, type Fix, type IRange, MarkerSeverity, Range } from "./monaco.ts";
import { jsonProblems, rangeOf, type LspProblem } from "./json-service.ts";
import { Timer } from "./timer.ts";
import { explained } from "../core/findings/explain.ts";

/** Marks in one text; there may be thousands of the same. */
const MAX_MARKERS = 1000;
/** UTF-16 units beyond which the JSON service is not asked: the engine reads the document anyway. */
const MAX_CHECKED = 1_500_000;
/** Milliseconds after the last edit. */
const CHECK_AFTER = 500;

const ENGINE = "refscope";
const JSON_SERVICE = "json";

const placesOf = ({ place, others = [] }: Diagnostic) => [place, ...others];

/** The marks of one document while an editor shows it. */
export class Markers {
  readonly #document: DocumentModel;
  readonly #listener: { dispose(): void };
  readonly #checking = new Timer(() => void this.#check());
  #shown: readonly { readonly diagnostic: Diagnostic; readonly version: number }[] = [];
  #problems: readonly LspProblem[] = [];

  constructor(document: DocumentModel) {
    this.#document = document;
    this.#listener = document.model.onDidChangeContent(() => this.#checking.restart(CHECK_AFTER));
    this.#checking.restart(0);
  }

  /** Shows findings made for a text given out earlier. For another text nothing changes: newer ones will come. */
  show(diagnostics: readonly Diagnostic[], forText: string | undefined): void {
    const version = this.#document.versionOf(forText);
    if (version === undefined) return;
    this.#shown = diagnostics.slice(0, MAX_MARKERS).map((diagnostic) => ({ diagnostic, version }));
    const markers = this.#shown.flatMap(({ diagnostic }) => {
      const ranges = placesOf(diagnostic).map((place) => this.#document.place(place, version));
      return ranges.flatMap((range) => (range === undefined ? [] : [markerOf(diagnostic, range)]));
    });
    editor.setModelMarkers(this.#document.model, ENGINE, markers);
    this.#showProblems();
  }

  /** Fixes of what is marked in the range, unless it was edited since. */
  fixes(range: IRange): readonly Fix[] {
    const fixes: Fix[] = [];
    for (const { diagnostic, version } of this.#shown) {
      if (diagnostic.fix === undefined) continue;
      const places = placesOf(diagnostic).map((one) => this.#document.place(one, version));
      const place = places.find((one) => one !== undefined && Range.areIntersectingOrTouching(one, range));
      if (place === undefined) continue;
      const edits = diagnostic.fix.edits.map((edit) => ({
        range: this.#document.place(edit, version),
        text: edit.text,
      }));
      const sure = edits.flatMap(({ range, text }) => (range === undefined || range.touched ? [] : [{ range, text }]));
      if (sure.length < edits.length) continue;
      fixes.push({ title: diagnostic.fix.title, marker: markerOf(diagnostic, place), edits: sure });
    }
    return fixes;
  }

  dispose(): void {
    this.#checking.stop();
    this.#listener.dispose();
    if (this.#document.model.isDisposed()) return;
    editor.setModelMarkers(this.#document.model, ENGINE, []);
    editor.setModelMarkers(this.#document.model, JSON_SERVICE, []);
  }

  async #check(): Promise<void> {
    const { model } = this.#document;
    if (model.isDisposed()) return;
    const version = model.getVersionId();
    // An empty text is where one begins, not an error.
    const asked = model.getValueLength() <= MAX_CHECKED && (model.getLineCount() > 1 || /\S/.test(model.getValue()));
    const problems = asked ? await jsonProblems(model).catch(() => []) : [];
    if (model.isDisposed() || model.getVersionId() !== version) return;
    this.#problems = problems;
    this.#showProblems();
  }

  #showProblems(): void {
    const { model } = this.#document;
    const errors = editor.getModelMarkers({ resource: model.uri, owner: ENGINE }).map((marker) => Range.lift(marker));
    const markers = this.#problems.slice(0, MAX_MARKERS).flatMap((problem) => {
      const range = rangeOf(problem.range);
      // From before an edit that made the text shorter: the next check is under way.
      if (range.startLineNumber > model.getLineCount()) return [];
      const marked = errors.some((error) => Range.areIntersectingOrTouching(error, range));
      const rest = model.getLineContent(range.startLineNumber).slice(range.startColumn - 1, range.startColumn + 10);
      if (marked || NUMBER_OF_PYTHON.test(rest)) return [];
      const severity = SEVERITIES[problem.severity === 1 ? "error" : "warning"];
      return [{ ...range, message: problem.message, severity }];
    });
    editor.setModelMarkers(model, JSON_SERVICE, markers);
  }
}

/** Python's JSON reads them. */
const NUMBER_OF_PYTHON = /^(?:NaN|-?Infinity)\b/;

function markerOf(diagnostic: Diagnostic, range: IRange): editor.IMarkerData {
  const { code, subject } = diagnostic;
  const { severity, message, remedy } = explained(diagnostic);
  const said = subject === undefined ? message : `${subject}: ${message}`;
  const { startLineNumber, startColumn, endLineNumber, endColumn } = range;
  return {
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn: Range.isEmpty(range) ? endColumn + 1 : endColumn,
    severity: SEVERITIES[severity],
    message: remedy === undefined ? said : `${said}\n${remedy}`,
    code,
  };
}

const SEVERITIES: Readonly<Record<Severity, MarkerSeverity>> = {
  error: MarkerSeverity.Error,
  warning: MarkerSeverity.Warning,
  info: MarkerSeverity.Info,
};
