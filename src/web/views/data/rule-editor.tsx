import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Failure } from "../../parts/failure.js";
import { FieldError } from "../../parts/field.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/rules.js";
import type { RuleList } from "./rule-list.js";
import { type Entry, entryOf, moved, problemOf, type RuleProblem } from "./rules.js";

/** Fields of every rule in the editor. */
export interface RuleFields {
  readonly enabled: boolean;
}

/** Props of a rule's row. */
export interface RowProps<Fields> {
  /** Position of the rule. */
  readonly index: number;
  readonly fields: Fields;
  readonly onChange: (part: Partial<Fields>) => void;
  /** The error at one of these places of the rule. */
  readonly errorAt: (...places: readonly string[]) => string | undefined;
}

export interface RuleEditorProps<Fields extends RuleFields> {
  readonly list: RuleList<Fields>;
  /** Initial fields of a new rule. */
  readonly fresh: Fields;
  /** Whether the order of rules matters. */
  readonly isOrdered: boolean;
  /** An error of a rule that was found other than by saving. */
  readonly found?: RuleProblem | undefined;
  /** Content without rules. */
  readonly empty: ComponentChildren;
  readonly row: (props: RowProps<Fields>) => ComponentChildren;
}

type Outcome = { readonly kind: "saved" | "overtaken" } | { readonly kind: "failed"; readonly error: unknown };

/** Edits and saves a list of rules. */
export function RuleEditor<Fields extends RuleFields>(props: RuleEditorProps<Fields>): JSX.Element | null {
  const { list, fresh, isOrdered, found, empty, row } = props;
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);
  const draft = list.draft.value;
  if (draft === undefined) return null;
  const { entries } = draft;
  const failure = outcome?.kind === "failed" ? outcome.error : undefined;
  const problem = failure === undefined ? found : problemOf(failure);

  function change(changed: readonly Entry<Fields>[]): void {
    setOutcome(undefined);
    list.change(changed);
  }
  async function attempt(work: () => Promise<Outcome | undefined>): Promise<void> {
    setIsBusy(true);
    try {
      setOutcome(await work());
    } catch (error) {
      setOutcome({ kind: "failed", error });
    }
    setIsBusy(false);
  }
  const save = (force: boolean) => attempt(async () => ({ kind: await list.save({ force }) }));
  const drop = () =>
    attempt(async () => {
      await list.drop();
      return undefined;
    });

  return (
    <div class="rules">
      {entries.length === 0 && <p class="quiet">{empty}</p>}
      <ol class="rule-list">
        {entries.map(({ key, fields }, index) => (
          <RuleItem
            key={key}
            number={index + 1}
            fields={fields}
            problem={problem?.index === index ? problem : undefined}
            onChange={(part) =>
              change(entries.map((one) => (one.key === key ? { key, fields: { ...one.fields, ...part } } : one)))
            }
            onMove={isOrdered && entries.length > 1 ? (by) => change(moved(entries, index, index + by)) : undefined}
            onRemove={() => change(entries.filter((one) => one.key !== key))}
            row={row}
          />
        ))}
      </ol>
      {outcome?.kind === "overtaken" && (
        <div class="failure" role="alert">
          <p>
            <strong>{common("unsaved")}</strong> {common("overtaken")}
          </p>
          <button type="button" onClick={drop}>
            {common("takeTheirs")}
          </button>
          <button type="button" class="danger" onClick={() => save(true)}>
            {common("overwrite")}
          </button>
        </div>
      )}
      {failure !== undefined && <Failure title={common("unsaved")} error={failure} />}
      <div class="row rules-bar">
        <button type="button" onClick={() => change([...entries, entryOf(fresh)])}>
          {t("add")}
        </button>
        <button type="button" class="primary" disabled={isBusy || !list.isDirty()} onClick={() => save(false)}>
          {common("save")}
        </button>
        {list.isDirty() && (
          <button type="button" disabled={isBusy} onClick={drop}>
            {common("discard")}
          </button>
        )}
        <span role="status" class={list.isDirty() ? "warn" : "quiet"}>
          {list.isDirty() ? common("changed") : outcome?.kind === "saved" && common("saved")}
        </span>
      </div>
    </div>
  );
}

interface RuleItemProps<Fields> {
  readonly number: number;
  readonly fields: Fields;
  readonly problem: RuleProblem | undefined;
  readonly onChange: (part: Partial<Fields>) => void;
  /** By +1 or -1; `undefined` if the order does not matter. */
  readonly onMove: ((by: number) => void) | undefined;
  readonly onRemove: () => void;
  readonly row: RuleEditorProps<RuleFields & Fields>["row"];
}

function RuleItem<Fields extends RuleFields>(props: RuleItemProps<Fields>): JSX.Element {
  const { number, fields, problem, onChange, onMove, onRemove, row } = props;
  const name = t("rule", { number });
  const shown = new Set<string>();
  const errorAt = (...places: readonly string[]): string | undefined => {
    for (const place of places) shown.add(place);
    return problem !== undefined && places.includes(problem.place) ? problem.text : undefined;
  };
  const body = row({ index: number - 1, fields, onChange, errorAt });
  return (
    <li class={fields.enabled ? "rule" : "rule rule-off"} aria-label={name}>
      <div class="row rule-head">
        <h3>{name}</h3>
        <label>
          <input
            type="checkbox"
            checked={fields.enabled}
            onChange={({ currentTarget: { checked } }) => onChange({ enabled: checked } as Partial<Fields>)}
          />
          {t("enabled")}
        </label>
        <span class="row rule-actions">
          {onMove !== undefined && (
            <>
              <button type="button" aria-label={t("upRule", { rule: name })} title={t("up")} onClick={() => onMove(-1)}>
                ↑
              </button>
              <button
                type="button"
                aria-label={t("downRule", { rule: name })}
                title={t("down")}
                onClick={() => onMove(1)}
              >
                ↓
              </button>
            </>
          )}
          <button type="button" class="danger" aria-label={t("removeRule", { rule: name })} onClick={onRemove}>
            {common("delete")}
          </button>
        </span>
      </div>
      <div class="rule-fields">{body}</div>
      {problem !== undefined && !shown.has(problem.place) && <FieldError text={problem.text} />}
    </li>
  );
}
