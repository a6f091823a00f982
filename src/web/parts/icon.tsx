import type { IconNode } from "lucide";
import { createElement, type JSX } from "preact";

export interface IconProps {
  /** An icon of the package `lucide`, imported by name, so that the page contains only used icons. */
  readonly of: IconNode;
  /** Whether it shows a reading direction, such as back, and is mirrored in right-to-left languages. */
  readonly isMirrored?: boolean;
}

/** An icon in the size and color of the text next to it, which must contain its meaning. */
export function Icon({ of, isMirrored = false }: IconProps): JSX.Element {
  return (
    <svg class={isMirrored ? "icon icon-mirrored" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  );
}
