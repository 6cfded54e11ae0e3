/** The stores of a workspace, or of the first workspaces. Their data is not touched. */
import { Icon } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { listStores, storeCollections } from '../../../rest/store-documents.ts';
import type { StoreCollection } from '../../../rest/store-kinds.ts';
import type { PageProps } from '../../../routes.ts';
import { path, toUrl, withWorkspace } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { DataTabs } from '../parts/data-tabs.tsx';

/** Every workspace needs requests of its own. */
const MAX_WORKSPACES = 12;
const MAX_STORES = 200;

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

export function Page({ params }: PageProps) {
  const { workspace } = params;
  const { publish: words } = t();
  const listed = useRest<WorkspaceList>(
    workspace === undefined ? `/workspaces?limit=${MAX_WORKSPACES}&count=true` : undefined,
  );
  const list = listed.data?.body.workspaces;
  const names =
    workspace !== undefined ? [workspace] : list === undefined || list === '' ? [] : listWorkspaceNames(list);
  return (
    <div class="data-page">
      <DataTabs selected="stores" />
      <header class="data-page-head">
        <h1>{words.storesTitle}</h1>
        <PageTools
          path={
            workspace === undefined
              ? `/workspaces?limit=${MAX_WORKSPACES}&count=true`
              : createListPath(workspace, 'datastores')
          }
          changesOf={workspace === undefined ? '' : rest`/workspaces/${workspace}`}
        />
      </header>
      {listed.error === null ? null : <ProblemNotice error={listed.error} />}
      {names.map((name) => (
        <WorkspaceStores key={name} workspace={name} isOnly={workspace !== undefined} />
      ))}
      {workspace === undefined && list === '' ? <NoStores /> : null}
      {(listed.data?.total ?? 0) > names.length && workspace === undefined ? (
        <p class="muted">{words.storesChoose}</p>
      ) : null}
    </div>
  );
}

function listWorkspaceNames({ workspace }: Exclude<WorkspaceList['workspaces'], ''>): readonly string[] {
  return workspace.map(({ name }) => name);
}

function WorkspaceStores({ workspace, isOnly }: { readonly workspace: string; readonly isOnly: boolean }) {
  const results = storeCollections.map((collection) => ({
    collection,
    result: useRest<unknown>(createListPath(workspace, collection)),
  }));
  const { publish: words, layers } = t();
  const failed = results.find(({ result }) => result.error !== null)?.result;
  const isLoaded = results.every(({ result }) => result.data !== undefined);
  const stores = results
    .flatMap(({ collection, result }) =>
      listStores(collection, result.data?.body ?? {}).map((store) => ({ collection, ...store })),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));
  if (failed !== undefined) return <ProblemNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!isLoaded) return null;
  if (stores.length === 0) return isOnly ? <NoStores /> : null;
  return (
    <section>
      {isOnly ? null : <h2 class="stores-workspace">{workspace}</h2>}
      <ul class="data-list" aria-label={`${words.storesTitle}: ${workspace}`}>
        {stores.map(({ collection, name, type, enabled }) => (
          <li key={`${collection} ${name}`}>
            <a class="data-list-row" href={toUrl(createStoreAddress(workspace, collection, name))}>
              <Icon
                name={collection === 'datastores' ? 'database' : collection === 'coveragestores' ? 'image' : 'globe'}
              />
              <span class="data-list-name">{name}</span>
              <span class="data-list-note muted">{type === '' ? words.storeKinds[collection] : type}</span>
              <span class={`badge ${enabled ? 'badge-good' : 'badge-off'}`}>
                {enabled ? layers.enabled : layers.disabled}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function createListPath(workspace: string, collection: StoreCollection): string {
  return `${rest`/workspaces/${workspace}`}/${collection}?details=true&limit=${MAX_STORES}`;
}

function createStoreAddress(workspace: string, collection: StoreCollection, name: string): string {
  return `${path`w/${workspace}/stores/${name}`}${collection === 'datastores' ? '' : `?kind=${collection}`}`;
}

function NoStores() {
  const { publish: words } = t();
  return (
    <Empty icon="database" title={words.storesEmpty}>
      <p>{words.storesEmptyHint}</p>
      <p class="data-page-actions">
        <a class="button button-primary" href={toUrl(withWorkspace('publish'))}>
          {words.createFile}
        </a>
        <a class="button button-plain" href={toUrl(withWorkspace('new'))}>
          {words.newTitle}
        </a>
      </p>
    </Empty>
  );
}
