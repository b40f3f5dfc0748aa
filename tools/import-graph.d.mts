/** Parts of files of `src/` that import each other in a circle, as paths from the project's root. */
export function circles(): readonly (readonly string[])[];
/** Absolute paths of the TypeScript files below `folder`, `src/` where not given; `tests`: those of tests too. */
export function sourceFiles(which?: {
  readonly folders?: readonly string[];
  readonly tests?: boolean;
}): readonly string[];
/** Tests, and what only tests import. */
export function isTest(path: string): boolean;
/** Values that a room of the engine imports from a higher one, as `file → file`. */
export function engineArrowsUp(): readonly string[];
/** Rooms of the engine that know each other both ways, imports of types included. */
export function enginePairs(): readonly string[];
/** Path of the file that an import leads to: `#` is `src/`. */
export function resolveImport(from: string, path: string): string;
