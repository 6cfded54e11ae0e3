/** An input with its label, hint and error. Errors of the server name the field, so that they appear below the input. */
import type { Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'password' | 'number' | 'url';
  /** The text at the beginning; the form reads what the user has made of it. */
  readonly defaultValue?: string | undefined;
  readonly autocomplete?: string;
  readonly onInput?: (value: string) => void;
  readonly required?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, error, inputRef, onInput, type = 'text', defaultValue, ...input }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        {...(defaultValue === undefined ? {} : { defaultValue })}
        type={type as 'text'}
        onInput={(event) => onInput?.(event.currentTarget.value)}
        ref={inputRef ?? null}
        class="input"
        aria-invalid={error !== undefined}
        aria-describedby={described === '' ? undefined : described}
      />
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
    </div>
  );
}
