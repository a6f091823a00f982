import type { RecordStore } from "../../src/storage/records.js";
import type { SettingsStore, Storage } from "../../src/storage/storage.js";
import type { PromiseName } from "./promises.js";

/** What a call answers, and which promise is broken when it answers something else, fails or never ends. */
export interface Rule {
  readonly promise: PromiseName;
  /** The promise of the answer, where it is another. */
  readonly result?: PromiseName;
  /** For messages: "expected …". */
  readonly answer: string;
  fits(value: unknown): boolean;
}

const FLAG = { answer: "a boolean", fits: (value: unknown) => typeof value === "boolean" };
const COUNT = { answer: "a number", fits: (value: unknown) => typeof value === "number" };
const LIST = { answer: "an array", fits: Array.isArray };
const LIST_OR_NONE = {
  answer: "an array or undefined",
  fits: (value: unknown) => value === undefined || Array.isArray(value),
};
const OBJECT = { answer: "an object", fits: isObject };
const PERHAPS = { answer: "an object or undefined", fits: (value: unknown) => value === undefined || isObject(value) };
const NOTHING = { answer: "undefined", fits: (value: unknown) => value === undefined };
const VALUE = { answer: "a value or undefined", fits: () => true };
const MAP = { answer: "a Map", fits: (value: unknown) => value instanceof Map };
const READ = { answer: "a version and batches", fits: isRead };
const PULL = { answer: "a batch or the end", fits: isPull };
const PAGE = { answer: "a page or the end", fits: isPull };
const ITEM = { answer: "an item or the end", fits: isPull };

/** Every call that a case makes and waits for; `batches` is a pull of a read, `reopen` and `second` are options. */
export type CallName =
  | Exclude<keyof Storage, "traits" | "settings" | "records" | "health" | "useLogger" | "useMemory">
  | `settings.${keyof SettingsStore}`
  | `records.${keyof RecordStore}`
  | "batches"
  | "reopen"
  | "second";

const RULES: Readonly<Record<CallName, Rule>> = {
  ready: { promise: "ready", ...NOTHING },
  deviceId: { promise: "deviceId", answer: "a text", fits: (value: unknown) => typeof value === "string" },
  listBuckets: { promise: "listBuckets", ...LIST },
  getBucket: { promise: "getBucket", ...PERHAPS },
  summaries: { promise: "summaries", ...LIST },
  createBucket: { promise: "createBucket", ...LIST_OR_NONE },
  updateBucket: { promise: "updateBucket", ...FLAG },
  deleteBucket: { promise: "deleteBucket", ...FLAG },
  putEvents: { promise: "putAllOrNone", result: "putResult", ...LIST },
  mergeEvents: { promise: "mergeEvents", result: "mergeResult", ...COUNT },
  heartbeat: { promise: "heartbeat", result: "heartbeatResult", ...OBJECT },
  getEvent: { promise: "getEvent", ...PERHAPS },
  read: { promise: "read", ...READ },
  batches: { promise: "batches", ...PULL },
  versions: { promise: "versions", ...LIST },
  rangeVersions: { promise: "rangeVersions", ...LIST },
  changes: { promise: "changePull", ...PAGE },
  countEvents: { promise: "countEvents", ...COUNT },
  deleteEvents: { promise: "deleteEvents", ...COUNT },
  transact: { promise: "transact", ...FLAG },
  eraseDeleted: { promise: "eraseDeleted", ...NOTHING },
  backup: { promise: "backup", ...ITEM },
  verify: { promise: "verify", ...OBJECT },
  usage: { promise: "usage", ...OBJECT },
  close: { promise: "close", ...NOTHING },
  destroy: { promise: "close", ...NOTHING },
  "settings.get": { promise: "settingsGet", ...VALUE },
  "settings.list": { promise: "settingsList", ...MAP },
  "settings.put": { promise: "settingsPut", ...NOTHING },
  "settings.delete": { promise: "settingsDelete", ...FLAG },
  "records.get": { promise: "settingsGet", ...VALUE },
  "records.list": { promise: "settingsList", ...MAP },
  "records.compareAndSet": { promise: "compareAndSet", result: "compareResult", ...FLAG },
  reopen: { promise: "visible", ...OBJECT },
  second: { promise: "multiProcess", ...OBJECT },
};

/** The rule of a call. */
export function ruleOf(name: CallName): Rule {
  return RULES[name];
}

/** Tells whether a method of a storage, or one of a store in it behind its name and a dot, is a call with a rule. */
export function isCallName(name: string): name is CallName {
  return Object.hasOwn(RULES, name);
}

/** Tells whether a value is an object, arrays included. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Tells whether a value can be iterated with `for await`. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === "function";
}

function isRead(value: unknown): boolean {
  if (!isObject(value) || !("batches" in value) || !isAsyncIterable(value.batches)) return false;
  return !("version" in value) || value.version === undefined || typeof value.version === "string";
}

function isPull(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ("done" in value && value.done === true) || ("value" in value && isObject(value.value));
}
