import type { JSX } from "preact";
import { withFlags } from "../flags.js";
import { useMachine } from "../machine.js";
import { Command } from "./command.js";

/** A command of the server's program with the flags that select this server's data. */
export function OwnCommand({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  useMachine();
  return <Command label={label} text={withFlags(text)} />;
}
