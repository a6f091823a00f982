import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { giveKey, keyWanted } from "../api.js";
import { Command } from "./command.js";
import { Field } from "./field.js";

/** Says how to sign in, and takes a key, while the server answers nobody without. */
export function SignIn(): JSX.Element | null {
  const wanted = keyWanted.value;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  if (wanted === undefined) return null;

  function submit(event: Event): void {
    event.preventDefault();
    const given = input.current?.value.trim() ?? "";
    if (given !== "") giveKey(given);
  }

  return (
    <div class="card sign-in">
      <h1>Sign in</h1>
      {wanted.wasGiven ? <p role="alert">The key that was given is not the right one.</p> : <p>{wanted.message}</p>}
      <p>On the computer that the server runs on, this opens the dashboard for you:</p>
      <Command label="sign in" text="activity-server open" />
      <form onSubmit={submit}>
        <Field label="API key" hint="Or type a key here. It is kept until this tab is closed, and sent to nobody else.">
          <input ref={input} type="password" autocomplete="current-password" spellcheck={false} />
        </Field>
        <button type="submit">Use this key</button>
      </form>
    </div>
  );
}
