// What is known of an answer while another one is on its way.
import { useEffect, useRef } from "preact/hooks";
import { isActivityClientError } from "../../../client/errors.js";
import { messageOfFailure } from "../../api.js";
import { type Reloadable, shownOf, useLoad } from "../../load.js";
import type { Period } from "../../period.js";
import { askedFor, type Of } from "./load-period.js";
import type { Told } from "./refused.js";

/** What is known of a value now. */
export interface Seen<Value> {
  readonly value: Value | undefined;
  /** Whether it is that of another period, which stays until the new one is there. */
  readonly isOld: boolean;
  /** Whether there is none yet. */
  readonly isAwaited: boolean;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
}

/**
 * Asks by a program, and again without what the server refuses of it.
 *
 * @param key says all that the answer depends on; "" = nothing is asked
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
      // It is asked anew without what was refused, which aborts this.
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
  // What failed for this period must not show the numbers of another one.
  return {
    value: isOld && failure !== undefined ? undefined : shown?.value,
    isOld: isOld && failure === undefined,
    isAwaited,
    failure,
  };
}

/** The value of an answer, if it is that of the period. */
export function exactOf<Value>(
  answer: Reloadable<Of<Value> | undefined>,
  period: Period,
  program: string | undefined,
): Value | undefined {
  const shown = shownOf(answer);
  return program !== undefined && shown?.asked === askedFor(period, program) ? shown.value : undefined;
}

/** Whether two failures would say the same: once is enough. */
export function isSame(one: Seen<unknown>["failure"], other: Seen<unknown>["failure"]): boolean {
  return one !== undefined && other !== undefined && messageOfFailure(one.error) === messageOfFailure(other.error);
}

export function withoutFailureOf<Value>(other: Seen<unknown>, seen: Seen<Value>): Seen<Value> {
  return isSame(seen.failure, other.failure) ? { ...seen, failure: undefined } : seen;
}

/** Panels wait for those before them. */
export function isShown({ value, failure }: Seen<unknown>): boolean {
  return value !== undefined || failure !== undefined;
}

/** Calls back when the time has gone on while the period is the current one. */
export function useRefresh(isOn: boolean, now: number, refresh: () => void): void {
  const first = useRef(now);
  useEffect(() => {
    if (isOn && first.current !== now) refresh();
    first.current = now;
  }, [now]);
}
