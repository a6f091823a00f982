import type { JSX } from "preact";
import { isActivityClientError } from "../../../client/errors.js";
import { explainRejection } from "../../api.js";
import type { Reloadable } from "../../load.js";
import { Busy } from "../../parts/busy.js";
import { Failure } from "../../parts/failure.js";
import { OwnCommand } from "../../parts/own-command.js";
import { t } from "../../texts/access.js";
import { common } from "../../texts/common.js";

/** Placeholder for a list that is loading or not permitted. */
export function Absent({ loaded }: { readonly loaded: Reloadable<unknown> }): JSX.Element {
  if (loaded.state !== "failed") return <Busy />;
  const { error } = loaded;
  const refusal = isActivityClientError(error) ? error : undefined;
  if (refusal?.status === 404) {
    return (
      <>
        <p>{t("noKeysYet")}</p>
        <OwnCommand label={common("createKey")} text="activity-server keys add owner --scope admin" />
      </>
    );
  }
  const meaning = refusal && explainRejection(refusal);
  if (meaning !== undefined) {
    return (
      <>
        <p role="alert">{meaning}</p>
        <p>{t("howToSignIn")}</p>
        <OwnCommand label={t("signIn")} text="activity-server open" />
        <details class="quiet">
          <summary>{t("serverSays")}</summary>
          <bdi>{refusal?.serverMessage}</bdi>
        </details>
      </>
    );
  }
  return <Failure error={error} title={common("notLoaded")} retry={loaded.retry} />;
}
