import { intOf } from "../contract/case.js";
import { type Api, outcomeOf } from "./api.js";
import { bucketIds, difference, type Entries, type Entry, entriesOf, settingsOf, toWire } from "./ledger.js";
import type { Load, LoadOptions } from "./load.js";

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;

/** The settings, as a subject of an observer. */
export const SETTINGS = "settings";

/** Settings that are made, replaced and deleted. */
export class SettingsLoad implements Load {
  readonly #options: LoadOptions;
  /** What each key may be; `undefined`: not there. The first one knows of no request that is in doubt. */
  readonly #candidates: Map<string, readonly (string | undefined)[]> = new Map();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async step(api: Api): Promise<boolean> {
    const { random, nextN, observer } = this.#options;
    const key = `key ${intOf(random, 1, 8)}`;
    const text = JSON.stringify({ n: nextN(), text: "v".repeat(intOf(random, 0, 500)) });
    const value = random() < 0.2 ? undefined : text;
    const path = `settings/${encodeURIComponent(key)}`;
    observer?.sent(SETTINGS, this.#withValue(key, value));
    const answer =
      value === undefined ? await api.request("DELETE", path) : await api.request("POST", path, JSON.parse(value));
    const outcome = outcomeOf(answer);
    if (outcome === "impossible") throw new Error(`${path}: ${JSON.stringify(answer)}`);
    const before = this.#candidates.get(key) ?? [undefined];
    if (outcome === "stored") this.#candidates.set(key, [value]);
    if (outcome === "stored") observer?.acknowledged(SETTINGS);
    if (outcome === "doubt") this.#candidates.set(key, [...before, value]);
    return answer !== undefined;
  }

  async verify(api: Api): Promise<string | undefined> {
    const found = await settingsOf(api);
    const keys = new Set([...found.keys(), ...this.#candidates.keys()]);
    const wrong = [...keys].filter((key) => !(this.#candidates.get(key) ?? [undefined]).includes(found.get(key)));
    const defects = wrong.map((key) => `${key} is ${found.get(key)} instead of ${this.#candidates.get(key)}`);
    for (const key of keys) this.#candidates.set(key, [found.get(key)]);
    return defects.length === 0 ? undefined : `settings: ${defects.join("; ")}`;
  }

  /** All of them, as far as they are not in doubt, with one changed. */
  #withValue(key: string, value: string | undefined): Map<string, string> {
    const all = new Map([...this.#candidates].map(([name, [first]]) => [name, first] as const)).set(key, value);
    return new Map([...all].flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  }
}

/** Imports of a bucket. One in doubt may be there in part, of whole events; the same file again completes it. */
export class ImportLoad implements Load {
  readonly #options: LoadOptions;
  readonly #kept: Map<string, Entries> = new Map();
  #doubt: { readonly bucketId: string; readonly entries: Entries } | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async step(api: Api): Promise<boolean> {
    const { random, nextN } = this.#options;
    if (this.#doubt === undefined) {
      const bucketId = `import-${intOf(random, 0, 2)}`;
      const entries = new Map<number, Entry>(this.#kept.get(bucketId));
      for (let count = intOf(random, 1, 800); count > 0; count--) {
        const n = nextN();
        entries.set(n, { n, timestamp: START + intOf(random, 0, 50_000) * SECOND, duration: SECOND });
      }
      this.#doubt = { bucketId, entries };
    }
    return this.#send(api, this.#doubt);
  }

  async verify(api: Api): Promise<string | undefined> {
    const listed = await bucketIds(api);
    const doubt = this.#doubt;
    if (doubt !== undefined) {
      const found = listed.includes(doubt.bucketId) ? await entriesOf(api, doubt.bucketId) : new Map<number, Entry>();
      for (const [n, entry] of found) {
        const asked = doubt.entries.get(n);
        const defect = difference(new Map([[n, entry]]), new Map(asked ? [[n, asked]] : []));
        if (defect !== undefined) return `${doubt.bucketId}: half an import: ${defect}`;
      }
      const missing = [...(this.#kept.get(doubt.bucketId)?.keys() ?? [])].find((n) => !found.has(n));
      if (missing !== undefined) return `${doubt.bucketId}: event ${missing} of an earlier import is lost`;
      await this.#send(api, doubt);
    }
    for (const [bucketId, entries] of this.#kept) {
      // A refused completion stays in doubt.
      if (bucketId === this.#doubt?.bucketId) continue;
      const found = await entriesOf(api, bucketId);
      const defect = difference(found, entries);
      if (defect !== undefined) return `${bucketId}: ${defect}`;
      for (const { id, n } of found.values()) this.#options.ids.claim(bucketId, id ?? Number.NaN, n);
      this.#kept.set(bucketId, found);
    }
    return undefined;
  }

  async #send(api: Api, { bucketId, entries }: { bucketId: string; entries: Entries }): Promise<boolean> {
    const events = [...entries.values()].map(({ id: _, ...entry }) => toWire(entry));
    const bucket = { id: bucketId, type: "load", client: "faults", hostname: "test", events };
    const answer = await api.request("POST", "import", { buckets: { [bucketId]: bucket } });
    const outcome = outcomeOf(answer);
    if (outcome === "impossible") throw new Error(`import: ${JSON.stringify(answer)}`);
    if (outcome === "stored") {
      this.#kept.set(bucketId, entries);
      this.#doubt = undefined;
    }
    return answer !== undefined;
  }
}
