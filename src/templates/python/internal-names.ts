/**
 * Names with underscores that Python's own types have. The sandbox refuses them, where they exist: where they do not,
 * `dict.__proto__` may still be an ordinary key.
 */
const EVERY_OBJECT = named(
  `class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr
  setattr sizeof str subclasshook`,
);

const SEQUENCE = "add contains getitem iter len mul rmul";
const NUMBER = `abs add bool ceil divmod float floor floordiv getnewargs int mod mul neg pos pow radd rdivmod rfloordiv
  rmod rmul round rpow rsub rtruediv sub truediv trunc`;
const INTEGER = `${NUMBER} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`;
const FUNCTION = "call module name qualname";
const SET = "and contains iter len or rand reversed ror rsub rxor sub xor";

const OF_TYPE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["str", named(`${SEQUENCE} getnewargs mod rmod`)],
  ["int", named(INTEGER)],
  ["bool", named(INTEGER)],
  ["float", named(`${NUMBER} getformat`)],
  ["list", named(`${SEQUENCE} class_getitem delitem iadd imul reversed setitem`)],
  ["tuple", named(`${SEQUENCE} class_getitem getnewargs`)],
  ["dict", named("class_getitem contains delitem getitem ior iter len or reversed ror setitem")],
  ["range", named("bool contains getitem iter len reversed")],
  ["dict_keys", named(SET)],
  ["dict_items", named(SET)],
  ["dict_values", named("iter len reversed")],
  ["NoneType", named("bool")],
  ["function", named(`${FUNCTION} annotations builtins closure code defaults dict get globals kwdefaults`)],
  ["builtin_function_or_method", named(`${FUNCTION} self text_signature`)],
  ["generator", named("del iter name next qualname")],
  // The class that templates mostly meet is `dict`, whose own names count as well.
  [
    "type",
    named(
      `${FUNCTION} annotations base bases basicsize dict dictoffset flags instancecheck itemsize mro or prepare ror
      subclasscheck subclasses text_signature weakrefoffset class_getitem contains delitem getitem ior iter len reversed
      setitem`,
    ),
  ],
  [
    "Undefined",
    withMembers(
      "_fail_with_undefined_error _undefined_exception _undefined_hint _undefined_message _undefined_name _undefined_obj",
      `add aiter bool call complex div float floordiv getattr getitem int iter len mod module mul neg pos pow radd rdiv
      rfloordiv rmod rmul rpow rsub rtruediv slots sub truediv`,
    ),
  ],
]);

function withMembers(members: string, words: string): ReadonlySet<string> {
  return new Set([...members.split(" "), ...named(words)]);
}

function named(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map((word) => `__${word}__`));
}

/** Whether an object of the type has an internal attribute of this name. Of types not listed, everything is internal. */
export function isPythonInternal(typeName: string, name: string): boolean {
  return EVERY_OBJECT.has(name) || (OF_TYPE.get(typeName)?.has(name) ?? name.startsWith("_"));
}
