/** Two states of a resource: its fields side by side, and a text line by line. */
import { t } from '../../words/words.ts';
import { compareLines, selectHunks } from './compare-lines.ts';
import type { FieldRow } from './list-fields.ts';

interface FieldDiffProps {
  readonly label: string;
  readonly rows: readonly FieldRow[];
}

export function FieldDiff({ label, rows }: FieldDiffProps) {
  const { historyPages: words } = t();
  if (rows.length === 0) return <p class="muted">{words.noFields}</p>;
  return (
    <table class="diff-fields" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td class={before === undefined ? 'diff-none' : 'diff-before'}>
              <Value name={words.before} text={before} />
            </td>
            <td class={after === undefined ? 'diff-none' : 'diff-after'}>
              <Value name={words.after} text={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** On a phone the columns have no headings, so that each value is named. */
function Value({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  return (
    <>
      <span class="diff-name" aria-hidden="true">
        {name}
      </span>
      <span class="diff-value">{text ?? '–'}</span>
    </>
  );
}

interface TextDiffProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export function TextDiff({ label, before, after }: TextDiffProps) {
  const { historyPages: words } = t();
  const hunks = selectHunks(compareLines(before, after));
  const signs = { same: ' ', removed: '−', added: '+' };
  return (
    <div class="diff-text" role="region" tabIndex={0} aria-label={label}>
      <table>
        <tbody>
          {hunks.map(({ skipped, lines }, hunk) => [
            skipped === 0 ? null : (
              <tr key={`skip-${hunk}`} class="diff-skip">
                <td colSpan={4}>{words.unchangedLines(skipped)}</td>
              </tr>
            ),
            ...lines.map((line) => (
              <tr key={`${line.before}-${line.after}`} class={`diff-${line.kind}`}>
                <td class="diff-number">{line.before}</td>
                <td class="diff-number">{line.after}</td>
                <td class="diff-sign">
                  {signs[line.kind]}
                  {line.kind === 'same' ? null : (
                    <span class="unseen">{line.kind === 'added' ? words.addedLine : words.removedLine}</span>
                  )}
                </td>
                <td class="diff-line">{line.text}</td>
              </tr>
            )),
          ])}
        </tbody>
      </table>
    </div>
  );
}
