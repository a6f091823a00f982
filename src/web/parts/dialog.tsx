import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Asked for by the Escape key; the owner takes the dialog away. */
  readonly onClose: () => void;
}

/** A dialog in front of the page, open as long as it is there. Afterwards the focus is where it was. */
export function Dialog({ title, children, onClose }: DialogProps): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The browser tells of a dialog that is taken away only afterwards, when its owner may have opened another one.
  const isOver = useRef(false);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = box.current;
    dialog?.showModal();
    return () => {
      isOver.current = true;
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  function close(): void {
    if (!isOver.current) onClose();
  }
  // The browser tells of a dialog that it has closed a little later: a key pressed meanwhile would find it half open.
  function cancel(event: Event): void {
    event.preventDefault();
    close();
  }
  return (
    <dialog ref={box} class="dialog" aria-labelledby={titleId} onCancel={cancel} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
