import type { JSX } from "preact";
import { Dialog } from "../parts/dialog.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/shortcuts.js";
import { areShortcutsShown } from "./shown.js";

type Shortcuts = readonly (readonly [effect: string, ...keys: readonly string[]])[];

/** Each key is a separate string; `+` joins keys that are pressed together. */
function shortcuts(): readonly (readonly [where: string, shortcuts: Shortcuts])[] {
  const control = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : t("controlKey");
  const shift = t("shiftKey");
  return [
    [
      t("everywhere"),
      [
        [t("search"), `${control}+K`, "/"],
        [t("help"), "?"],
        [t("leave"), t("escapeKey")],
      ],
    ],
    [t("periods"), [[t("move"), "←", "→"]]],
    [
      t("lanes"),
      [
        [t("moveFast"), `${shift}+←`, `${shift}+→`],
        [t("page"), t("pageUpKey"), t("pageDownKey")],
        [t("zoom"), "+", "−"],
        [t("ends"), t("homeKey"), t("endKey")],
        [t("step"), "↑", "↓"],
        [t("select"), t("enterKey")],
      ],
    ],
    [
      t("conditions"),
      [
        [t("negate"), "!"],
        [t("remove"), t("deleteKey")],
      ],
    ],
    [t("overview"), [[t("moveTile"), "Alt+↑", "Alt+↓"]]],
    [shell("query"), [[t("runQuery"), `${control}+${t("enterKey")}`]]],
  ];
}

/** The keyboard shortcuts, in a dialog. */
export function Shortcuts(): JSX.Element {
  const close = (): void => {
    areShortcutsShown.value = false;
  };
  return (
    <Dialog title={shell("shortcuts")} onClose={close}>
      <div class="shortcuts">
        {shortcuts().map(([where, lines]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {lines.map(([effect, ...keys]) => (
                <div key={effect}>
                  <dt dir="ltr">
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="actions">
        <button type="button" onClick={close}>
          {common("close")}
        </button>
      </p>
    </Dialog>
  );
}
