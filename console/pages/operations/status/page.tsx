/** Is the server well? The problems that the doctor finds first, then the load, then versions and nodes. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { serverRoot } from '../../../rest/client.ts';
import type { Diagnosis } from '../../../rest/types.ts';
import { formatNumber, formatTime, t } from '../../../words/words.ts';
import { OperationsFrame } from '../frame.tsx';
import { ResourceLink } from '../history/resource-link.tsx';
import { LoadCards, PoolTable } from './load.tsx';
import { useSamples } from './read-samples.ts';

interface NodesDocument {
  readonly nodes:
    | ''
    | {
        readonly node: readonly {
          readonly name: string;
          readonly version: string;
          readonly position: number;
          readonly alive: boolean;
          readonly here: boolean;
          readonly started: string;
        }[];
      };
}

interface VersionDocument {
  readonly about: { readonly resource: readonly Readonly<Record<string, string>>[] };
}

export function Page() {
  const samples = useSamples();
  const last = samples.list.at(-1);
  return (
    <OperationsFrame page="status" request={{ path: '/doctor' }}>
      <Health />
      {samples.error === undefined ? null : <ProblemNotice error={samples.error} />}
      {last === undefined ? null : <LoadCards samples={samples.list} />}
      {last === undefined ? null : <Metrics hasMetrics={last.metrics !== undefined} />}
      {last?.metrics === undefined ? null : <PoolTable metrics={last.metrics} />}
      <Nodes />
      <Versions machine={last?.system.get('OPERATING_SYSTEM')} />
    </OperationsFrame>
  );
}

function Health() {
  const { status: words } = t();
  const checksStores = useSignal(false);
  const read = useRest<Diagnosis>(`/doctor${checksStores.value ? '?connect=true' : ''}`);
  const found = read.data?.body;
  const failed = found?.checks.filter(({ ok }) => !ok) ?? [];
  const count = (found?.problems.length ?? 0) + failed.length;
  return (
    <section class="status-health" aria-live="polite" aria-busy={read.isFetching}>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {found === undefined && read.error === null ? <p class="muted">{words.checking}</p> : null}
      {found === undefined ? null : (
        <div class={`status-verdict status-${found.healthy ? 'good' : 'bad'}`}>
          <Icon name={found.healthy ? 'check' : 'warning'} size={24} />
          <h2>{found.healthy ? words.healthy : words.problems(count)}</h2>
          <Button disabled={read.isFetching} onClick={() => void read.refetch()}>
            {read.isFetching ? words.checking : words.checkAgain}
          </Button>
        </div>
      )}
      {failed.map(({ check, message }) => (
        <Remark key={check} kind="error">
          <strong>{check}</strong>
          <span>{message}</span>
        </Remark>
      ))}
      {found?.problems.map(({ path, code, message }) => (
        <Remark key={`${code} ${path}`} kind="error">
          <strong>{path === null ? code : <ResourceLink path={path} />}</strong>
          <span>{message}</span>
        </Remark>
      ))}
      <label class="status-stores">
        <input
          type="checkbox"
          checked={checksStores.value}
          onChange={(event) => {
            checksStores.value = event.currentTarget.checked;
          }}
        />
        {words.checkStores}
      </label>
      {found === undefined ? null : (
        <details class="status-checks">
          <summary>{words.checks}</summary>
          <table class="operations-table" aria-label={words.checks}>
            <thead>
              <tr>
                <th scope="col">{words.check}</th>
                <th scope="col">{words.result}</th>
                <th scope="col">{words.details}</th>
              </tr>
            </thead>
            <tbody>
              {found.checks.map(({ check, ok, message }) => (
                <tr key={check}>
                  <th scope="row">{check}</th>
                  <td>
                    <span class={`mark mark-${ok ? 'create' : 'delete'}`}>{ok ? words.passed : words.failed}</span>
                  </td>
                  <td>{message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}

function Metrics({ hasMetrics }: { readonly hasMetrics: boolean }) {
  const { status: words } = t();
  return (
    <p class="muted status-sign">
      {hasMetrics ? words.perMinute : words.noMetrics} {words.prometheus}{' '}
      <code>{new URL('/metrics', serverRoot).href}</code>
    </p>
  );
}

function Nodes() {
  const { status: words } = t();
  const read = useRest<NodesDocument>('/about/nodes.json');
  const nodes = read.data?.body.nodes;
  if (nodes === undefined || nodes === '') return null;
  return (
    <section class="operations-card">
      <h2>{words.nodes}</h2>
      <div class="status-scroll" role="region" tabIndex={0} aria-label={words.nodes}>
        <table class="operations-table">
          <thead>
            <tr>
              <th scope="col">{words.node}</th>
              <th scope="col">{words.result}</th>
              <th scope="col">{words.version}</th>
              <th scope="col">{words.position}</th>
              <th scope="col">{words.since}</th>
            </tr>
          </thead>
          <tbody>
            {nodes.node.map(({ name, version, position, alive, here, started }) => (
              <tr key={name}>
                <th scope="row">
                  {name} {here ? <span class="muted">({words.here})</span> : null}
                </th>
                <td>
                  <span class={`mark mark-${alive ? 'create' : 'delete'}`}>{alive ? words.alive : words.notAlive}</span>
                </td>
                <td>{version}</td>
                <td>{formatNumber(position)}</td>
                <td>{formatTime(started)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Versions({ machine }: { readonly machine: number | string | undefined }) {
  const { status: words } = t();
  const read = useRest<VersionDocument>('/about/version.json');
  const resources = read.data?.body.about.resource ?? [];
  return (
    <section class="operations-card">
      <h2>{words.versions}</h2>
      <dl class="facts">
        {resources.map((each) => (
          <div key={each['@name']}>
            <dt>{each['@name']}</dt>
            <dd>
              {each['Version']} <span class="muted">{(each['Git-Revision'] ?? '').slice(0, 10)}</span>
            </dd>
          </div>
        ))}
        {machine === undefined ? null : (
          <div>
            <dt>{words.machine}</dt>
            <dd>{machine}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
