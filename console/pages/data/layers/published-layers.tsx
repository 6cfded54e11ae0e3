/** The list of layers for users without the right to read the configuration: what services publish to them. */
import { Icon } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { VirtualTable } from '../../../parts/table/virtual-table.tsx';
import { matchesText, type PublishedLayer, usePublishedLayers } from '../../../rest/published-layers.ts';
import { address, navigate, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ListHead, NoHits } from '../parts/list-head.tsx';
import { toMapPath } from './map-path.ts';

export function PublishedLayers({ workspace }: { readonly workspace: string | undefined }) {
  const q = address.value.query.get('q') ?? '';
  const read = usePublishedLayers(workspace);
  const found = read.data?.body.filter((layer) => layer.workspace !== '' && matchesText(layer, q));
  const { layers: words } = t();
  return (
    <div class="layers">
      <ListHead
        tab="layers"
        title={words.title}
        count={found === undefined ? '' : words.found(found.length)}
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
          key={q}
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
          onRange={() => undefined}
          onKey={(key, row) => {
            if (key === 'p') navigate(toMapPath(row));
          }}
        />
      )}
    </div>
  );
}
