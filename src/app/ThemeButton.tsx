import { useActions, useAppState } from "../store/react.tsx";
import type { Theme } from "../store/state.ts";
import styles from "./App.module.css";
import { Sign } from "../widgets/Icon.tsx";
import type { Ui } from "./ui-state.ts";
import { Button } from "../widgets/controls/Button.tsx";

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const SUN =
  "M8 5.2a2.8 2.8 0 1 0 .01 0M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7";
const THEME_SIGN: Readonly<Record<Theme, string>> = {
  system: "M8 2.5a5.5 5.5 0 1 0 .01 0M8 2.5v11M8 4.5h3.5M8 7h5M8 9.5h5M8 12h3",
  light: SUN,
  dark: "M12.8 9.8A5.5 5.5 0 0 1 6.2 3.2 5.5 5.5 0 1 0 12.8 9.8z",
};

export function ThemeButton() {
  const actions = useActions();
  const theme = useAppState((state) => state.theme);
  return (
    <Button
      className={styles.theme}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}. Click for ${NEXT_THEME[theme]}.`}
      onClick={() => actions.setTheme(NEXT_THEME[theme])}
    >
      <Sign path={THEME_SIGN[theme]} />
    </Button>
  );
}

export function HelpButton({ ui }: { readonly ui: Ui }) {
  return (
    <Button className={styles.theme} aria-label="Help: all keys" title="Help: all keys" onClick={() => ui.show("keys")}>
      <Sign path="M8 2a6 6 0 1 0 .01 0M6.3 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.9.7-.9 1.3M8 11.4v.2" />
    </Button>
  );
}
