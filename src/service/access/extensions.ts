import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonValue } from "../../domain/json.js";
import { mustBe } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import type { Waiting } from "../../util/waiting.js";
import { RecordCache, RecordMemory } from "./record-cache.js";

/** What was decided about a browser extension whose origin the server does not know by itself. */
export type ExtensionInfo = DomainOf<"Extension">;

const EXTENSION_ORIGIN = /^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9.-]{1,64}$/i;

/** Whether an origin is that of a browser extension. */
export function isExtensionOrigin(origin: string): boolean {
  return EXTENSION_ORIGIN.test(origin);
}

/** Browser extensions that somebody has decided about (docs/security.md#browser-extensions). */
export class Extensions {
  readonly #storage: Pick<Storage, "records">;
  readonly #memory: RecordMemory = new RecordMemory();
  readonly #records: RecordCache<ExtensionInfo>;

  constructor(storage: Pick<Storage, "records">) {
    this.#storage = storage;
    this.#records = new RecordCache(() => storage.records("extensions"), parsed, this.#memory);
  }

  /** To wait for before a lookup. */
  ready(): Waiting {
    return this.#memory.ready();
  }

  /** After `ready()`. @returns `undefined` if the owner has not decided yet */
  allows(origin: string): boolean | undefined {
    return this.#records.all.get(origin)?.allowed;
  }

  async list(): Promise<ExtensionInfo[]> {
    const records = await this.#storage.records("extensions").list();
    const infos = Array.from(records.values(), parsed).filter((info) => info !== undefined);
    return infos.sort((a, b) => (a.origin < b.origin ? -1 : 1));
  }

  /** Lets one report that has not asked. @throws ActivityError `INVALID_INPUT` for what is no such origin */
  async allow(origin: unknown): Promise<void> {
    if (typeof origin === "string" && isExtensionOrigin(origin)) return this.decide(origin, true);
    throw mustBe("origin", "that of an extension such as chrome-extension://…", origin);
  }

  decide(origin: string, allowed: boolean): Promise<void> {
    return this.#records.change(origin, () => ({ origin, allowed }));
  }

  /** From now on it is asked about again. One that is unknown stays so. */
  forgetOrigin(origin: string): Promise<void> {
    return this.#records.change(origin, () => undefined);
  }

  /** Forgets what is in memory: the storage was emptied behind it. */
  forget(): void {
    this.#records.forget();
  }
}

function parsed(value: JsonValue): ExtensionInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { origin, allowed } = value;
  return typeof origin === "string" && typeof allowed === "boolean" ? { origin, allowed } : undefined;
}
