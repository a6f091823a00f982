import { printable, usageError } from "../launch-error.js";
import type { Ask } from "./ask.js";
import { asking } from "./asking.js";
import { needed, type ToolOptions } from "./options.js";
import { createReport, type Report } from "./report.js";
import { findTarget } from "./target.js";

/** A key, as the API tells it. */
interface ToldKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires: string | null;
  readonly origin: string | null;
  readonly revoked: string | null;
  readonly last_used: string | null;
  readonly last_used_from: string | null;
  /** Only of a new one. */
  readonly key?: string;
}

const USAGE = "keys add NAME --scope SCOPE | keys list | keys revoke NAME, with --data DIR or --storage postgres";

const ACTIONS: Readonly<Record<string, (options: ToolOptions, ask: Ask, report: Report) => Promise<void>>> = {
  async add({ name, scopes, expires, origin }, ask, report) {
    if (scopes.length === 0) throw usageError("keys add needs --scope, e.g. --scope 'append:*'");
    const until = expires === undefined ? null : instantOf(expires);
    const draft = { name: needed(name, USAGE), scopes, expires: until, origin: origin ?? null };
    const made = (await ask("POST", "/api/0/keys", draft)) as ToldKey;
    report.event("key-added", { ...made }, `${described(made)}\nThe key, shown this once:\n${made.key}`);
  },

  async list(_options, ask, report) {
    const keys = (await ask("GET", "/api/0/keys")) as readonly ToldKey[];
    for (const key of keys) report.event("key", { ...key }, described(key));
  },

  async revoke({ name }, ask, report) {
    const revoked = needed(name, USAGE);
    await ask("DELETE", `/api/0/keys/${encodeURIComponent(revoked)}`);
    report.event("key-revoked", { name: revoked }, `${printable(revoked)} is revoked`);
  },
};

/** Makes, lists and revokes keys. @returns the exit code */
export async function keys(options: ToolOptions): Promise<number> {
  const { action = "" } = options;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw usageError(`usage: activity-server ${USAGE}`);
  const target = await findTarget(options.place);
  const { ask, close } = asking(target);
  try {
    await act(options, ask, createReport({ json: options.json }));
    return 0;
  } finally {
    await close();
  }
}

const MILLIS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time as the API takes it, from a time or from how long it is until then. */
function instantOf(text: string): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const millis = MILLIS[unit];
  return millis === undefined ? text : new Date(Date.now() + Number(count) * millis).toISOString();
}

function described({ name, scopes, expires, origin, revoked, last_used, last_used_from }: ToldKey): string {
  const facts = [
    scopes.join(" "),
    origin === null ? undefined : `only from ${origin}`,
    expires === null ? undefined : `expires ${expires}`,
    last_used === null ? "never used" : `last used ${last_used} from ${last_used_from ?? "an unknown address"}`,
    revoked === null ? undefined : `revoked ${revoked}`,
  ];
  return printable(`${name}: ${facts.filter((fact) => fact !== undefined).join(", ")}`, 1000);
}
