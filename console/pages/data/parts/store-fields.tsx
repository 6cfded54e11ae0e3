/** The fields of a store, from their descriptions in OpenAPI. */
import { useId } from 'preact/hooks';
import { Field } from '../../../parts/field/field.tsx';
import type { FieldProblem } from '../../../rest/problems.ts';
import type { StoreField } from '../../../rest/store-kinds.ts';
import { t } from '../../../words/words.ts';

export type StoreValues = Readonly<Record<string, string>>;

interface StoreFieldsProps {
  readonly fields: readonly StoreField[];
  readonly values: StoreValues;
  readonly problems: readonly FieldProblem[];
  readonly onChange: (name: string, value: string) => void;
  /** Changes when the values are replaced, for example by a pasted line. */
  readonly version?: number;
  /** Whether secrets are kept if they are empty. */
  readonly isChange?: boolean;
}

export function StoreFields({ fields, values, problems, onChange, version = 0, isChange = false }: StoreFieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <StoreFieldInput
          key={`${field.name} ${version}`}
          field={field}
          value={values[field.name]}
          error={findError(field, problems)}
          onChange={(value) => onChange(field.name, value)}
          isChange={isChange}
        />
      ))}
    </>
  );
}

/** The server names fields by their path in the document. */
function findError({ name }: StoreField, problems: readonly FieldProblem[]): string | undefined {
  return problems.find(({ field }) => field === name || field.endsWith(`.${name}`))?.message;
}

interface InputProps {
  readonly field: StoreField;
  readonly value: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly isChange: boolean;
}

function StoreFieldInput({ field, value, error, onChange, isChange }: InputProps) {
  const id = useId();
  const { publish: words } = t();
  const { name, title, description, type, choices, usual, example, minimum, maximum, isRequired, isSecret } = field;
  const hints = [
    description,
    type === 'integer' && minimum !== undefined && maximum !== undefined ? words.range(minimum, maximum) : undefined,
    usual === undefined || type === 'flag' ? undefined : words.defaultValue(usual),
    isSecret && isChange ? words.secretKept : undefined,
  ];
  const hint = hints.filter((each) => each !== undefined).join(' · ');
  if (type === 'flag') {
    return (
      <div class="store-flag">
        <input
          id={id}
          type="checkbox"
          checked={(value ?? usual) === 'true'}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
        <label for={id}>{title}</label>
        <p id={`${id}-hint`} class="field-hint">
          {error ?? hint}
        </p>
      </div>
    );
  }
  if (type === 'choice') {
    return (
      <div class="field">
        <label for={id}>{title}</label>
        <select
          id={id}
          class="input"
          value={value ?? ''}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{words.choose}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
        <p id={`${id}-hint`} class={error === undefined ? 'field-hint' : 'field-error'}>
          {error ?? hint}
        </p>
      </div>
    );
  }
  return (
    <Field
      label={title}
      name={name}
      type={isSecret ? 'password' : 'text'}
      // The password of a database is none of this site.
      autocomplete={isSecret ? 'new-password' : 'off'}
      defaultValue={value}
      required={isRequired && !(isSecret && isChange)}
      hint={hint === '' ? example : hint}
      error={error}
      onInput={onChange}
    />
  );
}
