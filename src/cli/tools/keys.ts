import type { ClientKey, KeyScope } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import type { Actions } from "./actions.js";
import { requireValue } from "./options.js";
import { joinFacts } from "./report.js";

export const ACTIONS: Actions<CommandOptions<"keys">> = {
  async add(options, { client }, report) {
    const { scope: scopes, expires, origin } = options;
    if (scopes.length === 0) throw usageError("keys add needs --scope, e.g. --scope 'append:*'");
    const made = await client.keys.add({
      name: requireValue(options.name, options),
      // The server checks them.
      scopes: scopes as readonly KeyScope[],
      expires: expires === undefined ? null : parseExpiry(expires),
      origin: origin ?? null,
    });
    const text = `${printable(describeKey(made), 1000)}\nThe key, which is only shown once:\n${made.key}`;
    report.event("key-added", { ...made }, text);
  },

  async list(_options, { client }, report) {
    report.each("key", await client.keys.list(), describeKey, "no keys");
  },

  async revoke(options, { client }, report) {
    const revoked = requireValue(options.name, options);
    await client.keys.revoke(revoked);
    report.event("key-revoked", { name: revoked }, `revoked ${printable(revoked)}`);
  },
};

const MILLIS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The expiry for the API, from a time or a duration such as `90d`. */
function parseExpiry(text: string): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const millis = MILLIS[unit];
  return millis === undefined ? text : new Date(Date.now() + Number(count) * millis).toISOString();
}

function describeKey({ name, scopes, expires, origin, revoked, last_used, last_used_from }: ClientKey): string {
  const facts = joinFacts([
    scopes.join(" "),
    origin !== null && `only from ${origin}`,
    expires !== null && `expires ${expires}`,
    last_used === null ? "never used" : `last used ${last_used} from ${last_used_from ?? "an unknown address"}`,
    revoked !== null && `revoked ${revoked}`,
  ]);
  return `${name}: ${facts}`;
}
