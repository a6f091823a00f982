import type { JSX } from "preact";
import { isActivityClientError } from "../../../client/errors.js";
import { Failure } from "../../parts/failure.js";
import { t } from "../../texts/query.js";
import { translateMessage } from "../../texts/translate-message.js";
import { errorPlaceOf } from "./error-place.js";

/** Shows why a query has no result. Offers a retry only if the program is valid. */
export function ProgramErrorView({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry: () => void;
}): JSX.Element {
  const known = isActivityClientError(error) ? error : undefined;
  if (known?.code === "ABORTED") return <p class="notice">{t("stopped")}</p>;
  if (known?.code !== "REFUSED" || known.status !== 400)
    return <Failure error={error} retry={retry} title={t("failed")} />;
  const place = errorPlaceOf(error);
  const { function: called, rule } = known.fault?.place ?? {};
  return (
    <div class="failure" role="alert">
      <p>
        {place !== undefined && <strong>{t("place", { ...place })} </strong>}
        <bdi>
          {called !== undefined && `${called}${rule === undefined ? "" : ` [${rule}]`}: `}
          {translateMessage(known)}
        </bdi>
      </p>
    </div>
  );
}
