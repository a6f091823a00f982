// State of a response while the next one is loading.
import { useEffect, useRef } from "preact/hooks";
import { isActivityClientError } from "../../../client/errors.js";
import { describeFailure } from "../../api.js";
import { type Reloadable, shownValue, useLoad } from "../../load.js";
import type { Period } from "../../period.js";
import { type Keyed, requestKey } from "./load-period.js";
import type { ValidParameters } from "./rejected.js";

/** Known state of a value. */
export interface Displayed<Value> {
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
  parameters: ValidParameters,
  load: (program: string, signal: AbortSignal) => Promise<Keyed<Value>>,
): Reloadable<Keyed<Value> | undefined> {
  return useLoad(program === undefined ? "" : key, async (signal) => {
    if (program === undefined || key === "") return undefined;
    try {
      return await load(program, signal);
    } catch (error) {
      if (signal.aborted || !isActivityClientError(error) || error.code !== "REFUSED") throw error;
      const { isRefusal } = await import("./find-rejected.js");
      if (signal.aborted || !isRefusal(error, program, parameters)) throw error;
      // Never resolves: the retry without the rejected part aborts this request.
      return new Promise<never>(() => undefined);
    }
  });
}

export function toDisplayed<Value>(
  answer: Reloadable<Keyed<Value> | undefined>,
  period: Period,
  program: string | undefined,
  retry: () => void,
): Displayed<Value> {
  if (program === undefined) return { value: undefined, isOld: false, isAwaited: false, failure: undefined };
  const shown = shownValue(answer);
  const isOld = shown !== undefined && shown.asked !== requestKey(period, program);
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
export function findExact<Value>(
  answer: Reloadable<Keyed<Value> | undefined>,
  period: Period,
  program: string | undefined,
): Value | undefined {
  const shown = shownValue(answer);
  return program !== undefined && shown?.asked === requestKey(period, program) ? shown.value : undefined;
}

/** Whether two failures have the same message, which is then shown once. */
export function isSame(one: Displayed<unknown>["failure"], other: Displayed<unknown>["failure"]): boolean {
  return one !== undefined && other !== undefined && describeFailure(one.error) === describeFailure(other.error);
}

export function withoutSharedFailure<Value>(other: Displayed<unknown>, seen: Displayed<Value>): Displayed<Value> {
  return isSame(seen.failure, other.failure) ? { ...seen, failure: undefined } : seen;
}

/** Whether a panel is final, which later panels wait for. */
export function isShown({ value, failure }: Displayed<unknown>): boolean {
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
