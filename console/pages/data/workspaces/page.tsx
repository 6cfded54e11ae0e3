/** The workspaces that the user administers, and a form for a new one. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ListFilter } from '../../../parts/list-filter/list-filter.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import { session } from '../../../rest/session.ts';
import { address, navigate, path, setQuery, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { DataTabs } from '../parts/data-tabs.tsx';

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

/** More are found with the filter. */
const SHOWN = 200;

export function Page() {
  const { publish: words, workspaces: texts } = t();
  const { query } = address.value;
  const q = query.get('q') ?? '';
  const request = withQuery('/workspaces', { limit: SHOWN, count: true, q: q === '' ? undefined : q });
  const listed = useRest<WorkspaceList>({
    path: request,
    keepsLast: true,
  });
  const fallback = useRest<{ readonly workspace: { readonly name: string } }>(
    '/workspaces/default?quietOnNotFound=true',
  );
  const list = listed.data?.body.workspaces;
  const names = list === undefined || list === '' ? [] : list.workspace.map(({ name }) => name);
  const total = listed.data?.total ?? 0;
  const isAdministrator = session.value?.isAdministrator === true;
  return (
    <div class="data-page">
      <DataTabs selected="workspaces" />
      <header class="data-page-head">
        <div>
          <h1>{words.workspacesTitle}</h1>
          <p class="muted">{words.workspacesLead}</p>
        </div>
        <PageTools path={request} changesOf="/workspaces" />
        {isAdministrator ? (
          <Button kind="primary" icon="plus" onClick={() => setQuery({ new: '1' }, { replace: false })}>
            {words.createWorkspace}
          </Button>
        ) : null}
      </header>
      {listed.error === null ? null : <ProblemNotice error={listed.error} onRetry={() => void listed.refetch()} />}
      {total === 0 && q === '' && listed.data !== undefined ? (
        <Empty icon="folder" title={words.workspacesEmpty}>
          <p>{words.workspacesEmptyHint}</p>
        </Empty>
      ) : (
        <>
          <ListFilter label={texts.filter} />
          <p class="muted" role="status">
            {listed.data === undefined ? '' : words.workspacesFound(total)}
          </p>
          {names.length === 0 ? (
            listed.data === undefined ? null : (
              <p>{texts.noHits(q)}</p>
            )
          ) : (
            <ul class="data-list" aria-label={words.workspacesTitle}>
              {names.map((name) => (
                <li key={name}>
                  <a class="data-list-row" href={toUrl(path`workspaces/${name}`)}>
                    <Icon name="folder" />
                    <span class="data-list-name">{name}</span>
                    {fallback.data?.body.workspace?.name === name ? (
                      <span class="badge badge-good">{words.isDefault}</span>
                    ) : (
                      <span />
                    )}
                  </a>
                </li>
              ))}
            </ul>
          )}
          {total > names.length ? <p class="muted">{texts.more(total - names.length)}</p> : null}
        </>
      )}
      {query.get('new') === '1' && isAdministrator ? <NewWorkspace /> : null}
    </div>
  );
}

function NewWorkspace() {
  const { publish: words, app } = t();
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const close = () => setQuery({ new: undefined });
  const create = async (form: HTMLFormElement) => {
    const sent = new FormData(form);
    const name = String(sent.get('name') ?? '').trim();
    const uri = String(sent.get('uri') ?? '').trim();
    const isolated = sent.get('isolated') === 'on';
    isBusy.value = true;
    failure.value = undefined;
    try {
      // A namespace brings its workspace with it.
      const reply =
        uri === ''
          ? await writeRest('/workspaces', { method: 'POST', body: { workspace: { name, isolated } } })
          : await writeRest('/namespaces', { method: 'POST', body: { namespace: { prefix: name, uri, isolated } } });
      reportChange(words.created(name), reply);
      navigate(path`workspaces/${name}`, { replace: true });
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  const problems = failure.value === undefined ? [] : listFieldProblems(toProblem(failure.value));
  const findError = (...ends: readonly string[]) =>
    problems.find(({ field }) => ends.some((end) => field.endsWith(end)))?.message;
  return (
    <Dialog title={words.createWorkspace} onClose={close}>
      <form
        class="workspaces-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create(event.currentTarget);
        }}
      >
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <Field
          label={words.workspaceName}
          name="name"
          required
          inputRef={first}
          autocomplete="off"
          hint={words.workspaceNameHint}
          error={findError('.name', '.prefix')}
        />
        <Field
          label={words.namespace}
          name="uri"
          autocomplete="off"
          hint={words.namespaceHint}
          error={findError('.uri')}
        />
        <label class="workspaces-check">
          <input type="checkbox" name="isolated" />
          <span>
            {words.isolated}
            <span class="field-hint">{words.isolatedHint}</span>
          </span>
        </label>
        <div class="delete-foot">
          <Button onClick={close}>{app.cancel}</Button>
          <Button kind="primary" type="submit" disabled={isBusy.value}>
            {words.createOne}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
