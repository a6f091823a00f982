import type { JSX, TargetedKeyboardEvent } from "preact";
import { useRef } from "preact/hooks";
import { shorten } from "../format.js";
import { filterTexts } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";
import { negated } from "./handle.js";
import { edited, setFilter, validateTerm } from "./state.js";

const MAX_SHOWN = 60;

/** The conditions of the filter, each with buttons to edit, negate and remove it. */
export function Chips(): JSX.Element | null {
  const filter = filterTexts.value;
  const list = useRef<HTMLUListElement>(null);
  if (filter.length === 0) return null;
  function remove(at: number): void {
    setFilter(filter.filter((_, index) => index !== at));
    // Moves the focus to the next chip, which takes this place, or the previous one, or the content.
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(".chip-text") ?? [])];
    const next = buttons[at + 1] === undefined ? buttons[at - 1] : buttons[at];
    (next ?? document.getElementById("main"))?.focus({ preventScroll: true });
  }
  const turn = (at: number): void => setFilter(filter.map((text, index) => (index === at ? negated(text) : text)));
  return (
    <nav class="chips" aria-label={common("filter")}>
      <ul ref={list}>
        {filter.map((text, at) => (
          <Chip
            key={at}
            text={text}
            onEdit={() => (edited.value = at)}
            onTurn={() => turn(at)}
            onRemove={() => remove(at)}
          />
        ))}
      </ul>
      {filter.length > 1 && (
        <button type="button" class="plain" onClick={() => setFilter([])}>
          {t("clear")}
        </button>
      )}
    </nav>
  );
}

interface ChipProps {
  readonly text: string;
  readonly onEdit: () => void;
  readonly onTurn: () => void;
  readonly onRemove: () => void;
}

function Chip({ text, onEdit, onTurn, onRemove }: ChipProps): JSX.Element {
  const fault = validateTerm(text);
  const isNot = text.trimStart().startsWith("!");
  const shown = shorten(text.trimStart().replace(/^!\s*/, ""), MAX_SHOWN);
  function onKeyDown(event: TargetedKeyboardEvent<HTMLLIElement>): void {
    if (event.key === "Backspace" || event.key === "Delete") onRemove();
    else if (event.key === "!") onTurn();
    else return;
    event.preventDefault();
  }
  return (
    <li class={fault === undefined ? "chip" : "chip chip-bad"} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="chip-text"
        title={fault ?? text}
        aria-label={t("change", { condition: shown })}
        onClick={onEdit}
      >
        <bdi>{shown}</bdi>
      </button>
      <button
        type="button"
        class="chip-not"
        aria-pressed={isNot}
        aria-label={t("exclude", { condition: shown })}
        onClick={onTurn}
      >
        {isNot ? t("not") : "≠"}
      </button>
      <button type="button" class="chip-remove" aria-label={t("remove", { condition: shown })} onClick={onRemove}>
        ×
      </button>
      {fault !== undefined && <span class="unseen">{fault}</span>}
    </li>
  );
}
