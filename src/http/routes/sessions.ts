import { ActivityError } from "../../errors.js";
import type { Caller } from "../../service/access/grants.js";
import { DONE, type RequestContext } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";
import { cookieLine, isSameOrigin, SESSION_HEADER } from "../session-cookie.js";
import { encoded, readBody } from "./action-handlers.js";
import type { HandlerParts } from "./parts.js";

/** docs/reference/keys.md#sessions. */
export function sessionHandlers(parts: HandlerParts): Handlers<"signIn" | "getSession" | "signOut"> {
  const { sessions, keys, guard, isRequired } = parts;
  return {
    async signIn(request, context) {
      const { token } = await readBody("SignIn", request, context);
      if (!isSameOrigin(request, guard)) {
        throw new ActivityError("FORBIDDEN", "only pages of this server sign in, and this request is of none");
      }
      const userAgent = request.header("user-agent");
      const started = await sessions.start(token, { address: request.remoteAddress, userAgent });
      if (started === undefined) {
        await context.slowDown();
        throw new ActivityError(
          "UNAUTHORIZED",
          "this link was used before or is older than a minute; make another one",
          { fault: { name: "linkUsed", values: {} } },
        );
      }
      const { cookie, ...told } = started;
      return { ...encoded("NewSession", told), cookies: [cookieLine(request, guard, cookie, COOKIE_SECONDS)] };
    },

    async getSession(request, context) {
      const current = await currentOf(request, context);
      await keys.ready();
      return encoded("SessionState", {
        signedIn: current !== undefined,
        required: isRequired,
        hasKeys: keys.hasKeys(),
        id: current?.id ?? null,
        expires: current?.expires ?? null,
      });
    },

    async signOut(request, context) {
      const current = await currentOf(request, context);
      if (current !== undefined) await sessions.end(current.id);
      return { ...DONE, cookies: [cookieLine(request, guard, "", 0)] };
    },
  };
}

/** The longest lifetime that browsers allow. The server decides how long the session lasts. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60;

type Current = Extract<Caller, { readonly kind: "session" }>;

/** These routes are open, so this delay is the only limit on guessing secrets. */
async function currentOf(request: RequestContext, context: RouteContext): Promise<Current | undefined> {
  const caller = (await context.callerGrants())?.caller;
  if (caller?.kind === "session") return caller;
  const triesSecret = request.header(SESSION_HEADER) !== undefined && request.header("authorization") === undefined;
  if (triesSecret) await context.slowDown();
  return undefined;
}
