import type { IconNode } from "lucide";
import { createElement, type JSX } from "preact";

export interface IconProps {
  /** An icon of the package `lucide`, imported by its name, so that no other gets into the page. */
  readonly of: IconNode;
  /** Shows a direction of reading, such as back: it points the other way where lines begin at the right. */
  readonly isMirrored?: boolean;
}

/** A drawing beside a text, in its size and colour; what it means has to be said by the text or a label. */
export function Icon({ of, isMirrored = false }: IconProps): JSX.Element {
  return (
    <svg class={isMirrored ? "icon icon-mirrored" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  );
}
