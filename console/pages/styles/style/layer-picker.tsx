/** Chooses the layer of the preview: the names are searched by the server. */
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { useRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import type { LayerList } from '../../../rest/types.ts';
import { t } from '../../../words/words.ts';

const SUGGESTED = 20;

interface LayerPickerProps {
  /** With its workspace; undefined until one is chosen. */
  readonly layer: string | undefined;
  readonly onChoose: (layer: string) => void;
}

export function LayerPicker({ layer, onChoose }: LayerPickerProps) {
  const id = useId();
  const typed = useSignal('');
  const found = useRest<LayerList>({
    path: withQuery('/layers', { limit: SUGGESTED, q: typed.value === '' ? undefined : typed.value }),
    keepsLast: true,
  });
  const layers = found.data?.body.layers;
  const names = layers === undefined || layers === '' ? [] : layers.layer.map(({ name }) => name);
  const choose = (text: string) => {
    if (names.includes(text) && text !== layer) onChoose(text);
  };
  // The text may be complete before the names arrive.
  useEffect(() => choose(typed.peek()), [names.join()]);
  return (
    <label class="style-layer">
      <span>{t().styles.preview.layer}</span>
      <input
        key={layer ?? ''}
        class="input"
        list={id}
        defaultValue={layer ?? ''}
        placeholder={t().styles.preview.chooseLayer}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          choose(event.currentTarget.value);
        }}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
