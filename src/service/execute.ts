import type { AcceptedDraft } from "../domain/event.js";
import type { Waiting } from "../util/waiting.js";
import { followRedirects } from "./identity/follow-redirects.js";
import { announce } from "./steps/announce.js";
import { applyPrivacy, applyPrivacyInTurns } from "./steps/apply-privacy.js";
import { authorize, authorizeAdding } from "./steps/authorize.js";
import { checkQuota, updateQuota } from "./steps/check-quota.js";
import { commit } from "./steps/commit.js";
import { redirect } from "./steps/redirect.js";
import { isHooked, runHooks } from "./steps/run-hooks.js";
import type { ResultOf, Write, WriteContext, WriteKind } from "./write.js";

/**
 * Changes stored data in fixed steps: redirect, authorize, hooks, quota, privacy, commit, announce. Each step has a
 * table or a switch with all kinds of writes. Without hooks there is no `await` before the commit, so writes reach the
 * storage in the order of the calls.
 *
 * @throws ActivityError the errors of the steps
 */
export async function execute<Kind extends WriteKind>(
  write: Write<Kind>,
  context: WriteContext,
): Promise<ResultOf<Kind>> {
  const waiting = context.parts.shared.ready();
  if (waiting !== undefined) await waiting;
  if (!isHooked(write.kind, context.parts.hooks)) return redirect(write, context, (target) => perform(target, context));
  await redirect(write, context, async (target) => authorize(target, context));
  // The hook may have chosen another bucket, and the access of buckets may have changed: both steps run again.
  const changed = await runHooks(write, context);
  return redirect(changed, context, (target) => perform(target, context));
}

/** The steps after redirects and hooks. */
async function perform<Kind extends WriteKind>(write: Write<Kind>, context: WriteContext): Promise<ResultOf<Kind>> {
  const waiting = context.parts.shared.ready();
  if (waiting !== undefined) await waiting;
  authorize(write, context);
  const counting = checkQuota(write, context);
  if (counting !== undefined) await counting;
  const keptNow = applyPrivacy(write as Write, context);
  const kept = keptNow ?? (await applyPrivacyInTurns(write as Write, context));
  if (counting !== undefined || keptNow === undefined) {
    await context.parts.shared.ready();
    authorize(write, context);
  }
  const result = await commit(write, { context, kept, stored: (what) => announce(write, what, context) });
  updateQuota(write as Write, context);
  return result;
}

/**
 * A heartbeat, by far the most frequent write: the same steps. Without hooks and listeners, it neither creates nor
 * awaits anything for them.
 */
export function executeHeartbeat(write: Write<"heartbeat">, context: WriteContext): Promise<AcceptedDraft> {
  const { hooks, announcer } = context.parts;
  const isHeard = announcer.hasListeners("heartbeat") || announcer.hasListeners("change");
  if (isHeard || hooks.beforeHeartbeat !== undefined) return execute(write, context);
  return followRedirects(write.bucketId, context, (bucketId) =>
    performHeartbeat(bucketId === write.bucketId ? write : { ...write, bucketId }, context),
  );
}

function performHeartbeat(write: Write<"heartbeat">, context: WriteContext): Promise<AcceptedDraft> {
  let counting: Waiting;
  try {
    authorizeAdding(write.bucketId, context);
    counting = checkQuota(write, context);
  } catch (refusal) {
    return Promise.reject(refusal);
  }
  return counting === undefined
    ? commitHeartbeat(write, context)
    : counting.then(async () => {
        await context.parts.shared.ready();
        authorizeAdding(write.bucketId, context);
        return commitHeartbeat(write, context);
      });
}

function commitHeartbeat(write: Write<"heartbeat">, { parts: { feed, shared } }: WriteContext): Promise<AcceptedDraft> {
  const storing = shared.privacy.heartbeat(write.bucketId, write.beat, write.pulsetimeMicros);
  if (feed.active === undefined) return storing;
  return storing.then((event) => {
    feed.active?.add(write, event, feed.active.hub);
    return event;
  });
}
