import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface MenuProps {
  /** What it is the menu of. */
  readonly label: string;
  /** Buttons and links; each of them closes the menu. */
  readonly children: ComponentChildren;
}

/** Actions that are in the way elsewhere, behind one button. */
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
        // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are what is pressed
        // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
        <div
          class="menu-items"
          // Before what is pressed is done: a dialog that this opens gives the focus back to where it is now.
          onClickCapture={() => opener.current?.focus()}
          onClick={() => setIsOpen(false)}
        >
          {children}
        </div>
      )}
    </div>
  );
}
