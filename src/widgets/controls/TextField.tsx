import type { ComponentProps } from "react";

/** A line of text that no browser completes, capitalises or corrects. */
export const TextField = (props: ComponentProps<"input">) => (
  <input type="text" autoComplete="off" autoCapitalize="off" spellCheck={false} {...props} />
);

/** A form that stays on the page. */
export function Form({ onSubmit, ...props }: Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: () => void }) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
