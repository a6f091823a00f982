import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface MenuProps {
  /** Label of the menu button. */
  readonly label: string;
  /** Buttons and links; each closes the menu. */
  readonly children: ComponentChildren;
}

/** Secondary actions, opened by one button. */
export function Menu({ label, children }: MenuProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) === false) setIsOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [isOpen]);

  function close(): void {
    opener.current?.focus();
    setIsOpen(false);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from wherever the focus is in it
    <div class="menu" ref={box} onKeyDown={({ key }) => key === "Escape" && isOpen && close()}>
      <button
        type="button"
        ref={opener}
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setIsOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: its buttons handle presses
        // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
        <div
          class="menu-items"
          // Runs before the action: a dialog that it opens returns the focus to the current element.
          onClickCapture={() => opener.current?.focus()}
          onClick={() => setIsOpen(false)}
        >
          {children}
        </div>
      )}
    </div>
  );
}
