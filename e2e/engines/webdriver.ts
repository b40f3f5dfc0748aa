/** Mouse and keys as both of the W3C's protocols take them: WebDriver and WebDriver BiDi, "Actions". */

export type Actions = readonly Readonly<Record<string, unknown>>[];

export function clicks(x: number, y: number, times: number): Actions {
  const place = { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 };
  const press = [
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  const actions = [place, ...Array.from({ length: times }, () => press).flat()];
  return [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }];
}

export function heldTogether(keys: readonly string[]): Actions {
  const values = keys.map(valueOf);
  return keyboard([
    ...values.map((value) => ({ type: "keyDown", value })),
    ...values.toReversed().map((value) => ({ type: "keyUp", value })),
  ]);
}

export function typed(text: string): Actions {
  const press = (character: string) => {
    const value = character === "\n" ? KEYS.Enter : character;
    return [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ];
  };
  return keyboard(Array.from(text, press).flat());
}

const keyboard = (actions: Actions): Actions => [{ type: "key", id: "keyboard", actions }];

/** Code points that stand for keys without a character (WebDriver, "Keyboard actions"). */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
};

function valueOf(key: string): string {
  const value = KEYS[key] ?? key;
  if (value.length !== 1) throw new Error(`no key of the name ${key}`);
  return value;
}
