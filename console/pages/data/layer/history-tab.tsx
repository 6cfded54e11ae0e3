/** The recorded changes of a layer and of its feature type or coverage, newest first. */
import { ChangeTable } from '../../../parts/changes/change-table.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { findResourcePath } from '../../../rest/resource-path.ts';
import type { HistoryDocument } from '../../../rest/types.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import type { LayerView } from './page.tsx';

const SHOWN = 100;

export function HistoryTab({ view }: { readonly view: LayerView }) {
  const resource = findResourcePath(view.layer)?.replace(/\.json$/, '');
  const paths = [
    rest`/workspaces/${view.workspace}/layers/${view.name}`,
    ...(resource === undefined ? [] : [resource]),
  ];
  const read = useRest<HistoryDocument>(withQuery('/history', { path: paths, limit: SHOWN }));
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  const changes = read.data?.body.changes;
  if (changes === undefined) return null;
  if (changes.length === 0) return <Empty icon="clock" title={t().history.empty} />;
  return (
    <div class="history-tab">
      <ChangeTable changes={changes} label={t().layer.tabs.history} />
      <p>
        <a href={toUrl(withQuery('operations/history', { path: paths.join(' ') }))}>{t().historyPages.all}</a>
      </p>
    </div>
  );
}
