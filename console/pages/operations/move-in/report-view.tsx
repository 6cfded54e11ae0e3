/** The report of a translation: what is imported, and every entry that is adapted, skipped or ignored. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { saveText } from '../../../rest/download.ts';
import { formatNumber, t } from '../../../words/words.ts';
import type { MoveReport, ReportEntry } from './types.ts';

/** Entries that are drawn at once. */
const SHOWN_ENTRIES = 100;

const marks: Readonly<Record<string, string>> = { adapted: 'mark-update', skipped: 'mark-delete', ignored: '' };

export function ReportView({ report }: { readonly report: MoveReport }) {
  const { moveInPages: words, configuration, search } = t();
  const showsAll = useSignal(false);
  const limit = useSignal(SHOWN_ENTRIES);
  const { imported, adapted, skipped, ignored } = report.summary;
  const entries = report.entries.filter(({ outcome }) => showsAll.value || outcome !== 'ignored');
  const hidden = Math.max(0, entries.length - limit.value);
  return (
    <section class="operations-card">
      <h2>{words.report}</h2>
      <div class="plan-counts" role="status">
        {Object.entries(imported).map(([kind, count]) => (
          <span key={kind} class="mark mark-create">
            {search.kinds[kind] ?? kind}: {formatNumber(count)}
          </span>
        ))}
        <span class={adapted === 0 ? 'mark' : 'mark mark-update'}>{words.outcomes.adapted(adapted)}</span>
        <span class={skipped === 0 ? 'mark' : 'mark mark-delete'}>{words.outcomes.skipped(skipped)}</span>
        <span class="mark">{words.outcomes.ignored(ignored)}</span>
      </div>
      <div class="operations-row">
        <label class="check">
          <input
            type="checkbox"
            checked={showsAll.value}
            onChange={(event) => {
              showsAll.value = event.currentTarget.checked;
            }}
          />
          {words.everything}
        </label>
        <Button onClick={() => saveText(JSON.stringify(report, null, 2), 'move-in-report.json')}>
          {words.saveReport}
        </Button>
      </div>
      {entries.length === 0 ? <p class="muted">{words.noEntries}</p> : null}
      <ul class="move-entries">
        {entries.slice(0, limit.value).map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
      </ul>
      {hidden === 0 ? null : (
        <Button
          onClick={() => {
            limit.value += SHOWN_ENTRIES;
          }}
        >
          {configuration.showMore(hidden)}
        </Button>
      )}
    </section>
  );
}

function Entry({ entry: { outcome, source, code, message, remedy } }: { readonly entry: ReportEntry }) {
  return (
    <li class="move-entry">
      <span class={`mark ${marks[outcome] ?? ''}`}>{t().moveInPages.outcome[outcome] ?? outcome}</span>
      <code class="move-source">{source}</code>
      <span class="muted move-code">{code}</span>
      <p>
        {message} {remedy}
      </p>
    </li>
  );
}
