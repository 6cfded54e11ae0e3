/** The fields of the publishing form. Their values are texts; `onChange` names the field. */

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface FormState {
  readonly values: Readonly<Record<string, string>>;
  /** By the name of the field. */
  readonly errors: ReadonlyMap<string, string>;
  /** What OpenAPI says about the field. */
  readonly hints: ReadonlyMap<string, string>;
  readonly onChange: (name: string, value: string) => void;
}

interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'number';
  readonly rows?: number;
  readonly list?: string;
  readonly placeholder?: string;
}

export function FormInput({ form, name, label, type = 'text', rows, list, placeholder }: InputProps) {
  const { id, common, notes } = useField(form, name);
  const input = {
    ...common,
    class: 'input',
    placeholder,
    value: form.values[name] ?? '',
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.onChange(name, event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...input} type={type as 'text'} step={type === 'number' ? 'any' : undefined} list={list} />
      ) : (
        <textarea {...input} rows={rows} />
      )}
      {notes}
    </div>
  );
}

export function FormSelect({
  form,
  name,
  label,
  options,
}: FieldProps & { readonly options: readonly (readonly [value: string, label: string])[] }) {
  const { id, common, notes } = useField(form, name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        {...common}
        class="input"
        value={form.values[name] ?? ''}
        onChange={(event) => form.onChange(name, event.currentTarget.value)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {notes}
    </div>
  );
}

export function FormFlag({ form, name, label }: FieldProps) {
  const { common, notes } = useField(form, name);
  return (
    <div class="field">
      <label class="flag">
        <input
          {...common}
          type="checkbox"
          checked={form.values[name] === 'true'}
          onChange={(event) => form.onChange(name, String(event.currentTarget.checked))}
        />
        {label}
      </label>
      {notes}
    </div>
  );
}

interface ChoicesProps extends FieldProps {
  readonly options: readonly string[];
  /** Ticked are the values that the field does not list. */
  readonly isInverted?: boolean;
}

/** A box for each value of a list. */
export function FormChoices({ form, name, label, options, isInverted = false }: ChoicesProps) {
  const { notes } = useField(form, name);
  const listed = new Set((form.values[name] ?? '').split('\n').filter((line) => line !== ''));
  const toggle = (option: string, isTicked: boolean) => {
    const isListed = isTicked !== isInverted;
    const next = options.filter((each) => (each === option ? isListed : listed.has(each)));
    form.onChange(name, next.join('\n'));
  };
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      <div class="choices-list">
        {options.map((option) => (
          <label key={option} class="flag">
            <input
              type="checkbox"
              name={`${name}.${option}`}
              checked={listed.has(option) !== isInverted}
              onChange={(event) => toggle(option, event.currentTarget.checked)}
            />
            {option}
          </label>
        ))}
      </div>
      {notes}
    </fieldset>
  );
}

function useField(form: FormState, name: string) {
  const id = useId();
  const error = form.errors.get(name);
  const hint = form.hints.get(name);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const notes: ComponentChildren = (
    <>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </>
  );
  const common = {
    id,
    name,
    'aria-invalid': error !== undefined,
    'aria-describedby': described === '' ? undefined : described,
  };
  return { id, common, notes };
}
