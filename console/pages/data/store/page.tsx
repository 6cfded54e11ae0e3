/** One store: its connection, whether its data is available, what is published and what could be. */

import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { formatCurl } from '../../../rest/client.ts';
import {
  findStoreKind,
  getStorePath,
  readStore,
  type StoreView,
  storeCollections,
} from '../../../rest/store-documents.ts';
import { type StoreCollection, storeRoots } from '../../../rest/store-kinds.ts';
import { useStoreKinds } from '../../../rest/use-store-kinds.ts';
import type { PageProps } from '../../../routes.ts';
import { address, navigate, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { DataTabs } from '../parts/data-tabs.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { EditStore } from './edit-store.tsx';
import { StoreContents } from './store-contents.tsx';

export interface StorePlace {
  readonly workspace: string;
  readonly collection: StoreCollection;
  readonly name: string;
  /** The REST path. */
  readonly path: string;
}

export function Page({ params }: PageProps) {
  const { workspace = '', store: name = '' } = params;
  const wanted = address.value.query.get('kind');
  const collection = storeCollections.find((each) => each === wanted) ?? 'datastores';
  const place: StorePlace = { workspace, collection, name, path: getStorePath(workspace, collection, name) };
  const read = useRest<unknown>(place.path);
  return (
    <div class="data-page">
      <DataTabs selected="stores" />
      {read.error !== null && read.data === undefined ? <h1>{name}</h1> : null}
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {read.data === undefined ? null : (
        <Store place={place} store={readStore(collection, read.data.body)} etag={read.data.etag} />
      )}
    </div>
  );
}

interface StoreProps {
  readonly place: StorePlace;
  readonly store: StoreView;
  readonly etag: string | null;
}

function Store({ place, store, etag }: StoreProps) {
  const { publish: words, layers, app } = t();
  const { kinds } = useStoreKinds();
  const dialog = useSignal<'edit' | 'delete' | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const kind = kinds && findStoreKind(kinds, place.collection, store);
  const close = () => {
    dialog.value = undefined;
  };
  const enable = async (isEnabled: boolean) => {
    failure.value = undefined;
    try {
      const body = { [storeRoots[place.collection]]: { enabled: isEnabled } };
      const reply = await writeRest(place.path, { method: 'PUT', body });
      reportChange(isEnabled ? words.enabledDone(store.name) : words.disabledDone(store.name), reply);
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <>
      <header class="data-page-head">
        <div>
          <h1>{store.name}</h1>
          <p class="muted">
            {store.type || words.storeKinds[place.collection]} · {place.workspace}{' '}
            <span class={`badge ${store.isEnabled ? 'badge-good' : 'badge-off'}`}>
              {store.isEnabled ? layers.enabled : layers.disabled}
            </span>
          </p>
        </div>
        <div class="data-page-actions">
          <PageTools path={place.path} hasCurl />
          {kind === undefined ? null : (
            <Button
              shortcut="e"
              onClick={() => {
                dialog.value = 'edit';
              }}
            >
              {words.edit}
            </Button>
          )}
          <Button onClick={() => void enable(!store.isEnabled)}>
            {store.isEnabled ? words.disable : words.enable}
          </Button>
          <Button
            icon="trash"
            onClick={() => {
              dialog.value = 'delete';
            }}
          >
            {words.remove}
          </Button>
        </div>
      </header>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {store.isEnabled ? null : <Remark kind="warning">{words.stateDisabled}</Remark>}
      {store.description === undefined ? null : <p>{store.description}</p>}
      <div class="data-page-columns">
        <StoreContents place={place} store={store} />
        <section class="data-page-card">
          <h2>{words.parameters}</h2>
          <dl class="facts">
            {Object.entries(store.parameters).map(([key, value]) => (
              <div key={key}>
                <dt>{kind?.fields.find((field) => field.name === key)?.title ?? key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            {kind?.fields.map((field) =>
              field.isSecret && store.parameters[field.name] === undefined ? (
                <div key={field.name}>
                  <dt>{field.title}</dt>
                  <dd>••••••</dd>
                </div>
              ) : null,
            )}
          </dl>
          <details class="layer-curl">
            <summary>{app.showAsCurl}</summary>
            <p class="muted">{app.curlHint}</p>
            <pre tabIndex={0}>
              <code>{formatCurl(place.path)}</code>
            </pre>
          </details>
          {store.type === 'PostGIS' && store.isEnabled ? (
            <p>
              <a href={toUrl(path`w/${place.workspace}/stores/${place.name}/sql-view`)}>{words.sqlView}</a>
            </p>
          ) : null}
        </section>
      </div>
      {dialog.value === 'edit' && kind !== undefined ? (
        <EditStore place={place} store={store} kind={kind} etag={etag} onClose={close} />
      ) : null}
      {dialog.value === 'delete' ? (
        <DeleteDialog
          title={words.removeStore(store.name)}
          name={store.name}
          hint={words.removeData}
          path={place.path}
          onClose={close}
          onDeleted={() => navigate(path`w/${place.workspace}/stores`, { replace: true })}
        />
      ) : null}
    </>
  );
}
