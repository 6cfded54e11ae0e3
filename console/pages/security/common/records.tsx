/** A short table of records. On a phone each record is a card, with the names of its columns. */
import type { ComponentChildren } from 'preact';

export interface RecordColumn<R> {
  readonly id: string;
  readonly label: string;
  readonly cell: (record: R) => ComponentChildren;
}

interface RecordsProps<R> {
  readonly label: string;
  readonly records: readonly R[];
  readonly keyOf: (record: R) => string;
  /** The first one names the record. */
  readonly columns: readonly RecordColumn<R>[];
  readonly actions?: (record: R) => ComponentChildren;
  readonly actionsLabel: string;
}

export function Records<R>({ label, records, keyOf, columns, actions, actionsLabel }: RecordsProps<R>) {
  return (
    <table class="records" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.id} role="columnheader" scope="col">
              {column.label}
            </th>
          ))}
          {actions === undefined ? null : (
            <th role="columnheader" scope="col">
              <span class="unseen">{actionsLabel}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {records.map((record) => (
          <tr key={keyOf(record)} role="row" data-name={keyOf(record)}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.id} role="rowheader" scope="row">
                  {column.cell(record)}
                </th>
              ) : (
                <td key={column.id} role="cell" class={`records-${column.id}`}>
                  <span class="records-label" aria-hidden="true">
                    {column.label}
                  </span>
                  <div class="records-value">{column.cell(record)}</div>
                </td>
              ),
            )}
            {actions === undefined ? null : (
              <td role="cell" class="records-actions">
                <div>{actions(record)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
