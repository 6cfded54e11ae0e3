/** Inputs beside the text field: choices, long texts, check boxes and switches. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface ControlProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends ControlProps {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, name, hint, error, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        class="input"
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={describe(id, hint, error)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Remarks id={id} hint={hint} error={error} />
    </div>
  );
}

interface TextAreaProps extends ControlProps {
  readonly defaultValue?: string | undefined;
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly onInput: (value: string) => void;
}

export function TextArea({ label, name, hint, error, defaultValue, rows = 3, isCode = false, onInput }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        class={`input control-text ${isCode ? 'control-code' : ''}`}
        spellcheck={!isCode}
        aria-invalid={error !== undefined}
        aria-describedby={describe(id, hint, error)}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...(defaultValue === undefined ? {} : { defaultValue })}
      />
      <Remarks id={id} hint={hint} error={error} />
    </div>
  );
}

interface CheckProps {
  readonly label: ComponentChildren;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({ label, name, hint, checked, disabled = false, onChange }: CheckProps) {
  const id = useId();
  return (
    <label class="control-check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={describe(id, hint, undefined)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint === undefined ? null : (
          <small id={`${id}-hint`} class="field-hint">
            {hint}
          </small>
        )}
      </span>
    </label>
  );
}

interface GroupProps {
  readonly label: string;
  /** Whether a heading above already shows the label. */
  readonly isUnlabelled?: boolean;
  readonly children: ComponentChildren;
}

/** Inputs that belong together. */
export function Group({ label, isUnlabelled = false, children }: GroupProps) {
  return (
    <fieldset class="control-group">
      <legend class={isUnlabelled ? 'unseen' : ''}>{label}</legend>
      <div class="control-list">{children}</div>
    </fieldset>
  );
}

function describe(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return ids === '' ? undefined : ids;
}

function Remarks({ id, hint, error }: { readonly id: string } & Pick<ControlProps, 'hint' | 'error'>) {
  return (
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
}
