/** A condition in ECQL. If the server names the line and column of an error, the place is shown in the text. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { TextArea } from '../../../parts/controls/controls.tsx';
import { t } from '../../../words/words.ts';

interface ConditionFieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint: string;
  readonly defaultValue: string | undefined;
  readonly error: string | undefined;
  readonly onInput: (text: string) => void;
}

/** How much of the line is shown on each side of the place. */
const AROUND = 40;

export function ConditionField({ defaultValue, error, onInput, ...field }: ConditionFieldProps) {
  const value = useSignal(defaultValue ?? '');
  const sent = useRef(value.peek());
  // The place belongs to the text that the server has seen.
  if (error === undefined) sent.current = value.value;
  const place = error === undefined ? undefined : findPlace(error, sent.current);
  return (
    <div class="condition">
      <TextArea
        {...field}
        isCode
        error={error}
        defaultValue={defaultValue}
        onInput={(text) => {
          value.value = text;
          onInput(text);
        }}
      />
      {place === undefined ? null : (
        <p class="condition-place" data-column={place.column}>
          <span class="unseen">{t().security.errorPlace}</span>
          <code>
            {place.before}
            <mark>{place.at}</mark>
            {place.after}
          </code>
        </p>
      )}
    </div>
  );
}

interface Place {
  readonly column: number;
  readonly before: string;
  /** The character of the error; a sign for the end of the text. */
  readonly at: string;
  readonly after: string;
}

export function findPlace(message: string, text: string): Place | undefined {
  const [, line, column] = /line (\d+), column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const shown = text.split('\n')[Number(line) - 1] ?? '';
  const index = Number(column) - 1;
  const word = /^\w+/.exec(shown.slice(index))?.[0] ?? shown.slice(index, index + 1);
  return {
    column: Number(column),
    before: shown.slice(Math.max(0, index - AROUND), index),
    at: word === '' ? '⏎' : word,
    after: shown.slice(index + word.length, index + word.length + AROUND),
  };
}
