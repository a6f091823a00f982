import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const callbacks = new WeakMap<Element, () => void>();
let shared: IntersectionObserver | undefined;

function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) callbacks.get(target)?.();
    },
    { rootMargin: "200px" },
  );
  return shared;
}

/** Calls back when an element is visible or nearly visible, and whenever the key changes while it is. */
export function useVisible<E extends Element>(key: string, onSight: () => void): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    callbacks.set(watched, onSight);
    // An observer reports the initial position immediately.
    observer().observe(watched);
    return () => observer().unobserve(watched);
  }, [key]);
  return element;
}
