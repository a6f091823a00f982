// State of a response while the next one is loading.
import { useEffect, useRef } from "preact/hooks";
import { isActivityClientError } from "../../../client/errors.js";
import { messageOfFailure } from "../../api.js";
import { type Reloadable, shownOf, useLoad } from "../../load.js";
import type { Period } from "../../period.js";
import { askedFor, type Of } from "./load-period.js";
import type { Told } from "./refused.js";

/** Known state of a value. */
export interface Seen<Value> {
  readonly value: Value | undefined;
  /** Whether it belongs to another period and is shown until the new one is loaded. */
  readonly isOld: boolean;
  /** Whether nothing is loaded yet. */
  readonly isAwaited: boolean;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
}

/**
 * Loads the result of a program, and retries without the parts that the server rejects.
 *
 * @param key identifies everything that the response depends on; "" = do not load
 */
export function useAnswer<Value>(
  key: string,
  program: string | undefined,
  told: Told,
  load: (program: string, signal: AbortSignal) => Promise<Of<Value>>,
): Reloadable<Of<Value> | undefined> {
  return useLoad(program === undefined ? "" : key, async (signal) => {
    if (program === undefined || key === "") return undefined;
    try {
      return await load(program, signal);
    } catch (error) {
      if (signal.aborted || !isActivityClientError(error) || error.code !== "REFUSED") throw error;
      const { isRefusal } = await import("./refusal.js");
      if (signal.aborted || !isRefusal(error, program, told)) throw error;
      // Never resolves: the retry without the rejected part aborts this request.
      return new Promise<never>(() => undefined);
    }
  });
}

export function seenOf<Value>(
  answer: Reloadable<Of<Value> | undefined>,
  period: Period,
  program: string | undefined,
  retry: () => void,
): Seen<Value> {
  if (program === undefined) return { value: undefined, isOld: false, isAwaited: false, failure: undefined };
  const shown = shownOf(answer);
  const isOld = shown !== undefined && shown.asked !== askedFor(period, program);
  const isAwaited = shown === undefined && answer.state === "loading";
  const failure = answer.state === "failed" ? { error: answer.error, retry } : undefined;
  // A failure must not leave another period's numbers visible.
  return {
    value: isOld && failure !== undefined ? undefined : shown?.value,
    isOld: isOld && failure === undefined,
    isAwaited,
    failure,
  };
}

/** The value of a response, if it belongs to the period. */
export function exactOf<Value>(
  answer: Reloadable<Of<Value> | undefined>,
  period: Period,
  program: string | undefined,
): Value | undefined {
  const shown = shownOf(answer);
  return program !== undefined && shown?.asked === askedFor(period, program) ? shown.value : undefined;
}

/** Whether two failures have the same message, which is then shown once. */
export function isSame(one: Seen<unknown>["failure"], other: Seen<unknown>["failure"]): boolean {
  return one !== undefined && other !== undefined && messageOfFailure(one.error) === messageOfFailure(other.error);
}

export function withoutFailureOf<Value>(other: Seen<unknown>, seen: Seen<Value>): Seen<Value> {
  return isSame(seen.failure, other.failure) ? { ...seen, failure: undefined } : seen;
}

/** Whether a panel is final, which later panels wait for. */
export function isShown({ value, failure }: Seen<unknown>): boolean {
  return value !== undefined || failure !== undefined;
}

/** Calls back as time passes during the current period. */
export function useRefresh(isOn: boolean, now: number, refresh: () => void): void {
  const first = useRef(now);
  useEffect(() => {
    if (isOn && first.current !== now) refresh();
    first.current = now;
  }, [now]);
}
