/** Connects any kind of data source: a choice of kinds, or the form of one. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { findUsualWorkspace, WorkspaceField } from '../../../parts/combobox/workspace-field.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { Icon, type IconName } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { callRest, rest } from '../../../rest/client.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import { createStoreDocument, type StoreCollection, type StoreKind } from '../../../rest/store-kinds.ts';
import { useStoreKinds } from '../../../rest/use-store-kinds.ts';
import type { PageProps } from '../../../routes.ts';
import { currentWorkspace, navigate, path, toUrl, withWorkspace } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { StoreFields } from '../parts/store-fields.tsx';

const databases: ReadonlySet<string> = new Set(['postgis', 'mysql', 'mongodb']);

const icons: Readonly<Record<StoreCollection, IconName>> = {
  datastores: 'layers',
  coveragestores: 'image',
  wmsstores: 'globe',
  wmtsstores: 'globe',
};

export function Page({ params }: PageProps) {
  const { kinds, error } = useStoreKinds();
  const { publish: words, errors } = t();
  const kind = kinds?.find(({ id }) => id === params['kind']);
  if (kinds === undefined) return error === null ? null : <ProblemNotice error={error} />;
  if (params['kind'] !== undefined && kind === undefined) {
    return <Empty icon="search" title={errors.notFound} />;
  }
  return (
    <div class="connect">
      <header>
        <h1>{kind === undefined ? words.newTitle : words.connect(findTitle(kind))}</h1>
        <p class="muted">{kind === undefined ? words.newLead : findDescription(kind)}</p>
      </header>
      {kind === undefined ? <Choice kinds={kinds} /> : <Form kind={kind} />}
    </div>
  );
}

function findTitle({ id, title }: StoreKind): string {
  return title ?? t().publish.kindTitles[id] ?? id;
}

function findDescription({ id, description }: StoreKind): string {
  return description ?? t().publish.kindDescriptions[id] ?? '';
}

function Choice({ kinds }: { readonly kinds: readonly StoreKind[] }) {
  return (
    <ul class="kind-list">
      {kinds.map((kind) => (
        <li key={kind.id}>
          <a class="kind-card" href={toUrl(withWorkspace(path`new/${kind.id}`))}>
            <Icon name={databases.has(kind.id) ? 'database' : icons[kind.collection]} size={24} />
            <strong>{findTitle(kind)}</strong>
            <span class="muted">{findDescription(kind)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Form({ kind }: { readonly kind: StoreKind }) {
  const { publish: words } = t();
  const values = useSignal<Readonly<Record<string, string>>>({});
  const name = useSignal('');
  const workspace = useSignal('');
  const result = useSignal<{ readonly text: string } | { readonly error: unknown } | undefined>(undefined);
  const isBusy = useSignal(false);
  useEffect(() => {
    findUsualWorkspace(currentWorkspace.peek()).then(
      (found) => {
        workspace.value ||= found;
      },
      // The user can enter one.
      () => undefined,
    );
  }, []);
  const run = async (work: () => Promise<string | undefined>) => {
    isBusy.value = true;
    result.value = undefined;
    try {
      const text = await work();
      result.value = text === undefined ? undefined : { text };
    } catch (error) {
      result.value = { error };
    } finally {
      isBusy.value = false;
    }
  };
  // Remote servers are contacted when their layers are listed.
  const canCheck = kind.collection === 'datastores' || kind.collection === 'coveragestores';
  const collection = () => rest`/workspaces/${workspace.peek()}/${kind.collection}`;
  const document = () => createStoreDocument(kind, name.peek().trim(), values.peek());
  const check = () =>
    run(async () => {
      interface Contents {
        readonly contents?: { readonly type: readonly unknown[] };
      }
      const target = `${collection()}?dryRun=true&validate=connect`;
      const { body } = await callRest<Contents | string>(target, { method: 'POST', body: document() });
      const count = typeof body === 'object' ? body.contents?.type.length : undefined;
      return count === undefined ? words.works : words.worksWith(count);
    });
  const save = () =>
    run(async () => {
      const reply = await writeRest(`${collection()}${canCheck ? '?validate=connect' : ''}`, {
        method: 'POST',
        body: document(),
      });
      reportChange(words.connected(name.peek().trim()), reply);
      navigate(`${path`w/${workspace.peek()}/stores/${name.peek().trim()}`}?kind=${kind.collection}`);
      return undefined;
    });
  const found = result.value;
  const problems = found !== undefined && 'error' in found ? listFieldProblems(toProblem(found.error)) : [];
  return (
    <form
      class="connect-form connect-single"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="connect-main">
        <WorkspaceField
          value={workspace.value}
          onChange={(next) => {
            workspace.value = next;
          }}
        />
        <Field
          label={words.storeName}
          name="storeName"
          required
          error={problems.find(({ field }) => field.endsWith('.name'))?.message}
          onInput={(next) => {
            name.value = next;
          }}
        />
      </div>
      <hr class="connect-rule" />
      <StoreFields
        fields={kind.fields}
        values={values.value}
        problems={problems}
        onChange={(field, value) => {
          values.value = { ...values.peek(), [field]: value };
        }}
      />
      {found !== undefined && 'error' in found ? <ProblemNotice error={found.error} /> : null}
      <div role="status">
        {found !== undefined && 'text' in found ? <Remark kind="info">{found.text}</Remark> : null}
      </div>
      <div class="connect-foot">
        <Button kind="primary" type="submit" disabled={isBusy.value} isBusy={isBusy.value}>
          {words.save}
        </Button>
        {canCheck ? (
          <Button disabled={isBusy.value} onClick={() => void check()}>
            {words.check}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
