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

/** Calls when an element is in sight or close to it, and again with each change of the key while it is. */
export function useInSight<E extends Element>(key: string, onSight: () => void): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    callbacks.set(watched, onSight);
    // Whoever begins to observe is told at once where the element is.
    observer().observe(watched);
    return () => observer().unobserve(watched);
  }, [key]);
  return element;
}
