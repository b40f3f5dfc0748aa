/**
 * Skeletons that completion offers. The spelling is that of JSON editors' `defaultSnippets`: `${1:text}` is a place to
 * fill in, equal numbers are filled in together, and a body that begins with `^` is inserted as it stands.
 */
interface Snippet {
  readonly label: string;
  readonly description?: string;
  readonly body?: unknown;
  readonly bodyText?: string;
}

const entry = (indent: string) =>
  [
    "{",
    '  "key": "${1:gen_key}{{${2:i}}}",',
    '  "url": "${3:http://server/path_}{{${2:i}}}",',
    '  "offset": "{{${4:(i + 1) * 1000}}}",',
    '  "length": "${5:1000}",',
    '  "dimensions": { "${2:i}": { "stop": ${6:5} } }',
    "}",
  ].join(`\n${indent}`);

const wholeTargets = [
  "{",
  '  "key": "${1:gen_key}{{${2:i}}}",',
  '  "url": "${3:http://server/path_}{{${2:i}}}",',
  '  "dimensions": { "${2:i}": { "stop": ${4:5} } }',
  "}",
].join("\n");

const version1 = [
  "{",
  '  "version": 1,',
  '  "templates": {',
  '    "${1:u}": "${2:server.domain/path}"',
  "  },",
  '  "gen": [',
  "    {",
  '      "key": "${3:gen_key}{{${4:i}}}",',
  '      "url": "http://{{${1:u}}}_{{${4:i}}}",',
  '      "offset": "{{${5:(i + 1) * 1000}}}",',
  '      "length": "${6:1000}",',
  '      "dimensions": { "${4:i}": { "stop": ${7:5} } }',
  "    }",
  "  ],",
  '  "refs": {',
  '    "${8:key0}": "${9:data}"$0',
  "  }",
  "}",
].join("\n");

const version0 = [
  "{",
  '  "${1:key0}": "${2:data}",',
  '  "${3:key1}": ["${4:http://target_url}", ${5:10000}, ${6:100}]$0',
  "}",
];

const documents = [
  {
    label: '{ "version": 1, templates, gen, refs }',
    description: "A Version 1 reference set with one template, one gen and one reference.",
    bodyText: version1,
  },
  {
    label: '{ "version": 1, refs }',
    description: "A Version 1 reference set without templates.",
    bodyText: ["{", '  "version": 1,', '  "refs": {', "    $0", "  }", "}"].join("\n"),
  },
  {
    label: "{ key: reference }",
    description: "A Version 0 reference set: every key is a reference.",
    bodyText: version0.join("\n"),
  },
];

const genEntries: readonly Snippet[] = [
  {
    label: "gen entry: ranges of bytes",
    description: "key, url, offset, length and dimensions.",
    bodyText: entry(""),
  },
  { label: "gen entry: whole targets", description: "key, url and dimensions.", bodyText: wholeTargets },
];

const dimensionValues: readonly Snippet[] = [
  { label: "range: stop", description: "0, 1, … up to stop, excluded.", bodyText: '{ "stop": ${1:5} }' },
  {
    label: "range: start, stop, step",
    description: "Python's range(start, stop, step).",
    bodyText: '{ "start": ${1:0}, "stop": ${2:10}, "step": ${3:2} }',
  },
  { label: "list of values", description: "Any JSON values.", bodyText: "[${1:0}, ${2:1}]" },
];

const references: readonly Snippet[] = [
  {
    label: "[url, offset, length]",
    description: "A range of bytes of a target.",
    bodyText: '["${1:http://target_url}", ${2:10000}, ${3:100}]',
  },
  { label: "[url]", description: "A whole target.", bodyText: '["${1:http://target_url}"]' },
  { label: "inline text", description: "The bytes themselves, as text.", bodyText: '"${1:data}"' },
  { label: "inline base64", description: "The bytes themselves, in base64.", bodyText: '"base64:${1:AAAA}"' },
];

export const snippets = {
  documents,
  templates: '^{\n  "${1:u}": "${2:server.domain/path}"\n}',
  gen: `^[\n  ${entry("  ")}\n]`,
  genEntries,
  dimensions: '^{ "${1:i}": { "stop": ${2:5} } }',
  dimensionValues,
  refs: '^{\n  "${1:key0}": ${2:"data"}\n}',
  references,
} as const;

/** A suggestion's text as a snippet: `$0` marks the cursor, all else is text. */
export function snippetText(insert: string): string {
  return insert
    .split("$0")
    .map((part) => part.replaceAll(/[\\$}]/g, String.raw`\$&`))
    .join("$0");
}
