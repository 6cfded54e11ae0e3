/** What the server publishes, and what has changed last. */
import { ChangeTable } from '../../parts/changes/change-table.tsx';
import { Icon, type IconName } from '../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { useRest } from '../../rest/cache.ts';
import { session } from '../../rest/session.ts';
import type { HistoryDocument } from '../../rest/types.ts';
import { toUrl } from '../../shell/router.ts';
import { formatNumber, t } from '../../words/words.ts';

const SHOWN_CHANGES = 10;

export function Page() {
  const { home: words } = t();
  const self = session.value;
  if (self == null) return null;
  return (
    <div class="home">
      <header>
        <h1>{words.welcome(self.name)}</h1>
        <p class="muted">{words.lead}</p>
      </header>
      <ul class="home-counts">
        <Count path="/layers" icon="layers" label={words.layers} href={toUrl('layers')} />
        <Count path="/workspaces" icon="folder" label={words.workspaces} />
        <Count path="/styles" icon="styles" label={words.styles} />
      </ul>
      {self.isAdministrator ? <LastChanges /> : null}
    </div>
  );
}

interface CountProps {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly href?: string;
}

function Count({ path, icon, label, href }: CountProps) {
  const listed = useRest<unknown>(`${path}?limit=1&count=true`);
  const total = listed.data?.total;
  const content = (
    <>
      <Icon name={icon} size={22} />
      <strong class="home-number">{total == null ? '–' : formatNumber(total)}</strong>
      <span class="muted">{label}</span>
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div class="home-card">{content}</div>
      ) : (
        <a class="home-card" href={href}>
          {content}
        </a>
      )}
    </li>
  );
}

function LastChanges() {
  const { home: words } = t();
  const read = useRest<HistoryDocument>(`/history?limit=${SHOWN_CHANGES}`);
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
    </section>
  );
}
