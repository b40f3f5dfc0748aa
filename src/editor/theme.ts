/** The page's colours and font (`app/tokens.css`) for the editor, read from the page: light and dark. */
import { editor } from "./monaco.ts";

export type Theme = "light" | "dark";

/** Gives the editor the page's colours as they are now. `within`: an element of the page. */
export function setEditorTheme(theme: Theme, within: HTMLElement): void {
  editor.defineTheme(themeName(theme), themeData(theme, within));
  editor.setTheme(themeName(theme));
}

/** Calls back when the page changes its colours; returns what ends it. */
export function watchPageTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

const themeName = (theme: Theme) => `refscope-${theme}`;

/** The family of the token `--mono`. */
export function monospaceFamily(within: HTMLElement): string {
  return probe(within, (element) => {
    element.style.font = "var(--mono)";
    return getComputedStyle(element).fontFamily;
  });
}

function probe(within: HTMLElement, read: (element: HTMLElement) => string): string {
  const element = document.createElement("span");
  within.append(element);
  const value = read(element);
  element.remove();
  return value;
}

function themeData(theme: Theme, within: HTMLElement): editor.IStandaloneThemeData {
  const colour = (token: string, alpha = "") =>
    probe(within, (element) => {
      element.style.color = `var(--${token})`;
      return hexOf(getComputedStyle(element).color) + alpha;
    });
  const rule = (token: string, name: string, fontStyle = "") => ({
    token,
    foreground: colour(name).slice(1),
    fontStyle,
  });
  return {
    base: theme === "light" ? "vs" : "vs-dark",
    inherit: false,
    rules: [
      rule("", "ink"),
      rule("key", "accent"),
      rule("string", "ok"),
      rule("escape", "warn"),
      rule("number", "warn"),
      rule("constant", "warn"),
      rule("comment", "ink-3", "italic"),
      rule("wrong", "bad"),
      rule("tag", "inline"),
      rule("tag.open", "inline", "bold"),
      rule("tag.close", "inline", "bold"),
      rule("tag.name", "inline", "bold"),
      rule("tag.keyword", "native", "bold"),
      rule("tag.filter", "native"),
      rule("tag.number", "warn", "bold"),
      rule("tag.text", "ok"),
      rule("tag.note", "ink-3", "italic"),
    ],
    colors: colours(colour),
  };
}

function colours(colour: (token: string, alpha?: string) => string): editor.IColors {
  const widget = { background: colour("bg"), foreground: colour("ink"), border: colour("line-2") };
  return {
    ...textColours(colour),
    ...Object.fromEntries(
      ["editorWidget", "editorHoverWidget", "editorSuggestWidget", "menu"].flatMap((part) =>
        Object.entries(widget).map(([side, value]) => [`${part}.${side}`, value]),
      ),
    ),
    "editorHoverWidget.statusBarBackground": colour("bg-2"),
    "editorSuggestWidget.selectedBackground": colour("accent-bg"),
    "editorSuggestWidget.selectedForeground": widget.foreground,
    "editorSuggestWidget.highlightForeground": colour("accent"),
    "editorSuggestWidget.focusHighlightForeground": colour("accent"),
    "list.hoverBackground": colour("bg-2"),
    "list.focusBackground": colour("accent-bg"),
    "quickInputList.focusBackground": colour("accent-bg"),
    "menu.selectionBackground": colour("accent-bg"),
    "menu.selectionForeground": widget.foreground,
    "menu.separatorBackground": colour("line"),
    "input.background": colour("bg"),
    "input.foreground": widget.foreground,
    "input.border": colour("line-3"),
    "input.placeholderForeground": colour("ink-3"),
    "inputOption.activeBackground": colour("accent-bg"),
    "inputOption.activeBorder": colour("accent"),
    "textLink.foreground": colour("accent"),
    "textLink.activeForeground": colour("accent"),
    "textCodeBlock.background": colour("bg-3"),
    "widget.shadow": "#00000033",
    focusBorder: colour("focus"),
    foreground: widget.foreground,
    descriptionForeground: colour("ink-2"),
    "icon.foreground": colour("ink-2"),
    errorForeground: colour("bad"),
  };
}

function textColours(colour: (token: string, alpha?: string) => string): editor.IColors {
  return {
    "editor.background": colour("bg"),
    "editor.foreground": colour("ink"),
    "editorCursor.foreground": colour("ink"),
    "editorLineNumber.foreground": colour("ink-3"),
    "editorLineNumber.activeForeground": colour("ink"),
    "editor.selectionBackground": colour("accent", "44"),
    "editor.inactiveSelectionBackground": colour("accent", "22"),
    "editor.selectionHighlightBackground": colour("accent", "1c"),
    "editor.findMatchBackground": colour("warn", "66"),
    "editor.findMatchHighlightBackground": colour("warn", "33"),
    "editor.lineHighlightBackground": colour("bg-2", "00"),
    "editor.placeholder.foreground": colour("ink-3"),
    "editorBracketMatch.background": colour("accent", "22"),
    "editorBracketMatch.border": colour("accent", "66"),
    "editorIndentGuide.background1": colour("line"),
    "editorIndentGuide.activeBackground1": colour("line-2"),
    "editorError.foreground": colour("bad"),
    "editorWarning.foreground": colour("warn"),
    "editorInfo.foreground": colour("accent"),
    "editorLightBulb.foreground": colour("warn"),
    "editorLightBulbAutoFix.foreground": colour("accent"),
    "editorGutter.foldingControlForeground": colour("ink-3"),
    "editorOverviewRuler.border": colour("line"),
    "editorOverviewRuler.errorForeground": colour("bad"),
    "editorOverviewRuler.warningForeground": colour("warn"),
    "editorOverviewRuler.infoForeground": colour("accent"),
    "scrollbarSlider.background": colour("ink-3", "40"),
    "scrollbarSlider.hoverBackground": colour("ink-3", "66"),
    "scrollbarSlider.activeBackground": colour("ink-3", "88"),
    "scrollbar.shadow": "#00000000",
    "editor.snippetTabstopHighlightBackground": colour("accent", "1c"),
    "editor.snippetFinalTabstopHighlightBorder": colour("accent", "66"),
  };
}

/** `rgb(1, 2, 3)` as `#010203`. */
function hexOf(colour: string): string {
  const parts = [...colour.matchAll(/[\d.]+/g)].slice(0, 3).map(([part]) => Math.round(Number(part)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
