/** What the shell listens to while it is on the screen. */
import { useEffect } from "react";
import type { App } from "../store/app-store.ts";
import { useCommand } from "../store/react.tsx";
import { mirrorAddress } from "./address-bar.ts";
import type { CommandContext } from "./commands.ts";
import { mirrorPending, mirrorTheme, mirrorTitle } from "./document-state.ts";
import { commandOfKey } from "./keys.ts";
import type { Ui } from "./ui-state.ts";

/** Keeps the address, the document's title, theme and `data-pending` in step with the state. */
export function useMirrors(app: App): void {
  useEffect(() => {
    const pending = mirrorPending(app);
    const stops = [pending.stop, mirrorTitle(app), mirrorTheme(app), mirrorAddress(app, pending.started)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [app]);
}

/** Runs commands by their keys, unless something nearer to the focus took the key. */
export function useShortcuts(app: App, ui: Ui): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = commandOfKey(event, isTyping(event.target));
      if (command === undefined || !(command.when?.(app.store.getState()) ?? true)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      const context: CommandContext = { app, ui };
      command.run(context);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
    };
  }, [app, ui]);
}

/** The dialogs that panels ask for. */
export function useDialogCommands({ show, showLocations, showCodes }: Ui): void {
  useCommand("show-locations", ({ prefix }) => {
    showLocations(prefix);
  });
  useCommand("show-limit", () => {
    show("limit");
  });
  useCommand("explain-code", ({ code }) => {
    showCodes({ asked: code });
  });
}

/** The editor's text box is none of the platform's (`EditContext`): it is known by its role. */
function isTyping(target: EventTarget | null): boolean {
  const typed = "input, textarea, select, [role=textbox]";
  return target instanceof HTMLElement && (target.matches(typed) || target.isContentEditable);
}
