import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { common } from "../texts/common.js";

export interface HorizontalScrollProps {
  /** Description for screen readers. */
  readonly label: string;
  /** An additional class. */
  readonly kind?: string | undefined;
  readonly children: ComponentChildren;
}

/** A container that scrolls horizontally if its content is too wide, with a hint. */
export function HorizontalScroll({ label, kind, children }: HorizontalScrollProps): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const hint = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const element = box.current as HTMLElement;
    function measure(): void {
      // Synchronous, since a second render would shift a table that is already visible.
      if (hint.current !== null) hint.current.hidden = element.scrollWidth <= element.clientWidth + 1;
    }
    measure();
    const observer = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <p class="hint sideways-hint" hidden ref={hint}>
        {common("sideways")}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section class={kind === undefined ? "scroll" : `scroll ${kind}`} aria-label={label} tabIndex={0} ref={box}>
        {children}
      </section>
    </>
  );
}
