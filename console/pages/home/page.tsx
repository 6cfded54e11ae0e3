/** What the server publishes, and what has changed last. */

import { useRef } from 'preact/hooks';
import { ChangeTable } from '../../parts/changes/change-table.tsx';
import { Icon, type IconName } from '../../parts/icon/icon.tsx';
import { ProblemNotice, Remark } from '../../parts/notice/notice.tsx';
import { useRest } from '../../rest/cache.ts';
import { withQuery } from '../../rest/client.ts';
import { isReader, session } from '../../rest/session.ts';
import { type Diagnosis, type HistoryDocument, SIGN_IN_KIND } from '../../rest/types.ts';
import { toUrl } from '../../shell/router.ts';
import { formatNumber, t } from '../../words/words.ts';
import { ResourceLink } from '../operations/history/resource-link.tsx';
import { Begin } from './begin.tsx';

const SHOWN_CHANGES = 10;

export function Page() {
  const { home: words } = t();
  const self = session.value;
  const canPublish = !isReader();
  const listed = useRest<unknown>(canPublish ? '/layers?limit=1&count=true' : undefined);
  const wasEmpty = useRef<boolean | undefined>(undefined);
  if (self == null) return null;
  const total = listed.data?.total ?? undefined;
  // The first layer may appear while it is being published here: the ways to it stay until the user leaves the page.
  if (total !== undefined) wasEmpty.current ??= total === 0;
  return (
    <div class="home">
      <header>
        <h1>{words.welcome(self.name)}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      {canPublish && wasEmpty.current === true ? <Begin isEmpty /> : null}
      {canPublish ? (
        <ul class="home-counts">
          <Count path="/layers" icon="layers" label={words.layers} href={toUrl('layers')} />
          <Count path="/workspaces" icon="folder" label={words.workspaces} href={toUrl('workspaces')} />
          <Count path="/styles" icon="styles" label={words.styles} href={toUrl('styles')} />
        </ul>
      ) : (
        <p>
          <a class="button button-primary" href={toUrl('layers')}>
            {t().layers.title}
          </a>
        </p>
      )}
      {self.isAdministrator ? <Problems /> : null}
      {canPublish && wasEmpty.current === false ? <Begin isEmpty={false} /> : null}
      {self.isAdministrator ? <LastChanges /> : null}
    </div>
  );
}

interface CountProps {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly href: string;
}

function Count({ path, icon, label, href }: CountProps) {
  const listed = useRest<unknown>(`${path}?limit=1&count=true`);
  const total = listed.data?.total;
  return (
    <li>
      <a class="home-card" href={href}>
        <Icon name={icon} size={22} />
        <strong class="home-number">{total == null ? '–' : formatNumber(total)}</strong>
        <span class="muted">{label}</span>
      </a>
    </li>
  );
}

/** More are on the page of the doctor. */
const SHOWN_PROBLEMS = 5;

function Problems() {
  const { publish: words } = t();
  const read = useRest<Diagnosis>('/doctor');
  const problems = read.data?.body.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <section class="home-problems">
      <h2>
        {words.problems} ({formatNumber(problems.length)})
      </h2>
      {problems.slice(0, SHOWN_PROBLEMS).map(({ path, code, message }) => (
        <Remark key={`${path} ${code}`} kind="warning">
          {path === null ? null : <ResourceLink path={path} />}
          <span>{message}</span>
        </Remark>
      ))}
      {problems.length > SHOWN_PROBLEMS ? (
        <p>
          <a href={toUrl('operations/status')}>{t().home.allProblems}</a>
        </p>
      ) : null}
    </section>
  );
}

function LastChanges() {
  const { home: words } = t();
  const read = useRest<HistoryDocument>(withQuery('/history', { limit: SHOWN_CHANGES, excludeKind: SIGN_IN_KIND }));
  const changes = read.data?.body.changes;
  return (
    <section class="home-changes">
      <h2>{words.changes}</h2>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {changes === undefined ? null : changes.length === 0 ? (
        <p class="muted">{words.noChanges}</p>
      ) : (
        <ChangeTable changes={changes} label={words.changes} />
      )}
      <p>
        <a href={toUrl('operations/history?signIns=on')}>{words.allChanges}</a>
      </p>
    </section>
  );
}
