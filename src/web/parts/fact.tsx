import type { ComponentChildren, JSX } from "preact";

/** A term with its value; place it in a `<dl>`. */
export function Fact({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
