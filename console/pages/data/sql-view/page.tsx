/** Publishes a query as a layer: SQL with parameters, their allowed values, the key and the geometry. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { callRest, rest } from '../../../rest/client.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import type { PageProps } from '../../../routes.ts';
import { navigate, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { DataTabs } from '../parts/data-tabs.tsx';
import { createSqlView, listParameters, type SqlParameter } from './sql-view.ts';

const geometryTypes = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'Geometry',
] as const;

interface PreviewDocument {
  readonly featureType: {
    readonly srs?: string;
    readonly attributes?: {
      readonly attribute: readonly { readonly name: string; readonly binding?: string }[];
    };
  };
}

const emptyParameter: SqlParameter = { defaultValue: '', pattern: '^[\\w\\d\\s]+$' };

export function Page({ params }: PageProps) {
  const { workspace = '', store = '' } = params;
  const { publish: words } = t();
  const sql = useSignal('');
  const parameters = useSignal<Readonly<Record<string, SqlParameter>>>({});
  const preview = useSignal<PreviewDocument['featureType'] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const names = listParameters(sql.value);

  const read = (form: HTMLFormElement) => {
    const sent = new FormData(form);
    const get = (name: string) => String(sent.get(name) ?? '').trim();
    return createSqlView({
      name: get('name'),
      sql: sql.peek(),
      key: get('key'),
      geometry: get('geometry'),
      geometryType: get('geometryType'),
      srid: get('srid'),
      parameters: names.map((name) => ({ name, ...(parameters.peek()[name] ?? emptyParameter) })),
    });
  };
  const collection = rest`/workspaces/${workspace}/datastores/${store}/featuretypes`;
  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
    } catch (error) {
      failure.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const show = (form: HTMLFormElement) =>
    run(async () => {
      preview.value = undefined;
      const headers = { prefer: 'return=representation' };
      const request = { method: 'POST', body: read(form), headers } as const;
      const { body } = await callRest<PreviewDocument>(`${collection}?dryRun=true`, request);
      preview.value = body.featureType;
    });
  const publish = (form: HTMLFormElement) =>
    run(async () => {
      const document = read(form);
      const reply = await writeRest(collection, { method: 'POST', body: document });
      reportChange(words.published(document.featureType.name), reply);
      navigate(path`w/${workspace}/layers/${document.featureType.name}`);
    });
  const problems = failure.value === undefined ? [] : listFieldProblems(toProblem(failure.value));
  const findError = (end: string) => problems.find(({ field }) => field.endsWith(end))?.message;
  return (
    <div class="data-page">
      <DataTabs selected="stores" />
      <header>
        <h1>{words.sqlTitle}</h1>
        <p class="muted">
          {words.sqlLead} <a href={toUrl(path`w/${workspace}/stores/${store}`)}>{store}</a>
        </p>
      </header>
      <form
        class="sql-view"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void publish(event.currentTarget);
        }}
      >
        <Field label={words.sqlName} name="name" required error={findError('.name')} autocomplete="off" />
        <div class="field">
          <label for="sql">{words.sqlQuery}</label>
          <textarea
            id="sql"
            class="input sql-view-text"
            rows={8}
            spellcheck={false}
            value={sql.value}
            onInput={(event) => {
              sql.value = event.currentTarget.value;
              preview.value = undefined;
            }}
          />
        </div>
        {names.length === 0 ? null : (
          <fieldset class="sql-view-parameters">
            <legend>{words.sqlParameters}</legend>
            <p class="field-hint">{words.sqlPatternHint}</p>
            {names.map((name) => (
              <Parameter
                key={name}
                name={name}
                value={parameters.value[name] ?? emptyParameter}
                onChange={(next) => {
                  parameters.value = { ...parameters.peek(), [name]: next };
                }}
              />
            ))}
          </fieldset>
        )}
        <div class="connect-main">
          <Field label={words.sqlKey} name="key" hint={words.sqlKeyHint} autocomplete="off" />
          <Field label={words.sqlGeometry} name="geometry" autocomplete="off" />
          <div class="field">
            <label for="geometry-type">{words.sqlGeometryType}</label>
            <select id="geometry-type" name="geometryType" class="input">
              {geometryTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          </div>
          <Field label={words.sqlSrid} name="srid" type="number" autocomplete="off" />
        </div>
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <div class="connect-foot">
          <Button kind="primary" type="submit" disabled={isBusy.value}>
            {words.sqlPublish}
          </Button>
          <Button
            disabled={isBusy.value}
            onClick={(event) => {
              const { currentTarget } = event;
              if (currentTarget instanceof HTMLButtonElement && currentTarget.form !== null) {
                void show(currentTarget.form);
              }
            }}
          >
            {words.sqlPreview}
          </Button>
        </div>
        <div role="status">{preview.value === undefined ? null : <Preview found={preview.value} />}</div>
      </form>
    </div>
  );
}

interface ParameterProps {
  readonly name: string;
  readonly value: SqlParameter;
  readonly onChange: (value: SqlParameter) => void;
}

function Parameter({ name, value, onChange }: ParameterProps) {
  const { publish: words } = t();
  return (
    <div class="connect-main" role="group" aria-label={words.sqlParameter(name)}>
      <Field
        label={`${name}: ${words.sqlDefault}`}
        name={`default ${name}`}
        defaultValue={value.defaultValue}
        autocomplete="off"
        onInput={(defaultValue) => onChange({ ...value, defaultValue })}
      />
      <Field
        label={`${name}: ${words.sqlPattern}`}
        name={`pattern ${name}`}
        defaultValue={value.pattern}
        autocomplete="off"
        onInput={(pattern) => onChange({ ...value, pattern })}
      />
    </div>
  );
}

function Preview({ found }: { readonly found: PreviewDocument['featureType'] }) {
  const { publish: words } = t();
  return (
    <section class="data-page-card">
      <h2>{words.sqlColumns}</h2>
      <dl class="facts">
        {(found.attributes?.attribute ?? []).map(({ name, binding = '' }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{binding.split('.').at(-1)}</dd>
          </div>
        ))}
        <div>
          <dt>{words.crs}</dt>
          <dd>{found.srs ?? words.unknownCrs}</dd>
        </div>
      </dl>
    </section>
  );
}
