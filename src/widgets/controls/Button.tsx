import type { ComponentProps } from "react";

/** A button that submits no form. */
export const Button = (props: ComponentProps<"button">) => <button type="button" {...props} />;

/** One that looks like a link. */
export const LinkButton = (props: ComponentProps<"button">) => <Button data-kind="link" {...props} />;

/** One without a border. */
export const QuietButton = (props: ComponentProps<"button">) => <Button data-kind="quiet" {...props} />;
