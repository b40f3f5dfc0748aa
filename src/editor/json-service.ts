/**
 * Monaco's JSON language service in its own worker, under our schema: completion and description of properties, and what
 * is wrong with the JSON. It asks nothing of the network.
 */
import { editor, startJsonWorker, Uri, type IRange, type languages, type Position } from "./monaco.ts";
import { referenceSetSchema } from "./schema.ts";

/** Position in the worker's Language Server Protocol, lines and characters from 0. */
interface LspPosition {
  readonly line: number;
  readonly character: number;
}

interface LspRange {
  readonly start: LspPosition;
  readonly end: LspPosition;
}

export interface LspProblem {
  readonly range: LspRange;
  readonly message: string;
  /** 1 = error, 2 = warning. */
  readonly severity?: number;
}

export interface LspCompletion {
  readonly label: string;
  /** 9 and 12 are values, 10 properties. */
  readonly kind?: number;
  readonly documentation?: string | { readonly value: string };
  readonly sortText?: string;
  readonly filterText?: string;
  readonly textEdit?: { readonly newText: string; readonly range: LspRange };
  /** Present where something should be suggested after it. */
  readonly command?: { readonly command: string };
}

interface JsonWorkerApi {
  doValidation(uri: string): Promise<readonly LspProblem[]>;
  doComplete(uri: string, position: LspPosition): Promise<{ readonly items: readonly LspCompletion[] } | null>;
  doHover(
    uri: string,
    position: LspPosition,
  ): Promise<{ readonly contents: readonly string[]; readonly range?: LspRange } | null>;
}

const SETTINGS = {
  languageId: "json",
  enableSchemaRequest: false,
  languageSettings: {
    validate: true,
    allowComments: false,
    comments: "error",
    trailingCommas: "error",
    schemaValidation: "warning",
    // A document may name a schema of its own ($schema): that it is not loaded says nothing against the document.
    schemaRequest: "ignore",
    schemas: [{ uri: "inmemory://refscope/reference-set.schema.json", fileMatch: ["*"], schema: referenceSetSchema() }],
  },
};

let service: editor.MonacoWebWorker<JsonWorkerApi> | undefined;

async function workerFor(model: editor.ITextModel): Promise<JsonWorkerApi> {
  service ??= editor.createWebWorker<JsonWorkerApi>({ worker: startJsonWorker(SETTINGS), keepIdleModels: true });
  return service.withSyncedResources([Uri.parse(model.uri.toString())]);
}

/** Problems of a model's JSON; none where its worker gives no answer. */
export async function jsonProblems(model: editor.ITextModel): Promise<readonly LspProblem[]> {
  const worker = await workerFor(model);
  return (await worker.doValidation(model.uri.toString())) ?? [];
}

export async function jsonCompletions(model: editor.ITextModel, position: Position): Promise<readonly LspCompletion[]> {
  const worker = await workerFor(model);
  const list = await worker.doComplete(model.uri.toString(), lspPosition(position));
  return list?.items ?? [];
}

export async function jsonHover(model: editor.ITextModel, position: Position): Promise<languages.Hover | undefined> {
  const worker = await workerFor(model);
  const hover = await worker.doHover(model.uri.toString(), lspPosition(position));
  const contents = (hover?.contents ?? []).filter((text) => text !== "").map((value) => ({ value }));
  if (hover === null || contents.length === 0) return undefined;
  return { contents, ...(hover.range === undefined ? {} : { range: rangeOf(hover.range) }) };
}

function lspPosition({ lineNumber, column }: Position): LspPosition {
  return { line: lineNumber - 1, character: column - 1 };
}

export function rangeOf({ start, end }: LspRange): IRange {
  return {
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  };
}
