/** One workspace: its contents, services, namespace and deletion. */

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Field } from '../../../parts/field/field.tsx';
import { Icon, type IconName } from '../../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { formatCurl, rest, serverRoot } from '../../../rest/client.ts';
import { session } from '../../../rest/session.ts';
import type { PageProps } from '../../../routes.ts';
import { navigate, path, toUrl } from '../../../shell/router.ts';
import { formatNumber, t } from '../../../words/words.ts';
import { DataTabs } from '../parts/data-tabs.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';

interface WorkspaceDocument {
  readonly workspace: { readonly name: string; readonly isolated?: boolean };
}

interface NamespaceDocument {
  readonly namespace: { readonly uri: string; readonly isolated?: boolean };
}

export function Page({ params }: PageProps) {
  const { workspace: name = '' } = params;
  const read = useRest<WorkspaceDocument>(rest`/workspaces/${name}`);
  return (
    <div class="data-page">
      <DataTabs selected="workspaces" />
      {read.error !== null && read.data === undefined ? <h1>{name}</h1> : null}
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {read.data === undefined ? null : (
        <Workspace name={name} isIsolated={read.data.body.workspace.isolated === true} />
      )}
    </div>
  );
}

function Workspace({ name, isIsolated }: { readonly name: string; readonly isIsolated: boolean }) {
  const { publish: words } = t();
  const isAdministrator = session.value?.isAdministrator === true;
  const fallback = useRest<WorkspaceDocument>('/workspaces/default?quietOnNotFound=true');
  const isDefault = fallback.data?.body.workspace?.name === name;
  const isDeleting = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const makeDefault = async () => {
    failure.value = undefined;
    try {
      const reply = await writeRest('/workspaces/default', { method: 'PUT', body: { workspace: { name } } });
      reportChange(words.defaultDone(name), reply);
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <>
      <header class="data-page-head">
        <div>
          <h1>{name}</h1>
          {isDefault ? <span class="badge badge-good">{words.isDefault}</span> : null}
          {isIsolated ? <span class="badge badge-off">{words.isolated}</span> : null}
        </div>
        {isAdministrator ? (
          <div class="data-page-actions">
            <PageTools path={rest`/workspaces/${name}`} hasCurl />
            {isDefault ? null : <Button onClick={() => void makeDefault()}>{words.makeDefault}</Button>}
            <Button
              icon="trash"
              onClick={() => {
                isDeleting.value = true;
              }}
            >
              {words.remove}
            </Button>
          </div>
        ) : null}
      </header>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      <ul class="home-counts">
        <Card
          icon="layers"
          label={words.showLayers}
          target={path`w/${name}/layers`}
          count={rest`/workspaces/${name}/layers`}
        />
        <Card
          icon="database"
          label={words.showStores}
          target={path`w/${name}/stores`}
          count={rest`/workspaces/${name}/datastores`}
        />
        <li>
          <a class="home-card" href={toUrl(`publish?w=${encodeURIComponent(name)}`)}>
            <Icon name="upload" size={22} />
            <strong class="workspace-action">{words.createFile}</strong>
          </a>
        </li>
      </ul>
      <div class="data-page-columns">
        <Settings name={name} />
        <Services name={name} />
      </div>
      {isDeleting.value ? (
        <DeleteDialog
          title={words.removeWorkspace(name)}
          name={name}
          hint={words.removeData}
          path={rest`/workspaces/${name}`}
          onClose={() => {
            isDeleting.value = false;
          }}
          onDeleted={() => navigate('workspaces', { replace: true })}
        />
      ) : null}
    </>
  );
}

interface CardProps {
  readonly icon: IconName;
  readonly label: string;
  readonly target: string;
  /** The REST path of the listing. */
  readonly count: string;
}

function Card({ icon, label, target, count }: CardProps) {
  const listed = useRest<unknown>(`${count}?limit=1&count=true`);
  const total = listed.data?.total;
  return (
    <li>
      <a class="home-card" href={toUrl(target)}>
        <Icon name={icon} size={22} />
        <strong class="home-number">{total == null ? '–' : formatNumber(total)}</strong>
        <span class="muted">{label}</span>
      </a>
    </li>
  );
}

function Settings({ name }: { readonly name: string }) {
  const read = useRest<NamespaceDocument>(rest`/namespaces/${name}`);
  const isTouched = useSignal(false);
  // What the form began with: the page follows changes of other users, a form with other values does not.
  const opened = useRef<SettingsState>(undefined);
  if (read.data !== undefined && !isTouched.value) {
    const { body, etag } = read.data;
    opened.current = { uri: body.namespace.uri, isIsolated: body.namespace.isolated === true, etag };
  }
  const state = opened.current;
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (state === undefined) return null;
  return (
    <SettingsForm
      key={JSON.stringify(state)}
      name={name}
      state={state}
      onTouch={(isNew) => {
        isTouched.value = isNew;
      }}
    />
  );
}

interface SettingsState {
  readonly uri: string;
  readonly isIsolated: boolean;
  readonly etag: string | null;
}

interface SettingsFormProps {
  readonly name: string;
  readonly state: SettingsState;
  /** Called with whether the form has values that are not saved. */
  readonly onTouch: (isTouched: boolean) => void;
}

function SettingsForm({ name, state, onTouch }: SettingsFormProps) {
  const { publish: words, publishing } = t();
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const save = async (form: HTMLFormElement) => {
    if (isBusy.peek()) return;
    const sent = new FormData(form);
    const uri = String(sent.get('uri') ?? '').trim();
    isBusy.value = true;
    failure.value = undefined;
    try {
      const reply = await writeRest(rest`/namespaces/${name}`, {
        method: 'PUT',
        body: { namespace: { prefix: name, uri, isolated: sent.get('isolated') === 'on' } },
        headers: state.etag === null ? {} : { 'if-match': state.etag },
      });
      reportChange(words.saved, reply);
      onTouch(false);
    } catch (error) {
      failure.value = error;
    }
    isBusy.value = false;
  };
  return (
    <section class="data-page-card">
      <h2>{words.settings}</h2>
      <form
        class="workspaces-form"
        noValidate
        onInput={() => onTouch(true)}
        onReset={() => {
          failure.value = undefined;
          onTouch(false);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <Field label={words.namespace} name="uri" defaultValue={state.uri} hint={words.namespaceHint} />
        <label class="workspaces-check">
          <input type="checkbox" name="isolated" defaultChecked={state.isIsolated} />
          <span>
            {words.isolated}
            <span class="field-hint">{words.isolatedHint}</span>
          </span>
        </label>
        <p class="data-page-actions">
          <Button shortcut="Control+S" type="submit" isBusy={isBusy.value}>
            {words.save}
          </Button>
          {failure.value === undefined ? null : <Button type="reset">{publishing.discard}</Button>}
        </p>
      </form>
    </section>
  );
}

/** The addresses for map clients. */
function Services({ name }: { readonly name: string }) {
  const { publish: words, app } = t();
  const services = ['wms', 'wfs', 'wcs'] as const;
  return (
    <section class="data-page-card">
      <h2>{words.addresses}</h2>
      <dl class="facts">
        {services.map((service) => (
          <div key={service}>
            <dt>{service.toUpperCase()}</dt>
            <dd>
              <code>{new URL(`${encodeURIComponent(name)}/${service}`, serverRoot).href}</code>
            </dd>
          </div>
        ))}
      </dl>
      <details class="layer-curl">
        <summary>{app.showAsCurl}</summary>
        <p class="muted">{app.curlHint}</p>
        <pre tabIndex={0}>
          <code>{formatCurl(rest`/workspaces/${name}`)}</code>
        </pre>
      </details>
    </section>
  );
}
