import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { namesOf } from "../categories.js";
import { effectiveCategories } from "../category-state.js";
import { filterTexts } from "../router.js";
import { t } from "../texts/filter.js";
import { addCondition } from "./handle.js";
import { shownHandles } from "./known.js";
import { edited, readTerm, searchFor, setFilter, validatePattern, validateTyped } from "./state.js";
import { type Suggestion, suggestionsFor } from "./suggest.js";

/** The search box for conditions, focused by Ctrl+K or `/`. @param isHere whether the current view uses the filter */
export function FilterBox({ isHere }: { readonly isHere: boolean }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [fault, setFault] = useState<string>();
  const place = edited.value;
  const known = { categories: namesOf(effectiveCategories.value), handles: shownHandles.value };
  const offered = isOpen ? suggestionsFor(typed, known) : [];
  // Only a displayed filter is extended.
  const shown = (): readonly string[] => (isHere ? filterTexts.peek() : []);
  useShortcut(() => {
    input.current?.focus();
    input.current?.select();
  });
  useLayoutEffect(() => {
    if (list.current !== null) keepInWindow(list.current);
  });
  // A chip starts editing its condition. Synchronous, since keys may follow quickly.
  useLayoutEffect(() => {
    if (place === undefined) return;
    type(filterTexts.peek()[place] ?? "");
    input.current?.focus();
  }, [place]);

  function type(text: string): void {
    setTyped(text);
    setOpen(true);
    setChosen(0);
    setFault(undefined);
  }
  function close(): void {
    type("");
    setOpen(false);
    edited.value = undefined;
  }
  function take(one: Suggestion | undefined): void {
    if (one === undefined) return;
    const [term] = readTerm(one.text);
    const wrong = validateTyped(one.text);
    if (wrong !== undefined || term?.kind !== "matches") {
      putOrRefuse(one, wrong);
      return;
    }
    void validatePattern(term).then((found) => {
      // The input may have changed in the meantime.
      if (input.current?.value === typed) putOrRefuse(one, found);
    });
  }
  function putOrRefuse({ text, isSearch = false }: Suggestion, wrong: string | undefined): void {
    if (wrong !== undefined) {
      setFault(wrong);
      return;
    }
    const filter = shown();
    const others = filter.filter((_, at) => at !== place);
    const next = addCondition(place === undefined ? filter : others, text);
    if (isSearch) searchFor(next);
    else setFilter(next, isHere);
    close();
  }
  function onKeyDown(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offered.length > 0) setChosen((chosen + step + offered.length) % offered.length);
    else if (step !== undefined) setOpen(true);
    else if (event.key === "Enter") take(offered[chosen]);
    else if (event.key === "Escape" && (isOpen || typed !== "")) close();
    else if (event.key === "Escape") input.current?.blur();
    else if (event.key === "Backspace" && typed === "" && shown().length > 0) setFilter(shown().slice(0, -1), isHere);
    else return;
    event.preventDefault();
  }
  return (
    <search class="filter-box">
      <input
        ref={input}
        type="search"
        list={undefined}
        // biome-ignore lint/a11y/noRedundantRoles: without a list it is none by itself
        role="combobox"
        aria-label={t(place === undefined ? "label" : "change")}
        aria-keyshortcuts="Control+K /"
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${listId}-${chosen}` : undefined}
        aria-invalid={fault !== undefined}
        placeholder={t("placeholder")}
        title={t("keys")}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t("suggestions")}
        class="filter-list"
        hidden={offered.length === 0}
      >
        {offered.map((one, at) => (
          <Option
            key={`${one.text} ${one.hint}`}
            id={`${listId}-${at}`}
            one={one}
            isChosen={at === chosen}
            onTake={take}
          />
        ))}
      </div>
      {fault !== undefined && (
        <p class="field-error filter-fault" role="alert">
          {fault}
        </p>
      )}
    </search>
  );
}

/** Keeps the popup inside the window: depending on width and language, the search box is near either edge. */
function keepInWindow(box: HTMLElement): void {
  box.style.translate = "";
  const { left, right } = box.getBoundingClientRect();
  const sticksOut = Math.max(0, right - document.documentElement.clientWidth);
  const shift = left < 0 ? -left : -sticksOut;
  if (shift !== 0) box.style.translate = `${shift}px`;
}

interface OptionProps {
  readonly id: string;
  readonly one: Suggestion;
  readonly isChosen: boolean;
  readonly onTake: (one: Suggestion) => void;
}

function Option({ id, one, isChosen, onTake }: OptionProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: likewise, by aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      class="filter-option"
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onTake(one)}
    >
      <bdi class="filter-option-text">{one.text}</bdi> <span class="quiet">{one.hint}</span>
    </div>
  );
}

/** Calls back for Ctrl+K, and for `/` outside of inputs. */
function useShortcut(focus: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.defaultPrevented || !(isK || isSlash) || document.querySelector("dialog[open]") !== null) return;
      const isTyping =
        event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]") !== null;
      if (isSlash && isTyping) return;
      event.preventDefault();
      focus();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
