// A list of rules that is a setting, while it is edited. It stays while other views are open.
import { type Signal, signal } from "@preact/signals";
import { type JsonValue, sameJson } from "../../../domain/json.js";
import { client } from "../../api.js";
import { saveSetting } from "../../settings.js";
import { type Entry, entryOf, type RuleForm } from "./rules.js";

/** Rules as they are edited, and as they were. */
export interface Draft<Fields> {
  readonly entries: readonly Entry<Fields>[];
  /** What was stored when it was read; whoever finds something else there has been overtaken. */
  readonly base: JsonValue;
  /** The same as the page prints it, which may leave out what goes without saying. */
  readonly saved: JsonValue;
}

/** How saving went. */
export type Saving = "saved" | "overtaken";

/** Edits one setting. */
export class RuleList<Fields> {
  readonly #form: RuleForm<Fields>;
  /** The setting that holds the list. */
  readonly setting: string;
  /** `undefined` until it was opened. */
  readonly draft: Signal<Draft<Fields> | undefined> = signal(undefined);

  constructor(form: RuleForm<Fields>) {
    this.#form = form;
    this.setting = form.setting;
  }

  /** Begins with what is stored, unless something is being edited. */
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

  /** The rules, as they would be stored now. */
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

  /** Forgets what was changed. */
  async drop(): Promise<void> {
    const stored = await client.settings.get(this.setting);
    this.draft.value = undefined;
    this.#read(stored);
  }

  /**
   * Stores the rules.
   *
   * @param options with `force` whatever was stored meanwhile is lost
   * @throws ActivityClientError when a rule cannot be; nothing is stored then
   */
  async save({ force = false }: { force?: boolean } = {}): Promise<Saving> {
    const draft = this.draft.peek();
    if (draft === undefined) return "saved";
    if (!force && !sameJson(await client.settings.get(this.setting), draft.base)) return "overtaken";
    const rules = this.rules();
    // No rules are no setting.
    const base = rules.length === 0 ? null : rules;
    await saveSetting(this.setting, base);
    // Somebody may have gone on typing.
    const now = this.draft.peek();
    if (now !== undefined) this.draft.value = { ...now, base, saved: rules };
    return "saved";
  }
}
