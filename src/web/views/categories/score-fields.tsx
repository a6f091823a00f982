import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Category } from "../../categories.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/categories.js";
import { type Mark, ownMark, parentMark, scoreOfMark, storedScore } from "./marks.js";

const MARKS: readonly Mark[] = ["productive", "neutral", "distracting"];
const INHERITED = "";

export interface ScoreFieldsProps {
  readonly categories: readonly Category[];
  readonly category: Category;
  readonly onChange: (score: number | string | undefined) => void;
}

/** Whether a category is productive or distracting, as a mark and as points per hour. */
export function ScoreFields({ categories, category, onChange }: ScoreFieldsProps): JSX.Element {
  const { name, data } = category;
  const stored = data?.score;
  const [typed, setTyped] = useState("");
  return (
    <>
      <Field label={t("mark")}>
        <select
          value={ownMark(category) ?? INHERITED}
          onChange={({ currentTarget: { value } }) => {
            setTyped("");
            onChange(
              scoreOfMark(
                category,
                MARKS.find((mark) => mark === value),
              ),
            );
          }}
        >
          {name.length > 1 && (
            <option value={INHERITED}>{t("likeParent", { mark: t(parentMark(categories, category)) })}</option>
          )}
          {MARKS.map((mark) => (
            <option key={mark} value={mark}>
              {t(mark)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("score")}>
        <input
          class="short"
          type="number"
          step="any"
          // Keeps the input verbatim: reformatting on each key would change 0.05 to 5.
          value={typed !== "" && Number(typed) === Number(stored ?? 0) ? typed : String(stored ?? "")}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            const score = currentTarget.value === "" ? undefined : currentTarget.valueAsNumber;
            if (!Number.isNaN(score)) onChange(score === undefined ? undefined : storedScore(name, score));
          }}
        />
      </Field>
    </>
  );
}
