import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { common } from "../texts/common.js";

export interface SidewaysProps {
  /** What is in it, for those who do not see it. */
  readonly label: string;
  /** A further class. */
  readonly kind?: string | undefined;
  readonly children: ComponentChildren;
}

/** What moves sideways by itself where it is too wide for the screen, and says so there. */
export function Sideways({ label, kind, children }: SidewaysProps): JSX.Element {
  const box = useRef<HTMLElement>(null);
  const hint = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const element = box.current as HTMLElement;
    function measure(): void {
      // At once: drawn anew, it would push down a table that was painted already.
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
