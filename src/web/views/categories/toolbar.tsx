import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { OWN_SET, setIdsOf } from "../../../filter/category-sets.js";
import { messageOfFailure } from "../../api.js";
import { labelOf } from "../../categories.js";
import { Field } from "../../parts/field.js";
import { settings } from "../../settings.js";
import { changeDraft, type Draft, dropDraft, isDirty, openDraft, saveDraft, undo } from "./draft.js";
import { added, freeName } from "./edits.js";
import { ruleError } from "./rule-error.js";
import { printFile, readFile } from "./transfer.js";

export interface ToolbarProps {
  readonly given: Draft;
  readonly onSelect: (name: readonly string[] | undefined) => void;
}

/** What saving or importing led to. */
type Outcome =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "overtaken" };

/** Adding, undoing, saving, importing and exporting; and what became of it. */
export function Toolbar({ given, onSelect }: ToolbarProps): JSX.Element {
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const [isSaving, setSaving] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const dirty = isDirty(given);
  const { categories } = given.list;
  const setIds = setIdsOf(settings.value);

  async function attempt(body: () => Promise<Outcome | undefined>): Promise<void> {
    setSaving(true);
    try {
      setOutcome(await body());
    } catch (error) {
      const fault = ruleError(error, categories);
      const [name, message] = [fault?.category, fault?.message ?? messageOfFailure(error)];
      setOutcome({ kind: "failed", text: name === undefined ? message : `Rule of “${labelOf(name)}”: ${message}` });
    } finally {
      setSaving(false);
    }
  }
  const save = (force: boolean) =>
    attempt(async () => {
      const saving = await saveDraft({ force });
      return saving === "saved" ? { kind: "done", text: "Saved." } : { kind: "overtaken" };
    });
  const drop = () =>
    attempt(async () => {
      await dropDraft(given.setId);
      onSelect(undefined);
      return undefined;
    });
  function add(): void {
    const name = freeName(categories, []);
    changeDraft(added(categories, name, { type: "none" }));
    setOutcome(undefined);
    onSelect(name);
  }
  const load = (file: File) =>
    attempt(async () => {
      const list = await readFile(file);
      changeDraft(list.categories);
      onSelect(undefined);
      const count = list.categories.length;
      return { kind: "done", text: `Read ${count} ${count === 1 ? "category" : "categories"}. Save to keep them.` };
    });
  return (
    <div class="categories-bar">
      <div class="row">
        <button type="button" onClick={add}>
          Add a category
        </button>
        <button type="button" onClick={undo} disabled={given.past.length === 0}>
          Undo
        </button>
        <button type="button" class="primary" onClick={() => save(false)} disabled={!dirty || isSaving}>
          Save
        </button>
        {dirty && (
          <button type="button" onClick={drop} disabled={isSaving}>
            Discard changes
          </button>
        )}
        <button type="button" onClick={() => chooser.current?.click()}>
          Import…
        </button>
        <button type="button" onClick={() => download(printFile(given.list))}>
          Export
        </button>
        <input
          ref={chooser}
          class="unseen"
          type="file"
          accept="application/json,.json"
          tabIndex={-1}
          aria-label="File of categories"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = "";
            if (file !== undefined) void load(file);
          }}
        />
        {setIds.length > 1 && (
          <Field label="Set">
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
                  {id === OWN_SET ? "Your own" : id}
                </option>
              ))}
            </select>
          </Field>
        )}
        <span role="status" class={dirty ? "warn" : "quiet"}>
          {dirty ? "Not saved yet. " : ""}
          {outcome?.kind === "done" ? outcome.text : ""}
        </span>
      </div>
      {outcome?.kind === "failed" && (
        <div class="failure" role="alert">
          <p>
            <strong>Nothing was saved.</strong> {outcome.text}
          </p>
        </div>
      )}
      {outcome?.kind === "overtaken" && (
        <div class="failure" role="alert">
          <p>
            <strong>Nothing was saved.</strong> The categories were changed elsewhere while you were changing them here.
          </p>
          <button type="button" onClick={drop}>
            Take those, drop mine
          </button>
          <button type="button" class="danger" onClick={() => save(true)}>
            Overwrite with mine
          </button>
        </div>
      )}
    </div>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: "categories.json" }).click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
