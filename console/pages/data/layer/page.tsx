/** One layer: its map, its rows and its changes, with the facts of its resource beside them. */
import type { ComponentChildren } from 'preact';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { type Tab, Tabs } from '../../../parts/tabs/tabs.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import { type LayerWithType, usePublishedLayer } from '../../../rest/published-layers.ts';
import { findResourcePath } from '../../../rest/resource-path.ts';
import { administers, session } from '../../../rest/session.ts';
import type { LayerDocument, ResourceDocument } from '../../../rest/types.ts';
import type { PageProps } from '../../../routes.ts';
import { address, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { AccessTab } from './access/access-tab.tsx';
import { DataTab } from './data-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { LayerProblems } from './layer-problems.tsx';
import { MapTab } from './map-tab.tsx';
import { PublishTab } from './publishing/publishing-tab.tsx';
import { StyleTab } from './style-tab.tsx';

/** What all tabs of a layer need. */
export interface LayerView {
  readonly workspace: string;
  readonly name: string;
  /** With its workspace, as services name it. */
  readonly qualifiedName: string;
  readonly layer: LayerDocument['layer'];
  /** Undefined while it is loaded, null if it could not be read. */
  readonly resource: ResourceDocument | null | undefined;
}

/** The type of a layer group, beside the types of layers. */
export const GROUP = 'GROUP';

/** A new tab is one row here and one line in `Content`. */
function listTabs({ workspace, name, layer: { type }, resource }: LayerView): readonly Tab[] {
  const { tabs } = t().layer;
  const isOwn = administers(workspace);
  const href = (tab: string) => toUrl(`${path`w/${workspace}/layers/${name}`}${tab === 'map' ? '' : `?tab=${tab}`}`);
  const map: Tab = { id: 'map', label: tabs.map, icon: 'map', href: href('map') };
  if (type === GROUP) return [map];
  const isMapped = hasGeometry(resource);
  return [
    ...(isMapped ? [map] : []),
    ...(isOwn && isMapped
      ? [{ id: 'style', label: t().styles.tab.title, icon: 'styles', href: href('style') } as const]
      : []),
    ...(type === 'VECTOR' ? [{ id: 'data', label: tabs.data, icon: 'table', href: href('data') } as const] : []),
    ...(isOwn ? [{ id: 'publish', label: t().publishing.tab, icon: 'eye', href: href('publish') } as const] : []),
    ...(session.value?.isAdministrator
      ? [
          { id: 'access', label: tabs.access, icon: 'shield', href: href('access') } as const,
          { id: 'history', label: tabs.history, icon: 'clock', href: href('history') } as const,
        ]
      : []),
  ];
}

/** Tables without geometry have rows and no map. Attributes that the resource does not list can contain geometries. */
function hasGeometry(resource: ResourceDocument | null | undefined): boolean {
  const attributes = [resource?.attributes?.attribute ?? []].flat();
  return attributes.length === 0 || attributes.some(({ binding }) => binding === undefined || GEOMETRY.test(binding));
}

const GEOMETRY = /\.geom\.\w+$/;

interface LayerParams {
  readonly workspace: string;
  readonly name: string;
}

export function Page({ params: { workspace = '', layer: name = '' } }: PageProps) {
  const View = administers(workspace) ? ConfiguredLayer : PublishedLayer;
  return <View workspace={workspace} name={name} />;
}

/** What services publish, for users without the right to read the configuration. */
function PublishedLayer({ workspace, name }: LayerParams) {
  const qualifiedName = `${workspace}:${name}`;
  const read = usePublishedLayer(qualifiedName);
  if (read.error !== null) return <Failed name={name} error={read.error} onRetry={() => void read.refetch()} />;
  const published = read.data?.body;
  if (published === undefined) return null;
  const { type } = published;
  const layer = { name, type, resource: undefined };
  return <LayerPage view={{ workspace, name, qualifiedName, layer, resource: published }} />;
}

function ConfiguredLayer({ workspace, name }: LayerParams) {
  const read = useRest<LayerDocument>(rest`/workspaces/${workspace}/layers/${name}`);
  const layer = read.data?.body.layer;
  const resource = useRest<Readonly<Record<string, ResourceDocument>>>(findResourcePath(layer));
  const isUnknown = read.error instanceof RestProblem && read.error.status === 404;
  // Groups are published like layers; previews of what others see link to both.
  const group = usePublishedLayer(isUnknown ? `${workspace}:${name}` : undefined);
  if (group.data !== undefined) return <GroupMap workspace={workspace} name={name} group={group.data.body} />;
  if (isUnknown && group.error === null) return null;
  if (read.error !== null) return <Failed name={name} error={read.error} onRetry={() => void read.refetch()} />;
  if (layer === undefined) return null;
  const document = resource.data === undefined ? undefined : Object.values(resource.data.body)[0];
  const view: LayerView = {
    workspace,
    name,
    qualifiedName: `${workspace}:${name}`,
    layer,
    resource: document ?? (resource.error === null ? undefined : null),
  };
  return (
    <LayerPage view={view}>
      <LayerProblems view={view} />
      {resource.error === null ? null : (
        <ProblemNotice error={resource.error} onRetry={() => void resource.refetch()} />
      )}
    </LayerPage>
  );
}

function GroupMap({ workspace, name, group }: LayerParams & { readonly group: LayerWithType }) {
  const layer = { name, type: GROUP, resource: undefined };
  return <LayerPage view={{ workspace, name, qualifiedName: `${workspace}:${name}`, layer, resource: group }} />;
}

interface FailedProps {
  readonly name: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

function Failed({ name, error, onRetry }: FailedProps) {
  return (
    <div class="layer-problem">
      <h1>{name}</h1>
      <ProblemNotice error={error} onRetry={onRetry} />
    </div>
  );
}

function LayerPage({ view, children }: { readonly view: LayerView; readonly children?: ComponentChildren }) {
  const { workspace, name, layer, resource } = view;
  const tabs = listTabs(view);
  const selected = tabs.find(({ id }) => id === address.value.query.get('tab'))?.id ?? tabs[0]?.id ?? 'map';
  const isEnabled = layer.enabled !== false && resource?.enabled !== false;
  return (
    <div class="layer">
      <header class="layer-head">
        <nav class="layer-crumbs" aria-label={t().layer.workspace}>
          <a href={toUrl(path`w/${workspace}/layers`)}>{workspace}</a>
          <span aria-hidden="true">/</span>
          <span>{name}</span>
        </nav>
        <h1>{resource?.title ?? name}</h1>
        <Tabs label={t().layer.tabsLabel} tabs={tabs} selected={selected} />
      </header>
      {isEnabled ? null : <Remark kind="warning">{t().layer.disabled}</Remark>}
      {children}
      <Content view={view} tab={selected} />
    </div>
  );
}

function Content({ view, tab }: { readonly view: LayerView; readonly tab: string }) {
  if (tab === 'style') return <StyleTab view={view} />;
  if (tab === 'data') return <DataTab view={view} />;
  if (tab === 'access') return <AccessTab view={view} />;
  const path = findResourcePath(view.layer);
  if (tab === 'publish' && path !== undefined) return <PublishTab view={view} path={path} />;
  if (tab === 'history') return <HistoryTab view={view} />;
  return view.resource === undefined ? null : <MapTab view={view} />;
}
