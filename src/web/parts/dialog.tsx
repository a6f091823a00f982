import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called for the Escape key; the owner removes the dialog. */
  readonly onClose: () => void;
}

/** A modal dialog, open while it is mounted. Afterwards the focus returns. */
export function Dialog({ title, children, onClose }: DialogProps): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The browser reports a removed dialog late, when its owner may have opened another one.
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
  // The browser reports a closed dialog late: a key press in between would find it half open.
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
