import { useSignal } from "@preact/signals";
import type { JSX, TargetedEvent } from "preact";
import type { JsonValue } from "../../domain/json.js";
import { messageOfFailure } from "../api.js";
import { DemoCard } from "../demo/demo-card.js";
import { shownOf } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { href } from "../router.js";
import {
  alwaysActivePattern,
  isZone,
  loadSettings,
  saveSetting,
  startOfDay,
  startOfWeek,
  stored,
  theme,
  timeZone,
  zone,
} from "../settings.js";
import { patternErrorOf } from "./settings/pattern-error.js";

/** What can be set. Each field is stored as soon as it is left, under the key that the official UI uses. */
export default function SettingsView(): JSX.Element {
  const loadable = stored.value;
  if (shownOf(loadable) === undefined) {
    if (loadable.state !== "failed") return <Busy />;
    return <Failure error={loadable.error} title="The settings could not be read." retry={loadSettings} />;
  }
  return (
    <div class="settings">
      <h1>Settings</h1>
      <p class="quiet">They are kept by the server, for every browser that opens this page.</p>
      <Days />
      <Activity />
      <Look />
      <section class="card">
        <h2>Elsewhere</h2>
        <p>
          Rules that sort time: <a href={href(["categories"])}>Categories</a>. How watchers report here:{" "}
          <a href={href(["welcome"])}>Start a watcher</a>. Who may do what: <a href={href(["access"])}>Access</a>.
        </p>
      </section>
      <DemoCard />
    </div>
  );
}

interface Saving {
  readonly note: string;
  readonly error: string | undefined;
  save(value: JsonValue): Promise<void>;
}

/** Stores values under a key and says what became of them. */
function useSaving(key: string): Saving {
  const note = useSignal("");
  const error = useSignal<string | undefined>(undefined);
  return {
    note: note.value,
    error: error.value,
    async save(value) {
      note.value = "Saving…";
      error.value = undefined;
      try {
        await saveSetting(key, value);
        note.value = "Saved";
      } catch (thrown) {
        note.value = "";
        error.value = `It was not saved: ${messageOfFailure(thrown)}`;
      }
    },
  };
}

function Note({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="setting-note" role="status">
      {text}
    </span>
  );
}

function Days(): JSX.Element {
  const day = useSaving("startOfDay");
  const week = useSaving("startOfWeek");
  const place = useSaving("timeZone");
  const unknown = useSignal<string | undefined>(undefined);

  function saveZone({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>): void {
    const name = value.trim();
    unknown.value = name === "" || isZone(name) ? undefined : `This browser knows no time zone “${name}”.`;
    if (unknown.value === undefined && name !== timeZone.value) void place.save(name);
  }

  return (
    <section class="card">
      <h2>Days and times</h2>
      <Field
        label="A day begins at"
        hint="What you do after midnight then still belongs to the evening before."
        error={day.error}
      >
        <input
          type="time"
          required
          value={startOfDay.value}
          onChange={({ currentTarget: { value } }) => value !== "" && void day.save(value)}
        />
        <Note text={day.note} />
      </Field>
      <Field label="A week begins on" error={week.error}>
        <select value={startOfWeek.value} onChange={({ currentTarget: { value } }) => void week.save(value)}>
          <option value="Monday">Monday</option>
          <option value="Sunday">Sunday</option>
        </select>
        <Note text={week.note} />
      </Field>
      <Field
        label="Time zone"
        hint={`Empty: that of the browser. Days and times are now those of ${zone.value}.`}
        error={unknown.value ?? place.error}
      >
        <input list="zones" value={timeZone.value} placeholder={zone.value} onChange={saveZone} />
        <Note text={place.note} />
      </Field>
      <datalist id="zones">
        {Intl.supportedValuesOf("timeZone").map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </section>
  );
}

function Activity(): JSX.Element {
  const pattern = useSaving("always_active_pattern");
  const typed = useSignal<string | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);

  /** Every number is made with it, so a wrong one would leave none. */
  async function savePattern(value: string): Promise<void> {
    typed.value = value;
    fault.value = undefined;
    const found = await patternErrorOf(value);
    // Something else was typed meanwhile.
    if (typed.value !== value) return;
    fault.value = found;
    if (found === undefined) await pattern.save(value);
  }

  return (
    <section class="card">
      <h2>Activity without hands</h2>
      <Field
        label="Always active"
        hint={
          <>
            A regular expression. Windows whose app or title it fits count even while nobody touches the computer:
            meetings and films, say.
          </>
        }
        error={fault.value ?? pattern.error}
      >
        <input
          class="wide"
          value={typed.value ?? alwaysActivePattern.value}
          placeholder="Zoom|Meet|VLC"
          spellcheck={false}
          aria-invalid={fault.value !== undefined}
          onChange={({ currentTarget: { value } }) => void savePattern(value)}
        />
        <Note text={fault.value === undefined ? pattern.note : ""} />
      </Field>
    </section>
  );
}

function Look(): JSX.Element {
  const look = useSaving("theme");
  return (
    <section class="card">
      <h2>Look</h2>
      <Field label="Colours" error={look.error}>
        <select value={theme.value} onChange={({ currentTarget: { value } }) => void look.save(value)}>
          <option value="auto">As the system</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
        <Note text={look.note} />
      </Field>
    </section>
  );
}
