import type { JSX } from "preact";
import { describeFailure } from "../api.js";
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
