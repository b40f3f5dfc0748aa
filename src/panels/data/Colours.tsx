/** Which colours values have: chosen, or as the attributes of the array ask for. */
import { COLORMAPS, colourAt, hintedColormap, isColormap } from "#widgets/values/colormap.ts";
import styles from "./Dock.module.css";
import { useShown } from "./shown-array.ts";

export function ColourChoice() {
  const { look, colours, change } = useShown();
  const hinted = hintedColormap(colours.hint);
  return (
    <select
      aria-label="Colours"
      value={look.colormap}
      onChange={({ target }) => change({ colormap: isColormap(target.value) ? target.value : "auto" })}
    >
      <option value="auto">Auto: {isColormap(hinted) ? hinted : "classes"}</option>
      {COLORMAPS.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** Meaning of each colour, if values are classes. */
export function Classes() {
  const { colormap, classes, hint } = useShown().colours;
  if (classes === undefined || hint?.kind !== "flags") return null;
  return (
    <section className={styles.range} aria-label="Classes and their colours">
      <div className={`row gap-8 fine ${styles.head}`}>
        <b>Classes</b>
        <ColourChoice />
      </div>
      <ul className={styles.classes}>
        {hint.meanings.map((meaning, at) => (
          <li key={hint.values[at]} title={`${meaning} (${hint.values[at]})`}>
            <i style={{ background: colourAt(colormap, (at + 1) / classes.size) }} /> {meaning}
          </li>
        ))}
        <li title="Values that flag_values does not list">
          <i style={{ background: colourAt(colormap, 0) }} /> other
        </li>
      </ul>
    </section>
  );
}
