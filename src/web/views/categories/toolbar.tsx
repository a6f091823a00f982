import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { listSetIds, OWN_SET } from "../../../filter/category-sets.js";
import { describeFailure } from "../../api.js";
import { labelOf } from "../../categories.js";
import { download } from "../../download.js";
import { Field } from "../../parts/field.js";
import { settings } from "../../settings.js";
import { t } from "../../texts/categories.js";
import { t as nameOf } from "../../texts/category-names.js";
import { common } from "../../texts/common.js";
import type { LazyText } from "../../texts/text.js";
import { changeDraft, type Draft, dropDraft, isDirty, openDraft, saveDraft, undo } from "./draft.js";
import { added, freeName } from "./edits.js";
import { PROFESSIONS, type Profession, withProfession } from "./presets.js";
import { ruleError } from "./rule-error.js";
import { printFile, readFile } from "./transfer.js";

export interface ToolbarProps {
  readonly given: Draft;
  readonly onSelect: (name: readonly string[] | undefined) => void;
}

const PROFESSION_NAMES = Object.keys(PROFESSIONS) as readonly Profession[];

/** Result of saving or importing. */
type Outcome = { readonly kind: "done" | "failed"; readonly say: LazyText } | { readonly kind: "overtaken" };

/** Buttons to add, undo, save, import and export, with their results. */
export function Toolbar({ given, onSelect }: ToolbarProps): JSX.Element {
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const [isSaving, setSaving] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const dirty = isDirty(given);
  const { categories } = given.list;
  const setIds = listSetIds(settings.value);

  async function attempt(body: () => Promise<Outcome | undefined>): Promise<void> {
    setSaving(true);
    try {
      setOutcome(await body());
    } catch (error) {
      const fault = ruleError(error, categories);
      const name = fault?.category;
      const reason = (): string => describeFailure(fault ?? error);
      setOutcome({
        kind: "failed",
        say: () => (name === undefined ? reason() : t("ruleOf", { name: labelOf(name), reason: reason() })),
      });
    } finally {
      setSaving(false);
    }
  }
  const save = (force: boolean) =>
    attempt(async () => {
      const saving = await saveDraft({ force });
      return saving === "saved" ? { kind: "done", say: () => common("saved") } : { kind: "overtaken" };
    });
  const drop = () =>
    attempt(async () => {
      await dropDraft(given.setId);
      onSelect(undefined);
      return undefined;
    });
  function add(): void {
    const name = freeName(categories, [], common("newCategory"));
    changeDraft(added(categories, name, { type: "none" }));
    setOutcome(undefined);
    onSelect(name);
  }
  const load = (file: File) =>
    attempt(async () => {
      const list = await readFile(file);
      changeDraft(list.categories);
      onSelect(undefined);
      return { kind: "done", say: () => t("read", { count: list.categories.length }) };
    });
  return (
    <div class="categories-bar">
      <div class="row">
        <button type="button" onClick={add}>
          {t("add")}
        </button>
        <button type="button" onClick={undo} disabled={given.past.length === 0}>
          {common("undo")}
        </button>
        <button type="button" class="primary" onClick={() => save(false)} disabled={!dirty || isSaving}>
          {common("save")}
        </button>
        {dirty && (
          <button type="button" onClick={drop} disabled={isSaving}>
            {common("discard")}
          </button>
        )}
        <button type="button" onClick={() => chooser.current?.click()}>
          {common("askImport")}
        </button>
        <button type="button" onClick={() => download("categories.json", printFile(given.list), "application/json")}>
          {common("export")}
        </button>
        <input
          ref={chooser}
          class="unseen"
          type="file"
          accept="application/json,.json"
          tabIndex={-1}
          aria-label={t("file")}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = "";
            if (file !== undefined) void load(file);
          }}
        />
        <Field label={t("profession")}>
          <select
            value=""
            onChange={({ currentTarget }) => {
              const [profession] = PROFESSION_NAMES.filter((one) => one === currentTarget.value);
              currentTarget.value = "";
              if (profession !== undefined) changeDraft(withProfession(categories, profession, nameOf));
            }}
          >
            <option value="">{t("selectProfession")}</option>
            {PROFESSION_NAMES.map((profession) => (
              <option key={profession} value={profession}>
                {t(profession)}
              </option>
            ))}
          </select>
        </Field>
        {setIds.length > 1 && (
          <Field label={t("set")}>
            <select
              value={given.setId}
              disabled={dirty}
              onChange={({ currentTarget }) => {
                openDraft(settings.value, currentTarget.value);
                onSelect(undefined);
              }}
            >
              {setIds.map((id) => (
                <option key={id} value={id}>
                  {id === OWN_SET ? t("ownSet") : id}
                </option>
              ))}
            </select>
          </Field>
        )}
        <span role="status" class={dirty ? "warn" : "quiet"}>
          {dirty ? `${common("changed")} ` : ""}
          {outcome?.kind === "done" ? outcome.say() : ""}
        </span>
      </div>
      {outcome?.kind === "failed" && (
        <div class="failure" role="alert">
          <p>
            <strong>{common("unsaved")}</strong> {outcome.say()}
          </p>
        </div>
      )}
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
    </div>
  );
}
