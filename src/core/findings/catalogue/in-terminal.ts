/**
 * Terminal wording for phrases that name parts of the page: a terminal has no dropping, no locations and no rewrite
 * rules. Whole phrases of the catalogue: a test makes sure that no other is left.
 */
const PHRASES: readonly (readonly [onPage: string, inTerminal: string])[] = [
  [
    "add credentials for this URL prefix in Locations",
    "read it with a program that has credentials: this one sends none",
  ],
  [
    "Add credentials for this URL prefix in Locations",
    "Read it with a program that has credentials: this one sends none",
  ],
  [", or an address for the prefix is given in Locations", ""],
  [
    "an address of the same files is given for the prefix in Locations",
    "the references name an address of the same files",
  ],
  ["give an address of the same files for the prefix in Locations", "read it with a program that knows the store"],
  ["else give an address for the prefix in Locations", "else with a program that knows the account"],
  ["give an address for the prefix in Locations", "read it with a program that knows its address"],
  ["give them for the prefix in Locations", "this program sends none"],
  ["Set the bucket's region in Locations", "Name the bucket's region in the URL"],
  ["set the bucket's region in Locations", "name the bucket's region in the URL"],
  [
    "Set the file that the null URLs stand for as the dataset's target in Locations, or drop it here",
    "Name the file that the null URLs stand for with --target",
  ],
  [
    "Drop the archive here, or set it as the dataset's target in Locations",
    "Name the archive in the URL (zip://FILE::ARCHIVE), or with --target",
  ],
  [
    "Drop the file here, or add a rewrite rule from this prefix to a URL of the same files",
    "Name the folder that has the file with --root, or correct the URLs in the references",
  ],
  [
    "Drop the source file together with the reference file, or add a rewrite rule from this prefix to its URL",
    "Name the folder that has the source file with --root, or write its URL into the references",
  ],
  [
    "Drop the folder or the reference file, alone or together with the files it points to",
    "Name the folder or the reference file; --root names the folder of the files it points to",
  ],
  [
    "Add a rewrite rule from this prefix to an http(s) URL of the same files, or drop the files here",
    "Write an http(s) URL of the same files into the references, or name their folder with --root",
  ],
  [
    "Upload the file and replace the path with its URL, or add a rewrite rule for the start of the path",
    "Upload the file and replace the path with its URL, or name its folder with --root",
  ],
  [
    "read it through a mirror with a rewrite rule, or download the file and drop it here",
    "or read it through a mirror that does",
  ],
  ["drop the same files or folder here, or ", "name the folder of the same files with --root, or "],
  ["Find out in a terminal where the redirect leads.", "Find out with curl -I where the redirect leads."],
  [
    "Ask that host to send Access-Control-Allow-Origin, or add a rewrite rule to a URL that pages may read",
    "Ask that host to send Access-Control-Allow-Origin, or refer to a URL that pages may read",
  ],
  ["Add a rewrite rule from ", "Correct the URLs in the references, from "],
  [
    "add a rewrite rule from the old prefix to the new one",
    "replace the old prefix with the new one in the references",
  ],
  ["add a rewrite rule from this prefix to its new place", "write its new place into the references"],
  ["add a rewrite rule from this prefix to the object's place", "write the object's place into it"],
  ["add a rewrite rule from the path as written to the file's place", "write the file's place into the manifest"],
  ["add a rewrite rule from this URL to its path", "write its path into the references"],
  [", and add a rewrite rule to it", ", and refer to it there"],
  ["Correct the URL, or add a rewrite rule.", "Correct the URL in the references."],
  [
    "It may have changed, moved or been deleted since you opened it. Open it again.",
    "Check the path, and that you may read it.",
  ],
  ["open it in its own tab to see", "open it in a browser to see"],
  ["Open the URL in its own tab to see", "Open the URL in a browser to see"],
  ["or send this page for anything", "or send a web page for anything"],
  ["This page may not read the server's response", "A page may not read the server's response"],
  ["&ref=NAME in the page's URL, --ref NAME in a terminal", "--ref NAME"],
  ["in Check on the page, or with --write-expect in a terminal", "with --write-expect"],
  ["in Check on the page, or with --write-accept in a terminal", "with --write-accept"],
];

/** Rewrites a sentence of the catalogue for the terminal. */
export const inTerminal = (text: string): string =>
  PHRASES.reduce((known, [onPage, own]) => known.replaceAll(onPage, own), text);
