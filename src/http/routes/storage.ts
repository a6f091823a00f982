import type { DomainOf } from "../../api/codec.js";
import { QUERY_PARAMETERS } from "../../api/parameters.js";
import type { STORAGE_OPERATIONS } from "../../api/subjects/storage.js";
import { serializeBackup } from "../../codec/backup.js";
import { MICROS_PER_MILLI } from "../../domain/time.js";
import { ActivityError, mustBe } from "../../errors.js";
import { type StorageHealth, verifySteps } from "../../storage/health.js";
import type { Storage } from "../../storage/storage.js";
import { linesResponse } from "../media.js";
import type { Handlers } from "../route.js";
import { encoded, readQuery } from "./action-handlers.js";
import type { HandlerParts } from "./parts.js";

/** Operations for the owner; see docs/guides/backup.md. */
export function storageHandlers(parts: HandlerParts): Handlers<keyof typeof STORAGE_OPERATIONS> {
  const { storage, control, ages, budget, version } = parts;
  return {
    async getHealth(_request, context) {
      const { challenge = null } = readQuery("getHealth", context.query);
      if (challenge !== null && !CHALLENGE.test(challenge)) {
        throw mustBe("challenge", "16 to 128 letters, digits and signs of - _", challenge);
      }
      const mayKnow = (await context.callerGrants())?.standing === "operator";
      await storage.ready();
      const health = (await storage.health?.()) ?? SOUND;
      const status = health.state === "ok" ? "ok" : "degraded";
      const deletionByAge = ages.isPaused ? ("paused" as const) : undefined;
      const details = mayKnow ? { storage: describe(storage, health), memory: budget.statistics(), deletionByAge } : {};
      const proof = challenge === null ? undefined : control.prove(challenge);
      return encoded("Health", { status, ...details, proof });
    },

    async backUpStorage() {
      await storage.ready();
      const lines = serializeBackup(storage.backup(), { producer: `activity-server ${version}` });
      return linesResponse(lines, { "content-disposition": "attachment; filename=activity-server-backup.jsonl" });
    },

    async verifyStorage() {
      await storage.ready();
      return linesResponse(verification(storage));
    },
  };
}

/** Long enough that a challenge never repeats. */
const CHALLENGE = new RegExp(QUERY_PARAMETERS.challenge.schema.pattern);

const SOUND: StorageHealth = { state: "ok", problems: [] };

function describe({ traits: { adapter, durability } }: Storage, health: StorageHealth): DomainOf<"StorageHealth"> {
  const { state, refusal = null, problems, lastFailure, lastScrub, encrypted = null, disk = null } = health;
  return {
    ...{ adapter, durability, state, refusal, problems, encrypted, disk },
    lastFailure: lastFailure ? { time: lastFailure.at * MICROS_PER_MILLI, message: lastFailure.message } : null,
    lastScrub: lastScrub === undefined ? null : lastScrub * MICROS_PER_MILLI,
  };
}

/** Verifies a storage. @returns its progress, as JSON lines */
async function* verification(storage: Storage): AsyncGenerator<string> {
  try {
    for await (const step of verifySteps(storage)) yield `${JSON.stringify(step)}\n`;
  } catch (thrown) {
    // The status is already sent, and a faulty storage must not look like a broken connection.
    const known = ActivityError.is(thrown) ? { code: thrown.code, message: thrown.message } : undefined;
    yield `${JSON.stringify({ event: "error", ...(known ?? { message: "internal error" }) })}\n`;
  }
}
