// Exact amounts of money: decimal rates as text, amounts in minor units (docs/guides/timesheets.md#invoices). Pure.

/** Decimal places of rates. */
const RATE_PLACES = 4;
const RATE = /^(\d{1,7})(?:[.,](\d{1,4}))?$/;

/** Parses a rate such as `80`, `80.5` or `80,50` to a canonical decimal; `undefined` if it is invalid. */
export function parseRate(text: string): string | undefined {
  const [, whole, places = ""] = RATE.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const decimals = places.replace(/0+$/, "");
  return `${Number(whole)}${decimals === "" ? "" : `.${decimals}`}`;
}

/** `1,250` or `5.000`: thousands, or a decimal number? */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Parses a rate that a person typed; `undefined` if it is invalid or ambiguous. */
export function parseTypedRate(text: string): string | undefined {
  return AMBIGUOUS.test(text.trim()) ? undefined : parseRate(text);
}

/** Whether the browser knows a currency code. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && currencyCodes().includes(code);
}

/** All currency codes. */
export function currencyCodes(): readonly string[] {
  return Intl.supportedValuesOf("currency");
}

/** Decimal places of a currency: 2 for euros, 0 for yen. */
export function minorPlaces(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * The amount of rounded time in minor units, half up.
 *
 * @param seconds a multiple of a hundredth, as all rounded times are
 * @param rate per hour, canonical
 */
export function amountOf(seconds: number, rate: string, places: number): bigint {
  const [whole = "0", decimals = ""] = rate.split(".");
  const scaled = BigInt(`${whole}${decimals.padEnd(RATE_PLACES, "0")}`);
  const hour = 360_000n * 10n ** BigInt(RATE_PLACES);
  const dividend = BigInt(Math.round(seconds * 100)) * scaled * 10n ** BigInt(places);
  return (2n * dividend + hour) / (2n * hour);
}

/** An amount as a decimal number: `683.00`. */
export function decimalOf(minor: bigint, places: number): string {
  const digits = String(minor).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** An amount with its currency, in the format of a language. Rates may have more decimal places than the currency. */
export function formatMoney(decimal: string, currency: string, tag: string): string {
  const own = decimal.split(".")[1]?.length ?? 0;
  const places = minorPlaces(currency);
  const digits = { minimumFractionDigits: places, maximumFractionDigits: Math.max(own, places) };
  return Number(decimal).toLocaleString(tag, { style: "currency", currency, ...digits });
}
