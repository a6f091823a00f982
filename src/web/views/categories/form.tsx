import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ignoresCase, rulePattern } from "../../../filter/categories.js";
import { type Category, type CategoryNode, flattened, isWithin, keyOf, labelOf, namesOf } from "../../categories.js";
import { type CategoryColors, ownColorOf } from "../../category-colors.js";
import { ConditionRows } from "../../filter/condition-rows.js";
import { type Condition, printConditions, readConditions } from "../../filter/conditions.js";
import { shorten } from "../../format.js";
import { Field, FieldError } from "../../parts/field.js";
import { t } from "../../texts/categories.js";
import { common } from "../../texts/common.js";
import { t as words } from "../../texts/conditions.js";
import { added, changed, moved, moveError, removed } from "./edits.js";
import { GoalForm } from "./goal-form.js";
import { ScoreFields } from "./score-fields.js";

export interface CategoryFormProps {
  readonly categories: readonly Category[];
  readonly node: CategoryNode;
  readonly colors: CategoryColors;
  /** The server's error for the regular expression. */
  readonly regexError: string | undefined;
  /** Whether the deletion is being confirmed. */
  readonly isDeleting: boolean;
  readonly onDeleting: (isDeleting: boolean) => void;
  readonly onAddBelow: () => void;
  readonly onChange: Change;
}

/** Edits a category. Input applies immediately, except for names, which must be unused. */
export function CategoryForm(props: CategoryFormProps): JSX.Element {
  const { categories, node, colors, regexError, isDeleting, onDeleting, onAddBelow, onChange } = props;
  const { name, index } = node;
  const category = index === undefined ? undefined : categories[index];
  return (
    <div class="category-form">
      <h2>{labelOf(name)}</h2>
      <Placing categories={categories} name={name} onChange={onChange} />
      {category === undefined || index === undefined ? (
        <p class="hint">
          {t("onlyParent")}{" "}
          <button type="button" onClick={() => onChange(added(categories, name, { type: "none" }))}>
            {t("makeOwn")}
          </button>
        </p>
      ) : (
        <>
          <RuleFields
            categories={categories}
            index={index}
            category={category}
            error={regexError}
            onChange={onChange}
          />
          <Looks
            categories={categories}
            index={index}
            category={category}
            shown={colors.of(name)}
            onChange={onChange}
          />
        </>
      )}
      <GoalForm key={keyOf(name)} category={name} />
      {isDeleting ? (
        <Deletion
          node={node}
          onKeep={() => onDeleting(false)}
          onDelete={() => {
            onDeleting(false);
            onChange(removed(categories, name), undefined, name.slice(0, -1));
          }}
        />
      ) : (
        <div class="row">
          <button type="button" onClick={onAddBelow}>
            {t("addBelow")}
          </button>
          <button type="button" class="danger" onClick={() => onDeleting(true)}>
            {common("askDelete")}
          </button>
        </div>
      )}
    </div>
  );
}

/**
 * @param mark changes with the same mark are one undo step
 * @param name the category to edit next; defaults to the current one
 */
type Change = (categories: readonly Category[], mark?: string, name?: readonly string[]) => void;

interface PlacingProps {
  readonly categories: readonly Category[];
  readonly name: readonly string[];
  readonly onChange: Change;
}

function Placing({ categories, name, onChange }: PlacingProps): JSX.Element {
  const own = name.at(-1) ?? "";
  const parent = name.slice(0, -1);
  const [typed, setTyped] = useState(own);
  const [error, setError] = useState<ReturnType<typeof moveError>>();
  // Before further input, which would be lost.
  useLayoutEffect(() => {
    setTyped(own);
    setError(undefined);
  }, [keyOf(name)]);

  function place(target: readonly string[]): void {
    const reason = moveError(categories, name, target);
    setError(reason);
    if (reason === undefined && keyOf(target) !== keyOf(name))
      onChange(moved(categories, name, target), undefined, target);
  }
  const parents = namesOf(categories).filter((candidate) => !isWithin(candidate, name));
  return (
    <div class="row">
      <Field label={common("name")} error={error && t(error)}>
        <input
          value={typed}
          maxLength={200}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onChange={({ currentTarget }) => place([...parent, currentTarget.value.trim()])}
        />
      </Field>
      <Field label={t("within")}>
        <select
          value={keyOf(parent)}
          onChange={({ currentTarget }) => {
            const target = parents.find((candidate) => keyOf(candidate) === currentTarget.value) ?? [];
            place([...target, own]);
          }}
        >
          <option value={keyOf([])}>{t("topLevel")}</option>
          {parents.map((candidate) => (
            <option key={keyOf(candidate)} value={keyOf(candidate)}>
              {shorten(labelOf(candidate), 60)}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

interface FieldsProps {
  readonly categories: readonly Category[];
  readonly index: number;
  readonly category: Category;
  readonly onChange: Change;
}

function RuleFields({
  categories,
  index,
  category,
  error,
  onChange,
}: FieldsProps & { error: string | undefined }): JSX.Element {
  const { rule } = category;
  const pattern = rulePattern(rule) ?? "";
  // New conditions have no text yet, so the pattern lacks them.
  const [typed, setTyped] = useState<readonly Condition[]>([]);
  const conditions = printConditions(typed) === pattern ? typed : readConditions(pattern);
  const change = (regex: string, mark?: string): void => {
    // An empty pattern would match everything in aw-server-rust.
    const type = regex === "" ? "none" : "regex";
    if (regex !== pattern) onChange(changed(categories, index, { rule: { ...rule, type, regex } }), mark);
  };
  return (
    <fieldset class="category-rule">
      <legend>{t("rule")}</legend>
      {conditions.length === 0 && <p class="quiet">{t("ruleNone")}</p>}
      <ConditionRows
        conditions={conditions}
        onChange={(next, isTyping) => {
          setTyped(next);
          change(printConditions(next), isTyping ? `regex ${index}` : undefined);
        }}
      />
      <p class="hint">{words("hint")}</p>
      <FieldError text={error} />
      {pattern !== "" && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={ignoresCase(rule)}
              onChange={({ currentTarget }) =>
                onChange(changed(categories, index, { rule: { ...rule, ignore_case: currentTarget.checked } }))
              }
            />
            {common("ignoreCase")}
          </label>
        </p>
      )}
      <details>
        <summary>{t("asPattern")}</summary>
        <Field
          label={t("regex")}
          hint={t.rich("regexHint", { bar: <code>|</code>, caret: <code>^</code>, dollar: <code>$</code> })}
        >
          <textarea
            class="code"
            dir="ltr"
            rows={3}
            maxLength={10_000}
            spellcheck={false}
            autocapitalize="off"
            aria-invalid={error !== undefined}
            value={pattern}
            // A line break in a pattern would be invisible.
            onInput={({ currentTarget }) => change(currentTarget.value.replaceAll("\n", ""), `regex ${index}`)}
          />
        </Field>
      </details>
    </fieldset>
  );
}

function Looks({ categories, index, category, shown, onChange }: FieldsProps & { shown: string }): JSX.Element {
  const hasOwn = ownColorOf(category) !== undefined;
  return (
    <div class="row">
      <Field label={t("color")}>
        <input
          type="color"
          value={shown}
          onInput={({ currentTarget }) =>
            onChange(changed(categories, index, { color: currentTarget.value }), `color ${index}`)
          }
        />
      </Field>
      {hasOwn && (
        <button type="button" onClick={() => onChange(changed(categories, index, { color: undefined }))}>
          {category.name.length > 1 ? t("parentColor") : t("nameColor")}
        </button>
      )}
      <ScoreFields
        key={keyOf(category.name)}
        categories={categories}
        category={category}
        onChange={(score) => onChange(changed(categories, index, { score }), `score ${index}`)}
      />
    </div>
  );
}

interface DeletionProps {
  readonly node: CategoryNode;
  readonly onKeep: () => void;
  readonly onDelete: () => void;
}

function Deletion({ node, onKeep, onDelete }: DeletionProps): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  // Supports answering by keyboard.
  useLayoutEffect(() => button.current?.focus(), []);
  const below = flattened([node]).length - 1;
  const name = labelOf(node.name);
  return (
    <div class="notice" role="alertdialog" aria-label={t("deleteWhether")} aria-describedby="deletion">
      <p id="deletion">{below === 0 ? t("deleteOne", { name }) : t("deleteMany", { name, count: below })}</p>
      <div class="row">
        <button type="button" class="danger" ref={button} onClick={onDelete}>
          {common("delete")}
        </button>
        <button type="button" onClick={onKeep}>
          {t("keep")}
        </button>
      </div>
    </div>
  );
}
