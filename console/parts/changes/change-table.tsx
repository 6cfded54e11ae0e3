/** A table of recorded changes. */
import type { ChangeEntry } from '../../rest/types.ts';
import { path, toUrl } from '../../shell/router.ts';
import { formatTime, t } from '../../words/words.ts';

interface ChangeTableProps {
  readonly changes: readonly ChangeEntry[];
  readonly label: string;
}

export function ChangeTable({ changes, label }: ChangeTableProps) {
  const { history: words } = t();
  return (
    <table class="change-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{words.change}</th>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.who}</th>
          <th scope="col">{words.when}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ sequence, what, who, at }) => (
          <tr key={sequence}>
            <th scope="row">
              <a href={toUrl(path`operations/history/${String(sequence)}`)}>{sequence}</a>
            </th>
            <td>{what}</td>
            <td>{who}</td>
            <td>
              <time dateTime={at}>{formatTime(at)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
