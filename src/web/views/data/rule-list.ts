// Edits a list of rules in a setting. Changes persist while other views are open.
import { type Signal, signal } from "@preact/signals";
import { type JsonValue, sameJson } from "../../../domain/json.js";
import { client } from "../../api.js";
import { saveSetting } from "../../settings.js";
import { type Entry, entryOf, type RuleForm } from "./rules.js";

/** The edited rules, and their original. */
export interface Draft<Fields> {
  readonly entries: readonly Entry<Fields>[];
  /** The stored value when it was loaded. If it differs later, another client has changed it. */
  readonly base: JsonValue;
  /** The original in the page's format, which may omit defaults. */
  readonly saved: JsonValue;
}

/** Result of saving. */
export type Saving = "saved" | "overtaken";

/** Edits one setting. */
export class RuleList<Fields> {
  readonly #form: RuleForm<Fields>;
  /** The setting with the list. */
  readonly setting: string;
  /** `undefined` until opened. */
  readonly draft: Signal<Draft<Fields> | undefined> = signal(undefined);

  constructor(form: RuleForm<Fields>) {
    this.#form = form;
    this.setting = form.setting;
  }

  /** Starts with the stored rules, unless there are changes. */
  open(stored: JsonValue | undefined): void {
    if (this.draft.peek() === undefined || !this.isDirty()) this.#read(stored ?? null);
  }

  #read(base: JsonValue): void {
    const before = this.draft.peek();
    if (before !== undefined && sameJson(before.base, base)) return;
    const rules = Array.isArray(base) ? (base as readonly JsonValue[]) : [];
    const entries = rules.map((rule) => entryOf(this.#form.fieldsOf(rule)));
    this.draft.value = { base, saved: this.#print(entries), entries };
  }

  change(entries: readonly Entry<Fields>[]): void {
    const before = this.draft.peek();
    if (before !== undefined) this.draft.value = { ...before, entries };
  }

  /** The rules in their stored format. */
  rules(): JsonValue[] {
    return this.#print(this.draft.value?.entries ?? []);
  }

  #print(entries: readonly Entry<Fields>[]): JsonValue[] {
    return entries.map(({ fields }) => this.#form.ruleOf(fields));
  }

  isDirty(): boolean {
    const draft = this.draft.value;
    return draft !== undefined && !sameJson(draft.saved, this.rules());
  }

  /** Drops the changes. */
  async drop(): Promise<void> {
    const stored = await client.settings.get(this.setting);
    this.draft.value = undefined;
    this.#read(stored);
  }

  /**
   * Stores the rules.
   *
   * @param options `force` overwrites concurrent changes
   * @throws ActivityClientError for an invalid rule; nothing is stored then
   */
  async save({ force = false }: { force?: boolean } = {}): Promise<Saving> {
    const draft = this.draft.peek();
    if (draft === undefined) return "saved";
    if (!force && !sameJson(await client.settings.get(this.setting), draft.base)) return "overtaken";
    const rules = this.rules();
    // An empty list deletes the setting.
    const base = rules.length === 0 ? null : rules;
    await saveSetting(this.setting, base);
    // Changes may have continued during the save.
    const now = this.draft.peek();
    if (now !== undefined) this.draft.value = { ...now, base, saved: rules };
    return "saved";
  }
}
