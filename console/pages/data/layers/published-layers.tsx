/** The list of layers for users without the right to read the configuration: what services publish to them. */
import { useSignal } from '@preact/signals';
import { Icon } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { VirtualTable } from '../../../parts/table/virtual-table.tsx';
import { MAX_LAYERS, type PublishedLayer, usePublishedLayers } from '../../../rest/published-layers.ts';
import { singleKeys } from '../../../shell/preferences.ts';
import { address, navigate, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ListHead, NoHits } from '../parts/list-head.tsx';
import { toMapPath } from './layer-row.ts';

/** Rows that are read at once, and from how many rows before the end the next ones are read. */
const PAGE_SIZE = 200;
const AHEAD = 40;

export function PublishedLayers({ workspace }: { readonly workspace: string | undefined }) {
  const q = address.value.query.get('q') ?? '';
  const key = `${workspace ?? ''}?${q}`;
  const size = useSignal({ key, limit: PAGE_SIZE });
  // Another filter begins with the first rows.
  const limit = size.value.key === key ? size.value.limit : PAGE_SIZE;
  const read = usePublishedLayers({ workspace, q, limit });
  const { hasMore = false } = read.data?.body ?? {};
  // Global groups have no page.
  const found = read.data?.body.layers.filter((layer) => layer.workspace !== '');
  const { layers: words } = t();
  const readOn = (last: number) => {
    const isNear = found !== undefined && last >= found.length - AHEAD;
    if (hasMore && isNear && limit < MAX_LAYERS) size.value = { key, limit: limit + PAGE_SIZE };
  };
  return (
    <div class="layers">
      <ListHead
        tab="layers"
        title={words.title}
        count={found === undefined ? '' : hasMore ? words.first(found.length) : words.found(found.length)}
        filter={words.filter}
      />
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {found === undefined ? null : found.length === 0 ? (
        q === '' ? (
          <Empty icon="layers" title={words.empty}>
            <p>{words.emptyReader}</p>
          </Empty>
        ) : (
          <NoHits title={words.noHits(q)} />
        )
      ) : (
        <VirtualTable<PublishedLayer>
          key={key}
          label={words.title}
          description={words.tableHint}
          columns={[
            {
              id: 'layer',
              label: words.columns.title,
              width: '1fr',
              cell: (row, isActive) => (
                <a class="layers-name" href={toUrl(toMapPath(row))} tabIndex={isActive ? 0 : -1}>
                  <span class="layers-kind">
                    <Icon name="layers" size={18} />
                  </span>
                  <span class="layers-names">
                    <span class="layers-title">{row.title}</span>
                    <span class="layers-path muted">{`${row.workspace}:${row.name}`}</span>
                  </span>
                </a>
              ),
            },
          ]}
          count={found.length}
          row={(index) => found[index]}
          onRange={(_, last) => readOn(last)}
          onKey={(key, row) => {
            if (key === 'p' && singleKeys.value) navigate(toMapPath(row));
          }}
        />
      )}
      {hasMore && limit >= MAX_LAYERS ? <p class="layers-more muted">{words.filterForMore}</p> : null}
    </div>
  );
}
