/**
 * JSON Schema (draft-07) of a reference set (Version 0 and 1), for completion, hover and warnings while typing. It
 * warns only where fsspec's `simple_templates=False` mode raises; the engine's diagnostics say the rest (missing
 * fields, names, results).
 */
import { snippets } from "./snippets.ts";

/** A JSON Schema as plain data, with the `defaultSnippets` and `errorMessage` of JSON editors. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** `strict` adds what raises in Version 1; without, the same names are described and nothing is asked. */
type Strictness = "strict" | "loose";

const only = (strictness: Strictness, rules: JsonSchema): JsonSchema => (strictness === "strict" ? rules : {});

/** Schema of a whole document. */
export function referenceSetSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    // Version 0 has no version (null is none): any key is a reference, "templates" and "gen" too.
    if: { required: ["version"], properties: { version: { ...version("loose"), not: { const: null } } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: members("strict") },
    else: { properties: members("loose"), additionalProperties: reference() },
  };
}

function members(strictness: Strictness): JsonSchema {
  return {
    version: version(strictness),
    templates: templates(strictness),
    gen: gen(strictness),
    refs: refs(strictness),
  };
}

function version(strictness: Strictness): JsonSchema {
  return {
    description:
      "Version of the reference set. 1 allows templates and gen beside refs. Without it (or with null) the document is Version 0: then every key is a reference, also one named templates, gen or refs.",
    suggestSortText: "1",
    defaultSnippets: [{ body: 1 }],
    // Not `enum`: completion would offer true, which fsspec reads as 1.
    ...only(strictness, {
      not: { not: { enum: [1, true] } },
      errorMessage:
        'fsspec reads version 1 (a number, not "1") and no other; without a version the document is Version 0.',
    }),
  };
}

function templates(strictness: Strictness): JsonSchema {
  return {
    description:
      "Names for parts of URLs, used as {{name}} in the URLs of refs and everywhere in gen. A template which itself contains {{ is a function: {{f(c='text')}} renders it with these arguments, and it sees nothing else, neither other templates nor dimensions.",
    suggestSortText: "2",
    defaultSnippets: [{ body: snippets.templates }],
    ...only(strictness, { type: "object", errorMessage: "templates must be an object of names and texts." }),
    additionalProperties: {
      description: "A template: text that stands for {{name}}. With {{ in it, a function of its arguments.",
      ...only(strictness, {
        type: ["string", "array", "object"],
        errorMessage: "A template must be a string: fsspec raises TypeError on numbers, true, false and null.",
      }),
    },
  };
}

function gen(strictness: Strictness): JsonSchema {
  return {
    description:
      "References that are computed: each entry makes one for every combination of its dimensions' values, the last dimension varies fastest. They replace references of refs with the same key. fsspec's default mode (simple_templates=True) drops every gen.",
    suggestSortText: "3",
    defaultSnippets: [{ body: snippets.gen }],
    // Empty values of any kind are allowed.
    ...only(strictness, { not: { anyOf: notGens }, errorMessage: "gen must be a list of entries." }),
    items: genEntry(strictness),
  };
}

const notGens: readonly JsonSchema[] = [
  { type: ["number", "boolean", "null"] },
  { type: "string", minLength: 1 },
  { type: "object", minProperties: 1 },
];

function genEntry(strictness: Strictness): JsonSchema {
  return {
    description: "An entry of gen: key and url, offset and length (both or neither), and the dimensions.",
    defaultSnippets: snippets.genEntries,
    ...only(strictness, {
      type: "object",
      required: ["dimensions"],
      errorMessage: "An entry of gen must be an object with dimensions.",
    }),
    properties: {
      key: {
        description:
          "Key of each reference, rendered with the dimensions and templates: {{i}} is the value of dimension i.",
        suggestSortText: "1",
        defaultSnippets: [{ body: "${1:key}{{${2:i}}}" }],
        ...text(strictness, "key"),
      },
      url: {
        description: "Target URL of each reference, rendered with the dimensions and templates.",
        suggestSortText: "2",
        defaultSnippets: [{ body: "${1:http://}$0" }],
        ...text(strictness, "url"),
      },
      offset: {
        description:
          'First byte in the target: a string which renders to a whole number, read by Python\'s int(). "{{i * 1000}}" is fine, "{{i / 2}}" gives 0.5 and raises: use // to divide. Needs length beside it.',
        suggestSortText: "3",
        defaultSnippets: [{ body: "{{${1:i * 1000}}}" }],
        ...text(strictness, "offset"),
      },
      length: {
        description:
          "Number of bytes in the target: a string which renders to a whole number, as offset. Needs offset beside it. Without both the whole target is the value.",
        suggestSortText: "4",
        defaultSnippets: [{ body: "${1:1000}" }],
        ...text(strictness, "length"),
      },
      dimensions: dimensions(strictness),
    },
  };
}

function text(strictness: Strictness, name: string): JsonSchema {
  return only(strictness, {
    type: "string",
    errorMessage: `${name} must be a string, also where it is a plain number ("1000"): fsspec renders it as a template and raises on anything else.`,
  });
}

function dimensions(strictness: Strictness): JsonSchema {
  return {
    description:
      "Names and values over which the entry runs: a range, or a list of any values. {} makes one reference, a dimension without values none.",
    suggestSortText: "5",
    defaultSnippets: [{ body: snippets.dimensions }],
    ...only(strictness, { type: "object", errorMessage: "dimensions must be an object of names and values." }),
    additionalProperties: dimension(strictness),
  };
}

function dimension(strictness: Strictness): JsonSchema {
  return {
    description: "Values of this dimension: a range with stop (excluded), start and step, or a list of any values.",
    defaultSnippets: snippets.dimensionValues,
    ...only(strictness, {
      type: ["object", "array"],
      required: ["stop"],
      errorMessage: 'A dimension must be a range with "stop" or a list of values.',
    }),
    properties: {
      start: bound(strictness, "start", "First value. 0 if it is not given.", 0, "2"),
      stop: bound(strictness, "stop", "Where the values end: itself excluded, as in Python's range.", 10, "1"),
      step: {
        ...bound(strictness, "step", "From one value to the next, negative to count down. 1 if not given.", 1, "3"),
        ...only(strictness, { not: { const: 0 }, errorMessage: "step must be a whole number other than 0." }),
      },
    },
  };
}

function bound(strictness: Strictness, name: string, description: string, body: number, order: string): JsonSchema {
  return {
    description,
    suggestSortText: order,
    defaultSnippets: [{ body: `^\${1:${String(body)}}` }],
    // Python's True and False are whole numbers.
    ...only(strictness, { type: ["integer", "boolean"], errorMessage: `${name} must be a whole number.` }),
  };
}

function refs(strictness: Strictness): JsonSchema {
  return {
    description:
      "References written one by one: a key and what stands for it. Only their URLs are rendered, and only where there are templates and the URL contains {{; keys and inline values never.",
    suggestSortText: "4",
    defaultSnippets: [{ body: snippets.refs }],
    ...only(strictness, { type: "object", errorMessage: "refs must be an object of keys and references." }),
    additionalProperties: reference(),
  };
}

/** A reference's value. What is wrong with one depends on what reads it: that is the engine's. */
function reference(): JsonSchema {
  return {
    description:
      'A reference: [url] for a whole target, [url, offset, length] for a range of its bytes, a string for the bytes themselves ("base64:…" where they are not text), or an object, which stands for its JSON text.',
    defaultSnippets: snippets.references,
  };
}
