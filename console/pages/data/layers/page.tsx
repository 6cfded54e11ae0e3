/** The list of layers of one workspace or of all: filtered and paged by the server, so that its length does not matter. */
import { Icon } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { Swatch } from '../../../parts/swatch/swatch.tsx';
import { type Column, VirtualTable } from '../../../parts/table/virtual-table.tsx';
import { rest, withQuery } from '../../../rest/client.ts';
import { usePages } from '../../../rest/pages.ts';
import { isReader } from '../../../rest/session.ts';
import type { LayerList } from '../../../rest/types.ts';
import type { PageProps } from '../../../routes.ts';
import { singleKeys } from '../../../shell/preferences.ts';
import { address, navigate, toUrl, withWorkspace } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ListHead, NoHits } from '../parts/list-head.tsx';
import { AccessBadge } from './access-badge.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { canSelect, useLayerSelection } from './bulk/selection.ts';
import { type LayerRow, toMapPath, toRow } from './layer-row.ts';
import { PublishedLayers } from './published-layers.tsx';

export function Page({ params: { workspace } }: PageProps) {
  return isReader() ? <PublishedLayers workspace={workspace} /> : <Layers workspace={workspace} />;
}

function Layers({ workspace }: { readonly workspace: string | undefined }) {
  const q = address.value.query.get('q') ?? '';
  const path = workspace === undefined ? '/layers' : rest`/workspaces/${workspace}/layers`;
  const query = { details: true, q: q === '' ? undefined : q };
  const selection = useLayerSelection({ path, q, workspace });
  const pages = usePages<LayerList, LayerRow>({
    path,
    query,
    listRows: ({ layers }) => (layers === '' ? [] : layers.layer.map((entry) => toRow(entry, workspace))),
  });
  const { layers: words } = t();
  const total = pages.total;
  return (
    <div class="layers">
      <ListHead
        tab="layers"
        title={words.title}
        count={total === undefined || pages.isOld ? '' : words.found(total)}
        filter={words.filter}
        request={{
          path: withQuery(path, { ...query, limit: 200, count: true }),
          changesOf: workspace === undefined ? '' : rest`/workspaces/${workspace}`,
        }}
      />
      {pages.error === null ? null : <ProblemNotice error={pages.error} onRetry={pages.retry} />}
      <BulkBar selection={selection} total={total ?? 0} />
      {total === 0 ? (
        <Nothing q={q} />
      ) : (
        <VirtualTable
          key={`${workspace ?? ''}?${q}`}
          label={words.title}
          description={words.tableHint}
          columns={createColumns(workspace === undefined)}
          count={total ?? 0}
          row={pages.row}
          onRange={pages.showRange}
          selection={{
            label: t().bulk.column,
            describe: (row) => (canSelect(row) ? t().bulk.select(`${row.workspace}:${row.name}`) : undefined),
            has: selection.has,
            toggle: selection.toggle,
          }}
          onKey={(key, row) => {
            if (key === 'p' && singleKeys.value) navigate(toMapPath(row));
          }}
        />
      )}
    </div>
  );
}

function createColumns(showsWorkspace: boolean): readonly Column<LayerRow>[] {
  const { columns, kinds } = t().layers;
  return [
    {
      id: 'layer',
      label: columns.title,
      width: 'minmax(12rem, 4fr)',
      cell: (row, isActive) => (
        <a class="layers-name" href={toUrl(toMapPath(row))} tabIndex={isActive ? 0 : -1}>
          <StyleSwatch row={row} />
          <span class="layers-names">
            <span class="layers-title">{row.entry.title ?? row.name}</span>
            <span class="layers-path muted">{showsWorkspace ? `${row.workspace}:${row.name}` : row.name}</span>
          </span>
        </a>
      ),
    },
    {
      id: 'state',
      label: columns.state,
      width: '7rem',
      cell: ({ entry }) => <State isEnabled={entry.enabled ?? true} />,
    },
    {
      id: 'access',
      label: columns.access,
      width: '9.5rem',
      cell: (row, isActive) => <AccessBadge row={row} isActive={isActive} />,
    },
    {
      id: 'kind',
      label: columns.kind,
      width: '7.5rem',
      cell: ({ entry }) => kinds[entry.type ?? ''] ?? entry.type ?? '',
    },
    { id: 'store', label: columns.store, width: 'minmax(6rem, 2fr)', cell: ({ entry }) => entry.store },
    { id: 'style', label: columns.style, width: 'minmax(6rem, 2fr)', cell: ({ entry }) => entry.defaultStyle },
  ];
}

function State({ isEnabled }: { readonly isEnabled: boolean }) {
  const { enabled, disabled } = t().layers;
  return <span class={`badge ${isEnabled ? 'badge-good' : 'badge-off'}`}>{isEnabled ? enabled : disabled}</span>;
}

/** Symbols of styles need no data, so that a slow store cannot delay the list. */
function StyleSwatch({ row: { workspace, entry } }: { readonly row: LayerRow }) {
  const style = entry.defaultStyle;
  if (style === undefined) {
    return (
      <span class="layers-kind">
        <Icon name="layers" size={18} />
      </span>
    );
  }
  const local = style.startsWith(`${workspace}:`) ? style.slice(workspace.length + 1) : undefined;
  const target =
    local === undefined ? rest`rest/styles/${style}.png` : rest`rest/workspaces/${workspace}/styles/${local}.png`;
  return <Swatch path={target} class="layers-swatch" />;
}

function Nothing({ q }: { readonly q: string }) {
  const { layers: words } = t();
  if (q !== '') return <NoHits title={words.noHits(q)} />;
  return (
    <Empty icon="layers" title={words.empty}>
      <p>{words.emptyHint}</p>
      <a class="button button-primary" href={toUrl(withWorkspace('publish'))}>
        {t().publish.createFile}
      </a>
    </Empty>
  );
}
