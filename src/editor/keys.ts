/** Keys and commands of the editor beside Monaco's own. */
import { editor, KeyCode, KeyMod } from "./monaco.ts";

export function addKeys(instance: editor.IStandaloneCodeEditor, format: () => void): void {
  instance.addAction({
    id: "refscope.format",
    label: "Format",
    keybindings: [KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF],
    contextMenuGroupId: "1_modification",
    run: format,
  });
  instance.addAction({
    id: "refscope.wrap",
    label: "Wrap Long Lines",
    keybindings: [KeyMod.Alt | KeyCode.KeyZ],
    contextMenuGroupId: "1_modification",
    run: toggleWrap,
  });
  leaveByEscape(instance);
  leaveAltKeys();
}

/** Monaco's switches of its search take these in the whole editor; outside of the search they are the application's. */
function leaveAltKeys(): void {
  const keys = [KeyCode.KeyC, KeyCode.KeyL, KeyCode.KeyP, KeyCode.KeyR, KeyCode.KeyW];
  editor.addKeybindingRules(
    keys.map((key) => ({ keybinding: KeyMod.Alt | key, command: null, when: "editorTextFocus" })),
  );
}

function toggleWrap(instance: editor.ICodeEditor): void {
  const wraps = instance.getOption(editor.EditorOption.wordWrap) === "on";
  instance.updateOptions({ wordWrap: wraps ? "off" : "on" });
}

/** Conditions without which Escape first closes or clears something. */
const NOTHING_TO_CLOSE = [
  "!editorHasSelection",
  "!editorHasMultipleSelections",
  "!suggestWidgetVisible",
  "!findWidgetVisible",
  "!inSnippetMode",
  "!editorHoverVisible",
  "!markersNavigationVisible",
  "!codeActionMenuVisible",
  "editorTextFocus",
].join(" && ");

/** Escape, then Tab leaves the editor, which else takes Tab for itself; Ctrl+M does so until it is pressed again. */
function leaveByEscape(instance: editor.IStandaloneCodeEditor): void {
  let leaving = false;
  const end = () => {
    if (leaving) instance.updateOptions({ tabFocusMode: false });
    leaving = false;
  };
  instance.addAction({
    id: "refscope.leave",
    label: "Leave With Tab",
    keybindings: [KeyCode.Escape],
    keybindingContext: NOTHING_TO_CLOSE,
    run: () => {
      leaving = true;
      instance.updateOptions({ tabFocusMode: true });
    },
  });
  instance.onKeyDown((event) => {
    if (![KeyCode.Tab, KeyCode.Shift, KeyCode.Escape].includes(event.keyCode)) end();
  });
  instance.onDidBlurEditorText(end);
}
