/** One value of a rule: an input that suits its kind, or a remark that it is written by hand. */
import { useId } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { toLongColor } from '../../../style-text/find-value.ts';
import { marks } from '../../../style-text/grammar.ts';
import { type FieldName, type FieldState, isFieldValue, valueKinds } from '../../../style-text/visual-style.ts';
import { t } from '../../../words/words.ts';

interface VisualFieldProps {
  readonly name: FieldName;
  readonly state: FieldState | undefined;
  readonly attributes: readonly string[];
  readonly onChange: (value: string | undefined) => void;
  readonly onShow: (position: number) => void;
}

export function VisualField({ name, state, attributes, onChange, onShow }: VisualFieldProps) {
  const id = useId();
  const { visual: words } = t().styles;
  const label = words.fields[name];
  if (state?.kind === 'by hand') {
    return (
      <div class="visual-field">
        <span>{label}</span>
        <span class="visual-hand">
          <span class="muted">{words.expression}</span>
          <Button
            kind="quiet"
            icon="code"
            label={`${label}: ${words.showText}`}
            onClick={() => onShow(state.range.from)}
          />
        </span>
      </div>
    );
  }
  const value = state?.value ?? '';
  const change = (next: string) => {
    if (next === value) return;
    if (next === '') onChange(undefined);
    else if (isFieldValue(name, next)) onChange(next);
  };
  return (
    <div class="visual-field">
      <label for={id}>{label}</label>
      <Input id={id} name={name} value={value} attributes={attributes} onChange={change} />
    </div>
  );
}

interface InputProps {
  readonly id: string;
  readonly name: FieldName;
  readonly value: string;
  readonly attributes: readonly string[];
  readonly onChange: (value: string) => void;
}

function Input({ id, name, value, attributes, onChange }: InputProps) {
  switch (valueKinds[name]) {
    case 'color':
      return <ColorInput id={id} value={value} onChange={onChange} />;
    case 'number':
      return <NumberInput id={id} value={value} step="0.5" onChange={onChange} />;
    case 'share':
      return <NumberInput id={id} value={value} step="0.05" min="0" max="1" onChange={onChange} />;
    case 'mark':
      return <Choice id={id} value={value} options={marks} onChange={onChange} />;
    case 'attribute':
      return <Choice id={id} value={value} options={attributes} onChange={onChange} />;
    case 'weight':
      return <Choice id={id} value={value} options={['normal', 'bold']} isOptional onChange={onChange} />;
    case 'text':
    case 'numbers':
      return <input id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}

type PlainInputProps = Pick<InputProps, 'id' | 'value' | 'onChange'>;

/** Colours have names too, which a picker cannot show: the text beside it can. */
function ColorInput({ id, value, onChange }: PlainInputProps) {
  return (
    <span class="visual-color">
      <input
        id={id}
        type="color"
        value={toLongColor(readColor(value))}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <code>{value === '' ? '–' : value}</code>
    </span>
  );
}

/** The browser knows the names of colours. */
function readColor(value: string): string {
  if (value.startsWith('#') || value === '') return value === '' ? '#808080' : value;
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return '#808080';
  context.fillStyle = value;
  return String(context.fillStyle);
}

function NumberInput({
  id,
  value,
  onChange,
  ...limits
}: PlainInputProps & { readonly step: string; readonly min?: string; readonly max?: string }) {
  return (
    <input
      id={id}
      class="input"
      type="number"
      {...limits}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps extends PlainInputProps {
  readonly options: readonly string[];
  readonly isOptional?: boolean;
}

function Choice({ id, value, options, isOptional = false, onChange }: ChoiceProps) {
  const all = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {isOptional || value === '' ? <option value="">–</option> : null}
      {all.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
