import type { JSX } from "preact";
import { isActivityClientError } from "../../../client/errors.js";
import { Failure } from "../../parts/failure.js";
import { t } from "../../texts/query.js";
import { saidBy } from "../../texts/said-by.js";
import { type ProgramError, readProgramError } from "./program-error.js";

/** What is wrong with the program itself; `undefined` for failures of other kinds. */
export function programErrorOf(error: unknown): ProgramError | undefined {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  return readProgramError(error.serverMessage ?? error.message);
}

/** Says why there is no result. Trying a wrong program again is of no use, so then there is no button for it. */
export function ProgramErrorView({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry: () => void;
}): JSX.Element {
  if (isActivityClientError(error) && error.code === "ABORTED") return <p class="notice">{t("stopped")}</p>;
  const found = programErrorOf(error);
  if (found === undefined || !isActivityClientError(error))
    return <Failure error={error} retry={retry} title={t("failed")} />;
  const { reason, place } = found;
  return (
    <div class="failure" role="alert">
      <p>
        {place !== undefined && <strong>{t("place", { line: place.line, column: place.column })} </strong>}
        <bdi>{saidBy(error, reason)}</bdi>
      </p>
    </div>
  );
}
