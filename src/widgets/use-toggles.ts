import { useState } from "react";

/** Which of several things are opened, and what opens or closes one. */
export function useToggles<Key>(): readonly [opened: ReadonlySet<Key>, toggle: (key: Key) => void] {
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set());
  const toggle = (key: Key) => {
    const changed = new Set(opened);
    if (!changed.delete(key)) changed.add(key);
    setOpened(changed);
  };
  return [opened, toggle];
}
