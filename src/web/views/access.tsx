import type { JSX } from "preact";
import { server } from "../server-facts.js";
import { t as shell } from "../texts/shell.js";
import { Assistants } from "./access/assistants.js";
import { Extensions } from "./access/extensions.js";
import { Keys } from "./access/keys.js";
import { Sessions } from "./access/sessions.js";

/** Access control: keys, sessions, extensions and assistants. */
export default function AccessView(): JSX.Element {
  return (
    <div class="access-view">
      <h1>{shell("access")}</h1>
      <Keys />
      <Sessions />
      <Extensions />
      {server.value?.hasAssistants && <Assistants />}
    </div>
  );
}
