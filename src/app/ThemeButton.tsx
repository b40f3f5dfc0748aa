import { useActions, useAppState } from "../store/react.tsx";
import type { Theme } from "../store/state.ts";
import styles from "./ThemeButton.module.css";
import { Button } from "../widgets/controls/Button.tsx";

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const THEME_SIGN: Readonly<Record<Theme, string>> = { system: "◐", light: "☀", dark: "☾" };

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
      {THEME_SIGN[theme]}
    </Button>
  );
}
