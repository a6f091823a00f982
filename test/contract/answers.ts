import type { SettingsStore, Storage } from "../../src/storage.js";
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
const OBJECT = { answer: "an object", fits: isObject };
const PERHAPS = { answer: "an object or undefined", fits: (value: unknown) => value === undefined || isObject(value) };
const NOTHING = { answer: "undefined", fits: (value: unknown) => value === undefined };

/** Every call that a case makes and waits for; `reopen` is that of the options. */
export type CallName =
  | Exclude<keyof Storage, "traits" | "settings" | "revision">
  | `settings.${keyof SettingsStore}`
  | "reopen";

const RULES: Readonly<Record<CallName, Rule>> = {
  deviceId: { promise: "deviceId", answer: "a text", fits: (value: unknown) => typeof value === "string" },
  listBuckets: { promise: "listBuckets", ...LIST },
  getBucket: { promise: "getBucket", ...PERHAPS },
  createBucket: { promise: "createBucket", ...FLAG },
  updateBucket: { promise: "updateBucket", ...FLAG },
  deleteBucket: { promise: "deleteBucket", ...FLAG },
  putEvents: { promise: "putAllOrNone", result: "putResult", ...LIST },
  heartbeat: { promise: "heartbeat", result: "heartbeatResult", ...OBJECT },
  getEvent: { promise: "getEvent", ...PERHAPS },
  readEvents: { promise: "readEvents", answer: "a chunk or the end", fits: isPull },
  readPrinted: { promise: "readPrinted", answer: "a chunk or the end", fits: isPull },
  readColumns: { promise: "readColumns", answer: "a chunk or the end", fits: isPull },
  countEvents: { promise: "countEvents", ...COUNT },
  deleteEvents: { promise: "deleteEvents", ...COUNT },
  close: { promise: "close", ...NOTHING },
  "settings.get": { promise: "settingsGet", answer: "a value or undefined", fits: () => true },
  "settings.list": { promise: "settingsList", answer: "a Map", fits: (value: unknown) => value instanceof Map },
  "settings.put": { promise: "settingsPut", ...NOTHING },
  "settings.delete": { promise: "settingsDelete", ...FLAG },
  reopen: { promise: "visible", ...OBJECT },
};

export function ruleOf(name: CallName): Rule {
  return RULES[name];
}

/** Tells whether a method of a storage, or one of its settings behind `settings.`, is a call that has a rule. */
export function isCallName(name: string): name is CallName {
  return Object.hasOwn(RULES, name);
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isPull(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ("done" in value && value.done === true) || ("value" in value && Array.isArray(value.value));
}
