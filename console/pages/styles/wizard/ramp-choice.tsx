/** Chooses a colour ramp: radio buttons with its colours. */
import { createColors, ramps } from '../../../style-text/ramps.ts';
import { t } from '../../../words/words.ts';

interface RampChoiceProps {
  readonly selected: string;
  readonly isReversed: boolean;
  readonly onChoose: (id: string) => void;
  readonly onReverse: (isReversed: boolean) => void;
}

const SHOWN_COLORS = 8;
const WIDTH = 96;
const HEIGHT = 16;

export function RampChoice({ selected, isReversed, onChoose, onReverse }: RampChoiceProps) {
  const { wizard: words } = t().styles;
  return (
    <fieldset class="wizard-ramps">
      <legend>{words.ramp}</legend>
      {ramps.map((ramp) => (
        <label key={ramp.id} class="wizard-ramp">
          <input
            type="radio"
            name="ramp"
            value={ramp.id}
            checked={ramp.id === selected}
            onChange={() => onChoose(ramp.id)}
          />
          <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
            {createColors(ramp, SHOWN_COLORS, isReversed).map((color, index) => (
              <rect
                key={color}
                x={(index * WIDTH) / SHOWN_COLORS}
                width={WIDTH / SHOWN_COLORS + 0.5}
                height={HEIGHT}
                fill={color}
              />
            ))}
          </svg>
          <span>{words.ramps[ramp.id] ?? ramp.id}</span>
        </label>
      ))}
      <label class="wizard-reverse">
        <input type="checkbox" checked={isReversed} onChange={(event) => onReverse(event.currentTarget.checked)} />
        {words.reverse}
      </label>
      <p class="muted">{words.safe}</p>
    </fieldset>
  );
}
