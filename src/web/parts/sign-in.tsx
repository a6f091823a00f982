import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { missingCredentials, setKey } from "../api.js";
import { t } from "../texts/shell.js";
import { Field } from "./field.js";
import { OwnCommand } from "./own-command.js";

/** Explains how to sign in, and accepts a key, while the server requires credentials. */
export function SignIn(): JSX.Element | null {
  const wanted = missingCredentials.value;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  if (wanted === undefined) return null;

  function submit(event: Event): void {
    event.preventDefault();
    const given = input.current?.value.trim() ?? "";
    if (given !== "") setKey(given);
  }

  return (
    <div class="card sign-in">
      <h1>{t("signIn")}</h1>
      {wanted.wasGiven ? <p role="alert">{t("wrongKey")}</p> : <p>{wanted.say()}</p>}
      <p>{t("howToSignIn")}</p>
      <OwnCommand label={t("signIn")} text="activity-server open" />
      <form onSubmit={submit}>
        <Field label={t("apiKey")} hint={t("apiKeyHint")}>
          <input ref={input} type="password" autocomplete="current-password" spellcheck={false} />
        </Field>
        <button type="submit">{t("useKey")}</button>
      </form>
    </div>
  );
}
