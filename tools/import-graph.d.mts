/** Parts of files of `src/` that import each other in a circle, as paths from the project's root. */
export function circles(): readonly (readonly string[])[];
