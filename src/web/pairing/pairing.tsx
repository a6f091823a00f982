import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientPairingQuestion } from "../../client/client-types.js";
import { messageOfFailure, recoveries } from "../api.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { pollWhileShown } from "../poll.js";
import { session } from "../session.js";
import { allow, loadQuestions, questions, refuse } from "./questions.js";
import { ScopeEditor } from "./scope-editor.js";

/** How often the page asks, in milliseconds. */
const EVERY = 10_000;

/** Shows who waits for an answer of the owner, and takes it. */
export function Pairing(): JSX.Element {
  const recovered = recoveries.value;
  useEffect(() => pollWhileShown(loadQuestions, () => EVERY), [recovered]);
  const waiting = questions.value;
  const [note, setNote] = useState("");
  return (
    <>
      {waiting.length > 0 && (
        <section class="pairing" aria-label="Requests for access">
          {waiting.map((question) => (
            <Question key={question.code} question={question} onAnswer={setNote} />
          ))}
        </section>
      )}
      <p class="unseen" role="status">
        {waiting.length === 0 ? note : `Requests for access: ${waiting.length}`}
      </p>
    </>
  );
}

interface QuestionProps {
  readonly question: ClientPairingQuestion;
  readonly onAnswer: (note: string) => void;
}

function Question({ question, onAnswer }: QuestionProps): JSX.Element {
  const { code, kind, name, origin, address } = question;
  const [scopes, setScopes] = useState<readonly string[]>(question.scopes);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState("");
  const isKey = kind === "key";

  async function confirm(): Promise<void> {
    await allow(question, scopes);
    onAnswer(`${name} was allowed.`);
  }
  async function deny(): Promise<void> {
    setError("");
    try {
      await refuse(question);
      onAnswer(`${name} was refused.`);
    } catch (thrown) {
      setError(messageOfFailure(thrown));
    }
  }

  return (
    <div class="notice row">
      <p>
        <strong>{name}</strong> {isKey ? "asks for a key" : "is a browser extension that asks to report"}
        {origin !== null && origin !== name && ` for ${origin}`}
        {address !== null && ` from ${address}`}
        {isKey && (
          <>
            : <code>{question.scopes.join(" ")}</code>, with the code <strong class="pairing-code">{code}</strong>
          </>
        )}
      </p>
      <button type="button" class="primary" aria-label={`Allow ${name}`} onClick={() => setIsAsking(true)}>
        Allow…
      </button>
      <button type="button" aria-label={`Refuse ${name}`} onClick={deny}>
        Refuse
      </button>
      {error !== "" && <p role="alert">{error}</p>}
      {isAsking && (
        <ConfirmDialog
          title={`Allow ${name}?`}
          action="Allow"
          isDanger={false}
          onConfirm={confirm}
          onClose={() => setIsAsking(false)}
        >
          {isKey ? (
            <>
              <p>
                Only if it shows the same code: <strong class="pairing-code">{code}</strong>. You can give it less than
                it asks for.
              </p>
              <ScopeEditor scopes={scopes} onChange={setScopes} />
            </>
          ) : (
            <>
              <p>Only if it is one that you have installed. It may report then, and read nothing.</p>
              {session.value?.required && (
                <p>
                  This server asks for keys, so it needs one besides. If it cannot ask for one itself, make one under
                  Access, with <code>{name}</code> as its origin, and give it to the extension.
                </p>
              )}
            </>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}
