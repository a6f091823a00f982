import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { common } from "../texts/common.js";
import { t } from "../texts/conditions.js";
import { CONDITION_KINDS, type Condition, printConditions } from "./conditions.js";

export interface ConditionRowsProps {
  readonly conditions: readonly Condition[];
  /** @param isTyping whether a text changed, of which several changes belong together */
  readonly onChange: (conditions: readonly Condition[], isTyping: boolean) => void;
}

/** More conditions are shown on demand. */
const FEW = 12;

/** Edits the conditions of a rule in words. */
export function ConditionRows({ conditions, onChange }: ConditionRowsProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? conditions : conditions.slice(0, FEW);
  const change = (at: number, part: Partial<Condition>, isTyping: boolean): void =>
    onChange(
      conditions.map((one, index) => (index === at ? { ...one, ...part } : one)),
      isTyping,
    );
  return (
    <div>
      <ul class="conditions">
        {shown.map(({ kind, text, isCaseless }, at) => {
          const number = at + 1;
          const isPattern = kind === "pattern";
          return (
            <li key={at}>
              <select
                aria-label={t("kind", { number })}
                value={kind}
                onChange={({ currentTarget }) => {
                  const next = currentTarget.value as Condition["kind"];
                  // The pattern of the words, so that it matches the same.
                  const same = next === "pattern" ? printConditions([{ kind, text }]) : text;
                  change(at, { kind: next, text: same }, false);
                }}
              >
                {CONDITION_KINDS.map((one) => (
                  <option key={one} value={one}>
                    {t(one)}
                  </option>
                ))}
              </select>
              <input
                class={isPattern ? "code" : undefined}
                dir={isPattern ? "ltr" : "auto"}
                aria-label={t("text", { number })}
                maxLength={1000}
                autocomplete="off"
                spellcheck={false}
                value={text}
                onInput={({ currentTarget }) => change(at, { text: currentTarget.value }, true)}
              />
              {isCaseless && <span class="quiet">{t("caseless")}</span>}
              <button
                type="button"
                aria-label={t("remove", { number })}
                title={t("remove", { number })}
                onClick={() =>
                  onChange(
                    conditions.filter((_, index) => index !== at),
                    false,
                  )
                }
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      {shown.length < conditions.length && (
        <button type="button" onClick={() => setOpen(true)}>
          {common("countMore", { count: conditions.length - shown.length })}
        </button>
      )}
      <button
        type="button"
        onClick={() => {
          setOpen(true);
          onChange([...conditions, { kind: "contains", text: "" }], false);
        }}
      >
        {t("add")}
      </button>
    </div>
  );
}

/** A condition in words: `contains “thesis”`. */
export function Described({ condition: { kind, text } }: { readonly condition: Condition }): JSX.Element {
  return <>{t.rich("described", { kind: t(kind), text: <bdi>{text}</bdi> })}</>;
}
