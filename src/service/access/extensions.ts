import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonValue } from "../../domain/json.js";
import { mustBe } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import type { Waiting } from "../../util/waiting.js";
import { RecordCache, RecordCaches } from "./record-cache.js";

/** A decision about a browser extension that the server does not allow by default. */
export type ExtensionInfo = DomainOf<"Extension">;

const EXTENSION_ORIGIN = /^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9.-]{1,64}$/i;

/** Whether an origin belongs to a browser extension. */
export function isExtensionOrigin(origin: string): boolean {
  return EXTENSION_ORIGIN.test(origin);
}

/** Browser extensions with a decision of the owner (docs/explanation/security.md#browser-extensions). */
export class Extensions {
  readonly #storage: Pick<Storage, "records">;
  readonly #caches: RecordCaches = new RecordCaches();
  readonly #records: RecordCache<ExtensionInfo>;

  constructor(storage: Pick<Storage, "records">) {
    this.#storage = storage;
    this.#records = new RecordCache(() => storage.records("extensions"), parsed, this.#caches);
  }

  /** Await it before a lookup. */
  ready(): Waiting {
    return this.#caches.ready();
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

  /** Allows an extension without a pairing request. @throws ActivityError `INVALID_INPUT` for an invalid origin */
  async allow(origin: unknown): Promise<void> {
    if (typeof origin === "string" && isExtensionOrigin(origin)) return this.decide(origin, true);
    throw mustBe("origin", "the origin of an extension such as chrome-extension://…", origin);
  }

  decide(origin: string, allowed: boolean): Promise<void> {
    return this.#records.change(origin, () => ({ origin, allowed }));
  }

  /** Removes a decision, so that the owner is asked again. Ignores unknown origins. */
  forgetOrigin(origin: string): Promise<void> {
    return this.#records.change(origin, () => undefined);
  }

  /** Clears the cache after the storage was emptied elsewhere. */
  forget(): void {
    this.#records.forget();
  }
}

function parsed(value: JsonValue): ExtensionInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { origin, allowed } = value;
  return typeof origin === "string" && typeof allowed === "boolean" ? { origin, allowed } : undefined;
}
