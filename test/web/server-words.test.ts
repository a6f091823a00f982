// Server messages, in the languages of the page.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ERRORS } from "../../src/api/errors.js";
import { ActivityClientError } from "../../src/client/errors.js";
import { connect } from "../../src/client/index.js";
import { PRIVACY_FAULTS } from "../../src/privacy/faults.js";
import { REGEX_FAULTS } from "../../src/regex/faults.js";
import { RETENTION_FAULTS } from "../../src/retention/faults.js";
import { bucket } from "../../src/testing/index.js";
import { texts as de } from "../../src/web/texts/de.js";
import { english } from "../../src/web/texts/en.js";
import { texts as he } from "../../src/web/texts/he.js";
import { speak } from "../../src/web/texts/language.js";
import { translateMessage } from "../../src/web/texts/translate-message.js";
import { withTestServer } from "../harness.js";

const test = suite("what the server says");

/** The page says of these what they mean: `common` has that. */
const OF_RIGHTS: readonly number[] = [401, 403];

test("every code and every fault of the server has a text in each language", () => {
  const codes = Object.entries(ERRORS).flatMap(([code, { status }]) => (OF_RIGHTS.includes(status) ? [] : [code]));
  const types = ["QueryParseException", "QueryInterpretException", "QueryFunctionException"];
  const faults = [REGEX_FAULTS, PRIVACY_FAULTS, RETENTION_FAULTS].flatMap((table) => Object.keys(table));
  for (const catalogue of [english, de, he]) {
    const texts: Readonly<Record<string, string>> = catalogue.server;
    assert.equal(
      [...codes, ...types, ...faults].filter((key) => texts[key] === undefined),
      [],
    );
  }
});

async function refusal(call: (client: ReturnType<typeof connect>) => Promise<unknown>): Promise<ActivityClientError> {
  return withTestServer({}, async (server) => {
    await server.buckets.create("b", bucket({ id: "b" }));
    const thrown: unknown = await call(connect(server)).catch((error: unknown) => error);
    assert.instance(thrown, ActivityClientError);
    return thrown as ActivityClientError;
  });
}

const program = (query: string) => ({ timeperiods: ["2024-01-01/2024-01-02"], query });

test("a refusal is said by its fault with the values, by its code, or behind a lead-in", async () => {
  const cases = [
    [() => refusal(({ buckets }) => buckets.get("nothing")), "Den Bucket nothing gibt es nicht."],
    [
      () => refusal(({ query }) => query(program('RETURN = filter_keyvals_regex([], "a", "(x");'))),
      "Zu dieser ( fehlt die schließende ) (Zeichen 1 des Musters)",
    ],
    [
      () => refusal(({ events }) => events.list("b", { filter: ["app~/[a/"] })),
      "Zu dieser Klasse fehlt die schließende ] (Zeichen 1 des Musters)",
    ],
    [
      () => refusal(({ settings }) => settings.put("privacy_rules", [{ when: { key: "a" }, then: "drop" }])),
      "Der Schlüssel braucht entweder einen Wert oder ein Muster",
    ],
    [
      () => refusal(({ settings }) => settings.put("retention_rules", [{ buckets: "*", keepDays: 0 }])),
      "Muss eine Zahl über 0 und höchstens 200.000 sein",
    ],
    ...(
      [
        ["RETURN = ;", "';' ist hier nicht erlaubt."],
        ["RETURN = [1;", "Erwartet: ']', nicht ';'."],
        ["RETURN = (1", "Die Abfrage endet zu früh."],
        ["RETURN = 'a;", "Das schließende ' fehlt."],
        ["RETURN = ?;", 'Das Zeichen "?" ist hier nicht erlaubt.'],
        ["a = 1;", "Die Abfrage setzt RETURN nicht."],
        ["RETURN = xyz;", "Die Variable 'xyz' gibt es nicht."],
        ["events = []; RETURN = event;", "Die Variable 'event' gibt es nicht. Meintest du 'events'?"],
        ["RETURN = flood;", "flood ist eine Funktion. Aufruf: flood(...)."],
        ["RETURN = xyz();", "Die Funktion 'xyz' gibt es nicht."],
        ["RETURN = flod([]);", "Die Funktion 'flod' gibt es nicht. Meintest du 'flood'?"],
        ["RETURN = sum_durations();", "sum_durations erlaubt 0 Argumente nicht."],
        ["RETURN = sum_durations([], 1);", "sum_durations erlaubt 2 Argumente nicht."],
        ["RETURN = flood(1);", "Argument 1 von flood muss eine Liste von Events sein."],
        ["RETURN = query_bucket(1);", "Argument 1 von query_bucket muss ein Text sein."],
      ] as const
    ).map(([text, wanted]) => [() => refusal(({ query }) => query(program(text))), wanted] as const),
    [() => refusal((client) => client.import("{")), "Das Dokument ist kein gültiges JSON."],
    [() => refusal((client) => client.import("[]")), /^Das Dokument muss so aussehen: \{"buckets"/],
    [() => refusal(({ events }) => events.get("b", 7)), "Dieses Event gibt es nicht oder nicht mehr."],
    [
      async () => new ActivityClientError("REFUSED", "", { status: 400, serverMessage: "no way" }),
      "Der Server meldet: no way",
    ],
  ] as const;
  try {
    for (const [refused, wanted] of cases) {
      const error = await refused();
      const message = error.serverMessage ?? "";
      await speak("de");
      if (typeof wanted === "string") assert.is(translateMessage(error, message), wanted);
      else assert.match(translateMessage(error, message), wanted);
      await speak("en");
      assert.is(translateMessage(error, message), message);
    }
  } finally {
    await speak("en");
  }
});

test.run();
