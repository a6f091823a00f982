import type { JSX } from "preact";
import { isActivityClientError } from "../../client/errors.js";
import { describeFailure, isReachable } from "../api.js";
import { common } from "../texts/common.js";

/** A failure, shown next to its cause. */
export interface FailureProps {
  readonly error: unknown;
  /** Retries; without it the button is hidden. */
  readonly retry?: (() => void) | undefined;
  /** The failed action. */
  readonly title?: string | undefined;
}

export function Failure({ error, retry, title }: FailureProps): JSX.Element {
  const isUnreachable = isActivityClientError(error) && error.code === "UNREACHABLE";
  // The strip above all views says why, and what can be retried is loaded when the server is back.
  if (isUnreachable && retry !== undefined && !isReachable.value) {
    return <p class="quiet">{title ?? common("notLoaded")}</p>;
  }
  return (
    <div class="failure" role="alert">
      <p>
        {title !== undefined && <strong>{title} </strong>}
        <bdi>{describeFailure(error)}</bdi>
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {common("tryAgain")}
        </button>
      )}
    </div>
  );
}
