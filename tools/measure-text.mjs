/** Figures about comments, names, sentences and paths, read off the sources by their letters. Each returns places. */

/** First words that leave a comment without its subject; questions may begin with them. */
const FRAGMENT = /^\s*(?:\/\/|\/\*\*?|\*) (?:Of|As|In|By|That|Told|Said|What|Where|Whether)\b[^?\n]*$/gm;
const VAGUE_NAME =
  /^(?:export )?(?:async )?(?:function|const) (?:nameOf|placeOf|textOf|sizeOf|isSame|NOTHING|MOST)\b/gm;
/** A section's heading that another heading or the end of the file follows. */
const HEADING = /^(?:\/\/ [^\n]*\n)+\n+(?=(?:\/\/ [^\n]*\n)+\n|$(?![^]))/gm;
/** A path that climbs two folders or more. */
const CLIMBING = /from "(?:\.\.\/){2,}/g;
const TEXT = /(["`])(?:(?!\1)[^\n\\]|\\.)*?\1/g;
const FOUR_WORDS = /(?:[A-Za-z,.:']+ ){3}[a-z]+/;

const lineAt = (text, index) => text.slice(0, index).split("\n").length;

/** Every match of a pattern, as `path:line`. */
export function places(files, pattern) {
  return files.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(({ index }) => `${path}:${lineAt(text, index)}`),
  );
}

/** Texts of four words or more that code below `folder` writes itself; comments do not count. */
export function sentences(files, folder) {
  return files
    .filter(([path]) => path.startsWith(folder))
    .flatMap(([path, text]) =>
      [...withoutComments(text).matchAll(TEXT)]
        .filter(([written]) => FOUR_WORDS.test(written.replace(/\$\{[^}]*\}/g, "x")))
        .map(({ index }) => `${path}:${lineAt(text, index)}`),
    );
}

const blank = (text) => text.replace(/[^\n]/g, " ");
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, blank).replace(/\/\/.*$/gm, blank);

export const fragments = (files) => places(files, FRAGMENT);
export const vagueNames = (files) => places(files, VAGUE_NAME);
export const emptyHeadings = (files) => places(files, HEADING);
export const climbingImports = (files) => places(files, CLIMBING);
/** `<table>` outside the widgets that are made for tables. */
export const handWrittenTables = (files) =>
  places(
    files.filter(([path]) => !/widgets[/\\](?:data-grid|small-table)[/\\]/.test(path)),
    /<table\b/g,
  );
