/** Connects a PostGIS database and publishes its tables as one change. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { findUsualWorkspace, WorkspaceField } from '../../../parts/combobox/workspace-field.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { listFieldProblems } from '../../../rest/problems.ts';
import { createStoreDocument, type StoreKind } from '../../../rest/store-kinds.ts';
import { useStoreKinds } from '../../../rest/use-store-kinds.ts';
import { currentWorkspace, navigate, path } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { countLayers, createPublishOperations } from '../parts/publish-operations.ts';
import { StoreFields } from '../parts/store-fields.tsx';
import { toStoreName } from '../publish/datasets.ts';
import { ConnectionCheck } from './connection-check.ts';
import { parseConnectionLine } from './connection-line.ts';
import { ConnectionSteps } from './connection-steps.tsx';
import { TableChoice } from './table-choice.tsx';

/** The fields that every connection needs; the others have good defaults. */
const mainFields: ReadonlySet<string> = new Set(['host', 'port', 'database', 'schema', 'user', 'passwd']);

export function Page() {
  const { kinds, error } = useStoreKinds();
  const kind = kinds?.find(({ id }) => id === 'postgis');
  return (
    <div class="connect">
      <header>
        <h1>{t().publish.createPostgis}</h1>
        <p class="muted">{t().publish.newLead}</p>
      </header>
      {error === null ? null : <ProblemNotice error={error} />}
      {kind === undefined ? null : <Form kind={kind} />}
    </div>
  );
}

function Form({ kind }: { readonly kind: StoreKind }) {
  const { publish: words } = t();
  // Passwords stay in this component: no address and no storage has them.
  const values = useSignal<Readonly<Record<string, string>>>({});
  const version = useSignal(0);
  const lineError = useSignal<string | undefined>(undefined);
  const workspace = useSignal('');
  const chosenName = useSignal<string | undefined>(undefined);
  const name = useComputed(() => chosenName.value ?? toStoreName(values.value['database'] || 'postgis'));
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const check = useMemo(() => new ConnectionCheck(), []);
  const isComplete = kind.fields.every(({ name: key, isRequired }) => !isRequired || (values.value[key] ?? '') !== '');
  const document = isComplete ? createStoreDocument(kind, name.value, values.value) : undefined;
  const key = JSON.stringify([workspace.value, document]);

  useEffect(() => {
    findUsualWorkspace(currentWorkspace.peek()).then(
      (found) => {
        workspace.value ||= found;
      },
      // The user can enter one.
      () => undefined,
    );
    return () => check.cancel();
  }, []);
  useEffect(() => {
    failure.value = undefined;
    check.schedule(workspace.peek(), workspace.peek() === '' ? undefined : document);
  }, [key]);

  const paste = (line: string) => {
    const parsed = parseConnectionLine(line);
    lineError.value = parsed === undefined && line.trim() !== '' ? words.lineInvalid : undefined;
    if (parsed === undefined) return;
    values.value = { ...values.peek(), ...parsed };
    version.value += 1;
  };
  const save = async (tables: readonly string[]) => {
    isBusy.value = true;
    failure.value = undefined;
    const place = workspace.peek();
    const store = name.peek();
    const operations = [
      { method: 'POST', path: rest`/workspaces/${place}/datastores`, body: document },
      ...createPublishOperations(place, store, tables),
    ];
    try {
      const reply = await writeRest<{ readonly change: number | null }>('/batch', {
        method: 'POST',
        body: { message: `connect ${store} and publish ${countLayers(tables.length)}`, operations },
      });
      const [first, ...others] = tables;
      const text = first === undefined ? words.connected(store) : words.publishedMany(tables.length);
      reportChange(text, { change: reply.body.change });
      navigate(
        first === undefined
          ? path`w/${place}/stores/${store}`
          : others.length === 0
            ? path`w/${place}/layers/${toStoreName(first)}`
            : path`w/${place}/layers`,
      );
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const state = check.state.value;
  const problems = state.kind === 'failed' ? listFieldProblems(state.problem) : [];
  const set = (field: string, value: string) => {
    values.value = { ...values.peek(), [field]: value };
  };
  return (
    <div class="connect-columns">
      <form class="connect-form" onSubmit={(event) => event.preventDefault()} noValidate autocomplete="off">
        <Field
          label={words.line}
          name="line"
          type="password"
          autocomplete="off"
          hint={words.lineHint}
          error={lineError.value}
          onInput={paste}
        />
        <hr class="connect-rule" />
        <div class="connect-main">
          <StoreFields
            fields={kind.fields.filter((field) => mainFields.has(field.name))}
            values={values.value}
            version={version.value}
            problems={problems}
            onChange={set}
          />
        </div>
        <details>
          <summary>{words.more}</summary>
          <div class="connect-more">
            <StoreFields
              fields={kind.fields.filter((field) => !mainFields.has(field.name))}
              values={values.value}
              version={version.value}
              problems={problems}
              onChange={set}
            />
          </div>
        </details>
        <hr class="connect-rule" />
        <div class="connect-main">
          <WorkspaceField
            value={workspace.value}
            onChange={(next) => {
              workspace.value = next;
            }}
          />
          <Field
            key={`name ${version.value}`}
            label={words.storeName}
            name="storeName"
            defaultValue={name.value}
            onInput={(next) => {
              chosenName.value = next.trim() === '' ? undefined : next.trim();
            }}
          />
        </div>
      </form>
      <section class="connect-state" aria-label={words.stepsLabel}>
        <ConnectionSteps state={state} isComplete={isComplete} onStop={() => check.cancel()} />
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        {state.kind === 'good' ? (
          <TableChoice
            tables={state.tables}
            selected={selected}
            isBusy={isBusy.value}
            onPublish={(tables) => void save(tables)}
          />
        ) : null}
      </section>
    </div>
  );
}
