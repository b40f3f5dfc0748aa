/** What the shell listens to while it is on the screen. */
import { useEffect } from "react";
import type { App } from "../store/app-store.ts";
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

/** Runs commands by their keys, unless somebody nearer to the key took it. */
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

/** Panels ask so for the locations, for the limit of gens, and for what a code means. */
export function useDialogEvents(ui: Ui): void {
  const { show, showCodes } = ui;
  useEffect(() => {
    const controller = new AbortController();
    for (const dialog of ["locations", "limit"] as const) {
      const onEvent = () => {
        show(dialog);
      };
      window.addEventListener(`refscope:${dialog}`, onEvent, { signal: controller.signal });
    }
    const onCode = (event: Event) => {
      const code: unknown = event instanceof CustomEvent ? event.detail : undefined;
      showCodes(typeof code === "string" ? { asked: code } : {});
    };
    window.addEventListener("refscope:codes", onCode, { signal: controller.signal });
    return () => {
      controller.abort();
    };
  }, [show, showCodes]);
}

/** The editor's text box is none of the platform's (`EditContext`): it is known by its role. */
function isTyping(target: EventTarget | null): boolean {
  const typed = "input, textarea, select, [role=textbox]";
  return target instanceof HTMLElement && (target.matches(typed) || target.isContentEditable);
}
