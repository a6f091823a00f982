import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientPairingQuestion } from "../../client/index.js";
import { describeFailure } from "../api.js";
import { isFeedAlive } from "../live/feed.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { recoveries } from "../recoveries.js";
import { session } from "../session.js";
import { t } from "../texts/pairing.js";
import { allow, pairingNews, pairingRequests, pollPairingRequests, refuse } from "./requests.js";
import { ScopeEditor } from "./scope-editor.js";

/** Shows pairing requests for the owner to accept or reject. */
export function Pairing(): JSX.Element {
  const news = [recoveries.value, isFeedAlive.value, pairingNews.value];
  useEffect(pollPairingRequests, news);
  const waiting = pairingRequests.value;
  const [answer, setAnswer] = useState<Answer>();
  return (
    <>
      {waiting.length > 0 && (
        <section class="pairing" aria-label={t("requests")}>
          {waiting.map((question) => (
            <Question key={question.code} question={question} onAnswer={setAnswer} />
          ))}
        </section>
      )}
      <p class="unseen" role="status">
        {waiting.length === 0
          ? answer && t(answer.key, { name: answer.name })
          : t("requestsNumber", { number: waiting.length })}
      </p>
    </>
  );
}

interface Answer {
  readonly key: "wasAllowed" | "wasRefused";
  readonly name: string;
}

interface QuestionProps {
  readonly question: ClientPairingQuestion;
  readonly onAnswer: (answer: Answer) => void;
}

function Question({ question, onAnswer }: QuestionProps): JSX.Element {
  const { code, kind, name, origin, address } = question;
  const [scopes, setScopes] = useState<readonly string[]>(question.scopes);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  const isKey = kind === "key";
  const who = <strong>{name}</strong>;
  const shownCode = <strong class="pairing-code">{code}</strong>;

  async function confirm(): Promise<void> {
    await allow(question, scopes);
    onAnswer({ key: "wasAllowed", name });
  }
  async function deny(): Promise<void> {
    setError(undefined);
    try {
      await refuse(question);
      onAnswer({ key: "wasRefused", name });
    } catch (thrown) {
      setError(thrown);
    }
  }

  return (
    <div class="notice row">
      <p>
        {isKey
          ? t.rich("asksForKey", {
              name: who,
              scopes: <code dir="ltr">{question.scopes.join(" ")}</code>,
              code: shownCode,
            })
          : t.rich("asksToReport", { name: who })}
        {origin !== null && origin !== name && ` · ${t("forOrigin", { origin })}`}
        {address !== null && ` · ${t("fromAddress", { address })}`}
      </p>
      <button type="button" class="primary" aria-label={t("allowName", { name })} onClick={() => setIsAsking(true)}>
        {t("allowAfterQuestion")}
      </button>
      <button type="button" aria-label={t("refuseName", { name })} onClick={deny}>
        {t("refuse")}
      </button>
      {error !== undefined && <p role="alert">{describeFailure(error)}</p>}
      {isAsking && (
        <ConfirmDialog
          title={t("allowWhether", { name })}
          action={t("allow")}
          isDanger={false}
          onConfirm={confirm}
          onClose={() => setIsAsking(false)}
        >
          {isKey ? (
            <>
              <p>{t.rich("sameCode", { code: shownCode })}</p>
              <ScopeEditor scopes={scopes} onChange={setScopes} />
            </>
          ) : (
            <>
              <p>{t("onlyYours")}</p>
              {session.value?.required && <p>{t.rich("needsKeyToo", { name: <code dir="ltr">{name}</code> })}</p>}
            </>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}
