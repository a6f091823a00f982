import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { route } from "../router.js";

export interface DropDownProps {
  readonly label: ComponentChildren;
  /** What screen readers read instead of a symbol. */
  readonly name?: string;
  readonly class: string;
  /** Rendered while it is open. */
  readonly children: ComponentChildren;
}

/** A menu of the header. Navigation, Escape and a click outside close it. */
export function DropDown({ label, name, class: className, children }: DropDownProps): JSX.Element {
  const box = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useClosing(box);
  return (
    <details class={`drop-down ${className}`} ref={box} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary aria-label={name} title={name}>
        {label}
      </summary>
      {isOpen && children}
    </details>
  );
}

function useClosing(box: { readonly current: HTMLDetailsElement | null }): void {
  const place = route.value;
  useEffect(() => {
    box.current?.removeAttribute("open");
  }, [place]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !box.current?.contains(target)) box.current?.removeAttribute("open");
    };
    const onKey = (event: KeyboardEvent): void => {
      const menu = box.current;
      if (event.key !== "Escape" || menu === null || !menu.open) return;
      menu.removeAttribute("open");
      menu.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
}
