import type { SESSION_OPERATIONS } from "../../api/subjects/sessions.js";
import type { JsonObject } from "../../domain/json.js";
import { serializeTimestamp } from "../../domain/time.js";
import { ActivityError } from "../../errors.js";
import type { Caller } from "../../service/access/grants.js";
import type { Keys } from "../../service/access/keys.js";
import type { SessionInfo, Sessions } from "../../service/access/sessions.js";
import { invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import type { Guard } from "../guard.js";
import { DONE, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";
import { cookieLine, isSameOrigin, SESSION_HEADER } from "../session-cookie.js";

export interface SessionRoutesOptions {
  readonly sessions: Sessions;
  readonly keys: Pick<Keys, "exist">;
  readonly guard: Guard;
  /** Whether credentials are needed for whatever is not open. */
  readonly isRequired: boolean;
  /** Where the page is that takes a token, up to the token. */
  readonly signInPath: string;
}

/** docs/keys.md#signing-in. */
export function sessionHandlers(options: SessionRoutesOptions): Handlers<keyof typeof SESSION_OPERATIONS> {
  const { sessions, keys, guard, isRequired, signInPath } = options;
  return {
    async createSignInLink() {
      const { token, expires } = sessions.createLink();
      return jsonResponse(JSON.stringify({ token, path: signInPath + token, expires: serializeTimestamp(expires) }));
    },

    async signIn(request, { limits, slowDown }) {
      const body = await readObject(request, limits);
      if (typeof body.token !== "string") throw invalid(`token is ${shown(body.token)}; that of a link is expected`);
      if (!isSameOrigin(request, guard)) {
        throw new ActivityError("FORBIDDEN", "only pages of this server sign in, and this request is of none");
      }
      const userAgent = request.header("user-agent");
      const begun = await sessions.begin(body.token, { address: request.remoteAddress, userAgent });
      if (begun === undefined) {
        await slowDown();
        throw new ActivityError(
          "UNAUTHORIZED",
          "this link was used before or is older than a minute; make another one",
          { fault: { name: "linkUsed", values: {} } },
        );
      }
      const { id, cookie, secret, expires } = begun;
      const told = { id, secret, expires: serializeTimestamp(expires) };
      return { ...jsonResponse(JSON.stringify(told)), cookies: [cookieLine(request, guard, cookie, COOKIE_SECONDS)] };
    },

    async getSession(request, context) {
      const current = await currentOf(request, context);
      return jsonResponse(
        JSON.stringify({
          signed_in: current !== undefined,
          required: isRequired,
          has_keys: await keys.exist(),
          id: current?.id ?? null,
          expires: current === undefined ? null : serializeTimestamp(current.expires),
        }),
      );
    },

    async signOut(request, context) {
      const current = await currentOf(request, context);
      if (current !== undefined) await sessions.end(current.id);
      return { ...DONE, cookies: [cookieLine(request, guard, "", 0)] };
    },

    async listSessions(request, context) {
      const current = await currentOf(request, context);
      return jsonResponse(JSON.stringify((await sessions.list()).map((info) => objectOf(info, current?.id))));
    },

    async endSession(_request, { params }) {
      await sessions.end(params.get("sessionId") as string);
      return DONE;
    },
  };
}

/** As long as browsers keep one at most: how long the session goes on, the server decides. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

type Current = Extract<Caller, { readonly kind: "session" }>;

/** These routes are open, so nobody else slows down who tries one secret after another. */
async function currentOf(
  request: RequestContext,
  { callerGrants, slowDown }: RouteContext,
): Promise<Current | undefined> {
  const caller = (await callerGrants())?.caller;
  if (caller?.kind === "session") return caller;
  if (request.header(SESSION_HEADER) !== undefined && request.header("authorization") === undefined) await slowDown();
  return undefined;
}

function objectOf(info: SessionInfo, current: string | undefined): JsonObject {
  return {
    id: info.id,
    created: serializeTimestamp(info.created),
    last_used: serializeTimestamp(info.lastUsed),
    last_used_from: info.lastUsedFrom,
    user_agent: info.userAgent,
    expires: serializeTimestamp(info.expires),
    current: info.id === current,
  };
}
