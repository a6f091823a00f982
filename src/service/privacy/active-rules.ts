import type { JsonValue } from "../../domain/json.js";
import { messageOf } from "../../errors.js";
import { type Logger, silentLogger } from "../../logger.js";
import { readFilters } from "../../privacy/read-filters.js";
import { readRules } from "../../privacy/read-rules.js";
import type { ReadRule } from "../../privacy/rule.js";
import { RuleSet } from "../../privacy/rule-set.js";
import type { SettingsStore } from "../../storage/storage.js";
import { RecordCache, type RecordCaches } from "../access/record-cache.js";

/** The setting with the rules, and the one with the filters of aw-server-rust. */
export const RULES_KEY = "privacy_rules";
export const FILTERS_KEY = "privacy_filters";

type Reader = (value: unknown, name: string) => ReadRule[];

const READERS: ReadonlyMap<string, Reader> = new Map([
  [RULES_KEY, readRules],
  [FILTERS_KEY, readFilters],
]);

export function isRuleSetting(key: string): boolean {
  return READERS.has(key);
}

/**
 * Rejects an invalid setting of rules.
 *
 * @throws ActivityError `INVALID_INPUT` with the position
 */
export function checkRuleSetting(key: string, value: JsonValue): void {
  if (value !== null) READERS.get(key)?.(value, key);
}

/** The compiled rules of the settings; changes by another process apply after two or three seconds. */
export class ActiveRules {
  readonly #cache: RecordCache<JsonValue>;
  readonly #logger: Logger;
  #settings: ReadonlyMap<string, JsonValue> | undefined;
  #text = "";
  #rules: RuleSet = new RuleSet([]);

  constructor(settings: () => SettingsStore, caches: RecordCaches, logger: Logger = silentLogger) {
    const store = {
      get: (key: string) => settings().get(key),
      async list() {
        const values = await Promise.all(Array.from(READERS.keys(), async (key) => [key, await settings().get(key)]));
        return new Map(values.filter(([, value]) => value !== undefined) as [string, JsonValue][]);
      },
      compareAndSet: () => Promise.reject(new Error("settings are not written here")),
    };
    this.#cache = new RecordCache(
      () => store,
      (value) => value,
      caches,
    );
    this.#logger = logger;
  }

  /** The current rules; await `ready()` of the caches before. */
  get current(): RuleSet {
    return this.#compile(this.#cache.all);
  }

  /** Called after a setting was written here, or the storage was emptied. */
  forget(): void {
    this.#cache.forget();
  }

  #compile(settings: ReadonlyMap<string, JsonValue>): RuleSet {
    if (settings === this.#settings) return this.#rules;
    this.#settings = settings;
    const text = JSON.stringify(Array.from(READERS.keys(), (key) => settings.get(key) ?? null));
    // Compiled rules and decisions are reused while the rules are the same.
    if (text === this.#text) return this.#rules;
    this.#text = text;
    this.#rules = new RuleSet(Array.from(READERS).flatMap(([key, read]) => this.#read(settings.get(key), key, read)));
    return this.#rules;
  }

  /** Settings can bypass the check, with a backup for example: then all valid rules apply. */
  #read(value: JsonValue | undefined, key: string, read: Reader): ReadRule[] {
    if (value === undefined || value === null) return [];
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
    if (!Array.isArray(value))
      this.#logger.error(new Error(`the setting ${key} must be a list, got another value; none of its rules apply`));
    return items.flatMap((item, index) => {
      try {
        return read([item], key).map((rule) => ({ ...rule, index }));
      } catch (thrown) {
        this.#logger.error(new Error(`rule ${index} of the setting ${key} does not apply: ${messageOf(thrown)}`));
        return [];
      }
    });
  }
}
