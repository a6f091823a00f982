import type { ClientExtensions, ClientKeys, ClientPairing, ClientSessions } from "./client-types.js";
import {
  EXTENSION,
  KEY,
  NEW_KEY,
  NEW_PAIRING,
  NEW_SESSION,
  PAIRING_APPROVAL,
  PAIRING_OUTCOME,
  PAIRING_QUESTION,
  SESSION,
  SESSION_STATE,
  SIGN_IN_LINK,
} from "./response-schemas.js";
import { serializedLater as json, type Sender } from "./sender.js";

export function keysOf({ send, sendOnly }: Sender): ClientKeys {
  const path = "/api/0/keys";
  return {
    list: (options) => send(`GET ${path}`, [KEY], { ...options }),
    add: (key, options) => send(`POST ${path}`, NEW_KEY, { ...options, body: json(key) }),
    async revoke(name, options) {
      await sendOnly(`DELETE ${path}/:keyName`, { ...options, params: { keyName: name } });
    },
  };
}

export function sessionsOf({ send, sendOnly }: Sender): ClientSessions {
  const path = "/api/0/session";
  return {
    current: (options) => send(`GET ${path}`, SESSION_STATE, { ...options }),
    signIn: (token, options) => send(`POST ${path}`, NEW_SESSION, { ...options, body: json({ token }) }),
    async signOut(options) {
      await sendOnly(`DELETE ${path}`, { ...options });
    },
    createLink: (options) => send(`POST ${path}/links`, SIGN_IN_LINK, { ...options }),
    list: (options) => send("GET /api/0/sessions", [SESSION], { ...options }),
    async end(sessionId, options) {
      await sendOnly("DELETE /api/0/sessions/:sessionId", { ...options, params: { sessionId } });
    },
  };
}

export function pairingOf({ send, sendOnly }: Sender): ClientPairing {
  const path = "/api/0/pairing";
  return {
    request: (key, options) => send(`POST ${path}`, NEW_PAIRING, { ...options, body: json(key) }),
    collect: (secret, options) => send(`POST ${path}/collect`, PAIRING_OUTCOME, { ...options, body: json({ secret }) }),
    list: (options) => send(`GET ${path}`, [PAIRING_QUESTION], { ...options }),
    approve: (code, changes, options) =>
      send(`POST ${path}/:code/approve`, PAIRING_APPROVAL, { ...options, params: { code }, body: json(changes ?? {}) }),
    async refuse(code, options) {
      await sendOnly(`DELETE ${path}/:code`, { ...options, params: { code } });
    },
  };
}

export function extensionsOf({ send, sendOnly }: Sender): ClientExtensions {
  const path = "/api/0/extensions";
  return {
    list: (options) => send(`GET ${path}`, [EXTENSION], { ...options }),
    async forget(origin, options) {
      await sendOnly(`DELETE ${path}/:extensionOrigin`, { ...options, params: { extensionOrigin: origin } });
    },
  };
}
