import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { labelOf } from "../../categories.js";
import { Field } from "../../parts/field.js";
import { common } from "../../texts/common.js";
import { t as shell } from "../../texts/shell.js";
import { t } from "../../texts/timesheet.js";
import {
  CATEGORY_KEY,
  type ColumnName,
  FORMS,
  LONGEST_BREAK,
  MAX_COLUMNS,
  type SheetChoice,
  STEPS,
  type Step,
  SUMS,
  type Sum,
  workReport,
} from "./choice.js";
import { headingOf, stepText } from "./sheet-document.js";

export interface ChoicesProps {
  readonly choice: SheetChoice;
  /** Existing categories. */
  readonly names: readonly ColumnName[];
  readonly onChoose: (choice: SheetChoice) => void;
  /** Called with the choice of a work report, which the next timesheet does not have. */
  readonly onReport: (choice: SheetChoice) => void;
}

/** Common keys of windows, in addition to categories and projects. */
const KEYS = ["$category", "project", "app", "title"] as const;
const LABELS = { $category: "byCategory", project: "byProject", app: "byApp", title: "byTitle" } as const;
const OWN_KEY = "own";

const FLAGS = [
  ["others", "withOthers"],
  ["titles", "withTitles"],
  ["empty", "withEmpty"],
  ["details", "withDetails"],
  ["amounts", "withAmounts"],
] as const;
const METHODS = { row: "sumRow", cells: "sumCells", row_up: "sumRowUp", cells_up: "sumCellsUp" } as const;

/** Edits the options of the sheet. */
export function Choices({ choice, names, onChoose, onReport }: ChoicesProps): JSX.Element {
  const change = (changes: Partial<SheetChoice>): void => onChoose({ ...choice, ...changes });
  return (
    <details class="card sheet-choices">
      <summary>{t("choices")}</summary>
      <div class="sheet-fields">
        <KeyField by={choice.by} onKey={(by) => change({ by, columns: [] })} />
        <RoundingFields
          step={choice.step}
          sum={choice.sum}
          form={choice.form}
          onStep={(step) => change({ step })}
          onSum={(sum) => change({ sum })}
        />
        <Field label={t("lengths")}>
          <select
            value={choice.form}
            onChange={({ currentTarget }) =>
              change({ form: FORMS.find((form) => form === currentTarget.value) ?? "time" })
            }
          >
            {FORMS.map((form) => (
              <option key={form} value={form}>
                {form === "time" ? t("formTime") : t("formHours", { hours: 3.25 })}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t("breakFrom")}>
          <input
            type="number"
            min={1}
            max={LONGEST_BREAK}
            required
            value={choice.breakMinutes}
            onChange={({ currentTarget }) =>
              currentTarget.checkValidity() && change({ breakMinutes: currentTarget.valueAsNumber })
            }
          />
        </Field>
        <Field label={t("heading")}>
          <input
            maxLength={200}
            placeholder={shell("timesheet")}
            value={headingOf(choice)}
            onChange={({ currentTarget }) => change({ heading: currentTarget.value.trim() })}
          />
        </Field>
      </div>
      <Columns choice={choice} names={names} onColumns={(columns) => change({ columns })} />
      <div class="row sheet-flags">
        {FLAGS.map(([flag, text]) => (
          <label key={flag}>
            <input type="checkbox" checked={choice[flag]} onChange={() => change({ [flag]: !choice[flag] })} />
            {t(text)}
          </label>
        ))}
        <button type="button" onClick={() => onReport(workReport(choice, names))}>
          {t("report")}
        </button>
      </div>
    </details>
  );
}

interface RoundingProps extends Pick<SheetChoice, "step" | "sum" | "form"> {
  readonly onStep: (step: Step) => void;
  readonly onSum: (sum: Sum) => void;
}

/** Selects the rounding. */
export function RoundingFields({ step, sum, form, onStep, onSum }: RoundingProps): JSX.Element {
  return (
    <>
      <Field label={t("round")}>
        <select
          value={String(step)}
          onChange={({ currentTarget }) => onStep(STEPS.find((one) => String(one) === currentTarget.value) ?? step)}
        >
          {STEPS.map((one) => (
            <option key={one} value={String(one)}>
              {stepText({ form, step: one })}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("sumsAre")}>
        <select
          value={sum}
          onChange={({ currentTarget }) => onSum(SUMS.find((one) => one === currentTarget.value) ?? sum)}
        >
          {SUMS.map((one) => (
            <option key={one} value={one}>
              {t(METHODS[one])}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

function KeyField({ by, onKey }: { readonly by: string; readonly onKey: (by: string) => void }): JSX.Element {
  const [isOwn, setIsOwn] = useState(false);
  const known = KEYS.find((key) => key === by);
  const showsOwn = isOwn || known === undefined;
  return (
    <>
      <Field label={t("columnsAre")}>
        <select
          value={showsOwn ? OWN_KEY : by}
          onChange={({ currentTarget: { value } }) => {
            setIsOwn(value === OWN_KEY);
            if (value !== OWN_KEY) onKey(value);
          }}
        >
          {KEYS.map((key) => (
            <option key={key} value={key}>
              {t(LABELS[key])}
            </option>
          ))}
          <option value={OWN_KEY}>{t("ownKey")}</option>
        </select>
      </Field>
      {showsOwn && (
        <Field label={common("key")}>
          <input
            value={known === undefined ? by : ""}
            maxLength={200}
            spellcheck={false}
            onChange={({ currentTarget }) => currentTarget.value.trim() !== "" && onKey(currentTarget.value.trim())}
          />
        </Field>
      )}
    </>
  );
}

interface ColumnsProps extends Pick<ChoicesProps, "choice" | "names"> {
  readonly onColumns: (columns: readonly ColumnName[]) => void;
}

/** Checkboxes for categories; for other keys, values, one per line. */
function Columns({ choice: { by, columns }, names, onColumns }: ColumnsProps): JSX.Element {
  if (by !== CATEGORY_KEY) {
    return (
      <Field label={t("columns")} hint={t("valuesHint")}>
        <textarea
          rows={3}
          class="sheet-text"
          value={columns.map(([value]) => value).join("\n")}
          onChange={({ currentTarget }) => onColumns(valuesIn(currentTarget.value))}
        />
      </Field>
    );
  }
  const chosen = new Set(columns.map((name) => JSON.stringify(name)));
  // Keeps selected categories that no longer exist, so that they can be removed.
  const all = new Map([...names, ...columns].map((name) => [JSON.stringify(name), name]));
  return (
    <fieldset class="sheet-columns">
      <legend>{t("columns")}</legend>
      <p class="hint">{t("columnsHint")}</p>
      {[...all].map(([key, name]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={chosen.has(key)}
            disabled={!chosen.has(key) && columns.length >= MAX_COLUMNS}
            onChange={() =>
              onColumns(chosen.has(key) ? columns.filter((one) => JSON.stringify(one) !== key) : [...columns, name])
            }
          />
          {labelOf(name)}
        </label>
      ))}
    </fieldset>
  );
}

function valuesIn(text: string): readonly ColumnName[] {
  const values = text.split("\n").map((line) => line.trim());
  return [...new Set(values.filter((line) => line !== ""))].slice(0, MAX_COLUMNS).map((value) => [value]);
}
