/** The input of an attribute by its type. An empty input is no value. */
import { useId } from 'preact/hooks';
import { t } from '../../../../words/words.ts';
import type { AttributeSchema } from './format-transaction.ts';

interface AttributeFieldProps {
  readonly attribute: AttributeSchema;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

const inputTypes: Readonly<Record<string, string>> = {
  int: 'number',
  number: 'number',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
};

export function AttributeField({ attribute, value, error, onChange }: AttributeFieldProps) {
  const { name, type } = attribute;
  const id = useId();
  const { featureEdit: words } = t();
  const described = error === undefined ? undefined : `${id}-error`;
  const common = { id, name, class: 'input', 'aria-invalid': error !== undefined, 'aria-describedby': described };
  return (
    <div class="field">
      <label for={id}>
        {name} <span class="field-type">{words.types[type] ?? type}</span>
      </label>
      {type === 'boolean' ? (
        <select
          {...common}
          value={value === null || value === undefined ? '' : String(value)}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            onChange(chosen === '' ? null : chosen === 'true');
          }}
        >
          <option value="">–</option>
          <option value="true">{t().app.yes}</option>
          <option value="false">{t().app.no}</option>
        </select>
      ) : type === 'string' && String(value ?? '').length > 60 ? (
        <textarea
          {...common}
          rows={4}
          value={String(value ?? '')}
          onInput={(event) => onChange(readText(event.currentTarget.value, value))}
        />
      ) : (
        <input
          {...common}
          type={(inputTypes[type] ?? 'text') as 'text'}
          step={type === 'int' ? 1 : type === 'date-time' ? 1 : 'any'}
          value={formatInput(value, type)}
          onInput={(event) => onChange(readInput(event.currentTarget.value, type, value))}
        />
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** Times are shown and entered in UTC, as they are stored. */
function formatInput(value: unknown, type: string): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (type === 'date') return text.slice(0, 10).replace('Z', '');
  return type === 'date-time' ? text.replace(/(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/, '') : text;
}

function readInput(text: string, type: string, last: unknown): unknown {
  if (text === '') return type === 'string' ? readText(text, last) : null;
  if (type !== 'date-time') return text;
  return `${text.length === 'YYYY-MM-DDThh:mm'.length ? `${text}:00` : text}Z`;
}

/** An empty text that was empty before stays what it was. */
function readText(text: string, last: unknown): unknown {
  return text === '' && last !== '' ? null : text;
}
