import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { shorten } from "../../format.js";
import { t } from "../../texts/bucket.js";

/** A possibly long text, shortened until expanded. */
export function CutText({ text, most }: { readonly text: string; readonly most: number }): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= most) return <>{text}</>;
  return (
    <>
      {isWhole ? text : shorten(text, most)}{" "}
      <button type="button" class="plain" onClick={() => setIsWhole(!isWhole)}>
        {isWhole ? t("showLess") : t("showWhole", { count: text.length })}
      </button>
    </>
  );
}
