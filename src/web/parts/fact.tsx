import type { ComponentChildren, JSX } from "preact";

/** Something that is known, and what it is; put it into a `<dl>`. */
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
