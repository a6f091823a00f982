import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { giveKey, keyWanted } from "../api.js";
import { Field } from "./field.js";

/** Asks for the API key when the server does. */
export function KeyPrompt(): JSX.Element | null {
  const wanted = keyWanted.value;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [wanted === undefined]);
  if (wanted === undefined) return null;

  function submit(event: Event): void {
    event.preventDefault();
    const given = input.current?.value.trim() ?? "";
    if (given !== "") giveKey(given);
  }

  return (
    <form class="card key-prompt" onSubmit={submit}>
      <h1>This server asks for its API key</h1>
      {wanted.wasGiven ? <p role="alert">The key that was given is not the right one.</p> : <p>{wanted.message}</p>}
      <Field label="API key" hint="It is kept until this tab is closed, and sent to nobody else.">
        <input ref={input} type="password" autocomplete="current-password" spellcheck={false} />
      </Field>
      <button type="submit" class="primary">
        Use this key
      </button>
    </form>
  );
}
