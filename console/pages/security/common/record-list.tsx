/** The records of a page: why they cannot be shown, that there are none, or a table with buttons that change and delete them. */
import type { ComponentChildren } from 'preact';
import { Button } from '../../../parts/button/button.tsx';
import type { IconName } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { t } from '../../../words/words.ts';
import { type RecordColumn, Records } from './records.tsx';

interface RecordListProps<R> {
  readonly label: string;
  /** Undefined while they are loaded. */
  readonly records: readonly R[] | undefined;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** The unique name of a record, for its buttons. */
  readonly nameOf: (record: R) => string;
  readonly columns: readonly RecordColumn<R>[];
  readonly empty?: { readonly icon: IconName; readonly title: string; readonly hint?: ComponentChildren };
  readonly onChange?: (record: R) => void;
  readonly onDelete?: (record: R) => void;
  /** Whether a record can be deleted; by default all can. */
  readonly isDeletable?: (record: R) => boolean;
}

export function RecordList<R>(props: RecordListProps<R>) {
  const { label, records, error = null, onRetry, nameOf, columns, empty } = props;
  const hasActions = props.onChange !== undefined || props.onDelete !== undefined;
  return (
    <>
      {error === null ? null : <ProblemNotice error={error} onRetry={onRetry} />}
      {records === undefined ? null : records.length === 0 && empty !== undefined ? (
        <Empty icon={empty.icon} title={empty.title}>
          {empty.hint}
        </Empty>
      ) : (
        <Records
          label={label}
          records={records}
          keyOf={nameOf}
          actionsLabel={t().security.actions}
          columns={columns}
          {...(hasActions ? { actions: (record: R) => <Actions {...props} record={record} /> } : {})}
        />
      )}
    </>
  );
}

type ActionsProps<R> = Pick<RecordListProps<R>, 'nameOf' | 'onChange' | 'onDelete' | 'isDeletable'> & {
  readonly record: R;
};

function Actions<R>({ record, nameOf, onChange, onDelete, isDeletable = () => true }: ActionsProps<R>) {
  const { security: words } = t();
  const name = nameOf(record);
  return (
    <>
      {onChange === undefined ? null : (
        <Button kind="quiet" icon="edit" label={words.changeNamed(name)} onClick={() => onChange(record)} />
      )}
      {onDelete === undefined || !isDeletable(record) ? null : (
        <Button kind="quiet" icon="trash" label={words.deleteNamed(name)} onClick={() => onDelete(record)} />
      )}
    </>
  );
}
