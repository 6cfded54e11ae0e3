/** A picker for the colour or number under the cursor. */
import type { FoundValue } from '../../../style-text/find-value.ts';
import { chooseRange, toLongColor } from '../../../style-text/find-value.ts';
import { t } from '../../../words/words.ts';

interface ValueBarProps {
  readonly value: FoundValue | undefined;
  readonly onChange: (text: string) => void;
}

export function ValueBar({ value, onChange }: ValueBarProps) {
  const { editor: words } = t().styles;
  return (
    <div class="style-value" data-kind={value?.kind ?? 'none'}>
      {value === undefined ? (
        <span class="muted">{words.valueHint}</span>
      ) : value.kind === 'color' ? (
        <label class="style-value-field">
          {words.colorAtCursor}
          <input
            type="color"
            value={toLongColor(value.text)}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <code>{value.text}</code>
        </label>
      ) : (
        <label class="style-value-field">
          {words.numberAtCursor}
          <input
            type="range"
            {...chooseRange(value.text)}
            value={value.text}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          <code>{value.text}</code>
        </label>
      )}
    </div>
  );
}
