/** A dialog for something that has only a name. */
import { useSignal } from '@preact/signals';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { t } from '../../../words/words.ts';

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  /** The field that problems of the server name. */
  readonly field: string;
  readonly onSubmit: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

export function NameDialog({ title, label, field, onSubmit, onClose }: NameDialogProps) {
  const name = useSignal('');
  return (
    <FormDialog
      title={title}
      submit={t().security.create}
      isUnavailable={name.value.trim() === ''}
      onSubmit={() => onSubmit(name.peek().trim())}
      onClose={onClose}
    >
      {(errorOf) => (
        <Field
          label={label}
          name="new-name"
          autocomplete="off"
          error={errorOf(field)}
          onInput={(text) => {
            name.value = text;
          }}
        />
      )}
    </FormDialog>
  );
}
