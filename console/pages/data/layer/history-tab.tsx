/** The recorded changes of a layer, newest first. */
import { ChangeTable } from '../../../parts/changes/change-table.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import type { HistoryDocument } from '../../../rest/types.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import type { LayerView } from './page.tsx';

const SHOWN = 100;

export function HistoryTab({ view }: { readonly view: LayerView }) {
  const path = rest`/workspaces/${view.workspace}/layers/${view.name}`;
  const read = useRest<HistoryDocument>(withQuery('/history', { path: decodeURI(path), limit: SHOWN }));
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  const changes = read.data?.body.changes;
  if (changes === undefined) return null;
  if (changes.length === 0) return <Empty icon="clock" title={t().history.empty} />;
  return (
    <div class="history-tab">
      <ChangeTable changes={changes} label={t().layer.tabs.history} />
      <p>
        <a href={toUrl(`operations/history?${new URLSearchParams({ path: decodeURI(path) })}`)}>
          {t().historyPages.all}
        </a>
      </p>
    </div>
  );
}
