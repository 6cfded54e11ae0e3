/** An input for one field of a provider, by the type that the interface describes. */
import { SelectField, TextArea } from '../../../parts/controls/controls.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { t } from '../../../words/words.ts';
import type { FieldSchema } from './provider-kinds.ts';

interface ProviderFieldProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly error: string | undefined;
  /** Null removes the value. */
  readonly onChange: (value: unknown) => void;
}

/** Fields with a fixed set of values, which the description has only in words. */
const choices: Readonly<Record<string, readonly string[]>> = {
  unmappedRoles: ['ignore', 'keep'],
  introspection: ['off', 'opaque', 'always'],
};

export function ProviderField({ name, schema, value, error, onChange }: ProviderFieldProps) {
  const { security: words } = t();
  const labels: Readonly<Record<string, string>> = words.providerFields;
  const common = { name, label: labels[name] ?? humanize(name), hint: schema.description, error };
  const options = schema.type === 'boolean' ? ['true', 'false'] : choices[name];
  if (options !== undefined) {
    const shown: Readonly<Record<string, string>> = { true: t().app.yes, false: t().app.no };
    return (
      <SelectField
        {...common}
        value={value === undefined || value === null ? '' : String(value)}
        options={[
          { value: '', label: words.byDefault },
          ...options.map((each) => ({ value: each, label: shown[each] ?? each })),
        ]}
        onChange={(next) => onChange(next === '' ? null : schema.type === 'boolean' ? next === 'true' : next)}
      />
    );
  }
  if (schema.type === 'object') {
    return (
      <TextArea
        {...common}
        hint={`${schema.description ?? ''} ${words.mapHint}`}
        isCode
        defaultValue={formatMap(value)}
        onInput={(text) => onChange(parseMap(text, name === 'roleMapping'))}
      />
    );
  }
  const isList = schema.type === 'array';
  const isSecret = schema.writeOnly === true;
  return (
    <Field
      {...common}
      hint={[schema.description, isList ? words.listHint : '', isSecret ? words.secretHint : ''].join(' ').trim()}
      type={isSecret ? 'password' : schema.type === 'integer' ? 'number' : 'text'}
      autocomplete={isSecret ? 'new-password' : 'off'}
      defaultValue={
        Array.isArray(value) ? value.join(', ') : value === undefined || value === null ? '' : String(value)
      }
      onInput={(text) => onChange(parseText(text, schema))}
    />
  );
}

function parseText(text: string, schema: FieldSchema): unknown {
  const trimmed = text.trim();
  // An empty secret leaves the stored one.
  if (trimmed === '') return schema.writeOnly === true ? undefined : null;
  if (schema.type === 'integer') return Number(trimmed);
  return schema.type === 'array' ? splitList(trimmed) : trimmed;
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** One entry in each line: `name = value`. */
function formatMap(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, each]) => `${key} = ${Array.isArray(each) ? each.join(', ') : String(each)}`)
    .join('\n');
}

function parseMap(text: string, hasLists: boolean): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.includes('=') ? line.indexOf('=') : line.length;
      const value = line.slice(at + 1).trim();
      return [line.slice(0, at).trim(), hasLists ? splitList(value) : value];
    }),
  );
}

/** `groupSearchBase` becomes "Group search base". */
function humanize(name: string): string {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}
