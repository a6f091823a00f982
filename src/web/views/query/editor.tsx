import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { direction } from "../../texts/language.js";
import { t } from "../../texts/query.js";
import { type ErrorPlace, offsetOf } from "./error-place.js";

export interface EditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  /** Position to mark. */
  readonly error: ErrorPlace | undefined;
}

const INDENT = "  ";

/** A program editor with line numbers and error marks. */
export function Editor({ text, onText, onRun, error }: EditorProps): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  const behind = useRef<HTMLPreElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  // Keyboard users must be able to leave: after Escape, Tab moves the focus.
  const leaves = useRef(false);

  function follow(): void {
    if (field.current === null || behind.current === null || numbers.current === null) return;
    behind.current.scrollTop = field.current.scrollTop;
    behind.current.scrollLeft = field.current.scrollLeft;
    numbers.current.scrollTop = field.current.scrollTop;
  }
  useEffect(follow, [text, error]);
  useEffect(() => {
    if (error === undefined || field.current === null) return;
    const at = offsetOf(field.current.value, error);
    field.current.setSelectionRange(at, at);
  }, [error]);

  function press(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    } else if (event.key === "Tab" && !leaves.current && !event.shiftKey) {
      event.preventDefault();
      write(event.currentTarget, INDENT);
      onText(event.currentTarget.value);
    }
    if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) leaves.current = event.key === "Escape";
  }

  const lineCount = text.split("\n").length;
  const wrong = error === undefined ? undefined : Math.min(error.line, lineCount);
  const at = error === undefined ? undefined : offsetOf(text, error);
  return (
    <div class="editor" dir="ltr">
      <pre class="editor-numbers" ref={numbers} aria-hidden="true">
        {numbersOf(1, wrong ?? lineCount + 1)}
        {wrong !== undefined && (
          <>
            <span class="editor-wrong">{`${wrong}\n`}</span>
            {numbersOf(wrong + 1, lineCount + 1)}
          </>
        )}
      </pre>
      <div class="editor-field">
        <pre class="editor-behind" ref={behind} aria-hidden="true">
          {at !== undefined && (
            <>
              {text.slice(0, at)}
              <mark>{/^[^\n]/.test(text.slice(at)) ? text.slice(at, at + 1) : " "}</mark>
            </>
          )}
        </pre>
        <textarea
          ref={field}
          aria-label={t("program")}
          aria-describedby="editor-keys"
          aria-invalid={error !== undefined}
          value={text}
          rows={14}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={press}
          onScroll={follow}
          onBlur={() => {
            leaves.current = false;
          }}
        />
      </div>
      <p class="hint editor-keys" id="editor-keys" dir={direction.value}>
        {t("keys")}
      </p>
    </div>
  );
}

/** Line numbers below each other, excluding `end`. */
function numbersOf(first: number, end: number): string {
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => `${first + at}\n`).join("");
}

/** Inserts text at the cursor, with native undo support. */
function write(field: HTMLTextAreaElement, text: string): void {
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
}
