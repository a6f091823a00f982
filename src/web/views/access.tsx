import type { JSX } from "preact";
import { Extensions } from "./access/extensions.js";
import { Keys } from "./access/keys.js";
import { Sessions } from "./access/sessions.js";

/** Who may do what: keys, sessions and extensions. */
export default function AccessView(): JSX.Element {
  return (
    <div class="access-view">
      <h1>Access</h1>
      <Keys />
      <Sessions />
      <Extensions />
    </div>
  );
}
