import type { PAIRING_OPERATIONS } from "../../api/subjects/pairing.js";
import type { JsonObject } from "../../domain/json.js";
import { serializeTimestamp } from "../../domain/time.js";
import { ActivityError } from "../../errors.js";
import type { Extensions } from "../../service/access/extensions.js";
import type { Pairing, PairingQuestion } from "../../service/access/pairing.js";
import { invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import type { Credentials } from "../credentials.js";
import { unauthorized } from "../permission.js";
import { DONE, jsonResponse } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

export interface PairingRoutesOptions {
  readonly pairing: Pairing;
  readonly extensions: Extensions;
  readonly credentials: Pick<Credentials, "isArmed">;
}

/** docs/keys.md#pairing. */
export function pairingHandlers(options: PairingRoutesOptions): Handlers<keyof typeof PAIRING_OPERATIONS> {
  const { pairing, extensions, credentials } = options;

  /** A key may open what is closed to everybody without one, so not everybody may give one. */
  async function refuseAnybody(code: string, { callerGrants }: RouteContext): Promise<void> {
    if (pairing.kindOf(code) !== "key" || (await callerGrants())?.standing !== "anybody") return;
    if (await credentials.isArmed()) throw unauthorized();
  }

  return {
    async requestPairing(request, context) {
      const { name, scopes } = await readObject(request, context.limits);
      const source = { origin: request.header("origin"), address: request.remoteAddress };
      const { code, secret, expires } = pairing.request({ name, scopes }, source);
      return jsonResponse(JSON.stringify({ code, secret, expires: serializeTimestamp(expires) }));
    },

    async collectPairing(request, context) {
      const { secret } = await readObject(request, context.limits);
      if (typeof secret !== "string") throw invalid(`secret is ${shown(secret)}; that of who asked is expected`);
      const outcome = await pairing.collect(secret);
      if (outcome !== undefined) return jsonResponse(JSON.stringify(outcome));
      await context.slowDown();
      throw new ActivityError(
        "NO_SUCH_PAIRING",
        "nobody asks with this secret: it was answered, or waited for too long",
      );
    },

    async listPairing() {
      return jsonResponse(JSON.stringify(pairing.list().map(objectOf)));
    },

    async approvePairing(request, context) {
      const { name, scopes } = await readObject(request, context.limits);
      const code = codeOf(context);
      await refuseAnybody(code, context);
      return jsonResponse(JSON.stringify(await pairing.approve(code, { name, scopes })));
    },

    async refusePairing(_request, context) {
      await pairing.refuse(codeOf(context));
      return DONE;
    },

    async listExtensions() {
      return jsonResponse(JSON.stringify(await extensions.list()));
    },

    async forgetExtension(_request, { params }) {
      await extensions.forgetOrigin(params.get("extensionOrigin") as string);
      return DONE;
    },
  };
}

function codeOf({ params }: RouteContext): string {
  return params.get("code") as string;
}

function objectOf({ requested, expires, ...question }: PairingQuestion): JsonObject {
  return { ...question, requested: serializeTimestamp(requested), expires: serializeTimestamp(expires) };
}
