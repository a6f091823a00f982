import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { lazy } from "../parts/lazy.js";
import { route } from "../router.js";
import { t } from "../texts/shell.js";
import { styled } from "../views-style.js";

const SavedViewsList = lazy(async () => (await styled(import("./list.js"))).SavedViewsList);

/** The menu of saved views, which can add the current one. */
export function SavedViews(): JSX.Element {
  const box = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useClosing(box);
  return (
    <details class="saved-views" ref={box} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t("views")}</summary>
      {isOpen && <SavedViewsList />}
    </details>
  );
}

/** Closes a menu on navigation, on Escape, and on a click outside. */
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
