/** The styles of a workspace, or of all workspaces and the global ones, as samples. */

import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { ListFilter } from '../../../parts/list-filter/list-filter.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import { session } from '../../../rest/session.ts';
import type { PageProps } from '../../../routes.ts';
import { address, setQuery } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { NewStyleDialog } from '../new-style-dialog.tsx';
import { getCollectionPath, type StyleList } from '../style-documents.ts';
import { StyleCard } from './style-card.tsx';

const PAGE_SIZE = 60;

/** Further workspaces are chosen at the top of the page. */
const MAX_SECTIONS = 30;

export function Page({ params: { workspace } }: PageProps) {
  const { styles: words } = t();
  const q = address.value.query.get('q') ?? '';
  const isNew = address.value.query.get('new') !== null;
  const self = session.value;
  const listed = useRest<WorkspaceList>(
    workspace === undefined && self?.isAdministrator ? `/workspaces?limit=${MAX_SECTIONS}&count=true` : undefined,
  );
  const found = listed.data?.body.workspaces;
  const names = self?.isAdministrator
    ? found === undefined || found === ''
      ? []
      : found.workspace.map(({ name }) => name)
    : (self?.workspaces ?? []).slice(0, MAX_SECTIONS);
  const sections: readonly (string | undefined)[] =
    workspace === undefined ? [...names, undefined] : [workspace, undefined];
  const total = listed.data?.total ?? 0;
  return (
    <div class="gallery">
      <header class="gallery-head">
        <h1>{words.title}</h1>
        <PageTools
          path={withQuery(getCollectionPath(workspace), {
            details: true,
            limit: PAGE_SIZE,
            q: q === '' ? undefined : q,
          })}
          changesOf={getCollectionPath(workspace)}
        />
        <ListFilter key={workspace ?? ''} label={words.filter} />
        <Button kind="primary" icon="plus" onClick={() => setQuery({ new: 'style' })}>
          {words.create}
        </Button>
      </header>
      {listed.error === null ? null : <ProblemNotice error={listed.error} onRetry={() => void listed.refetch()} />}
      {sections.map((each) => (
        <Section
          key={each ?? ' global'}
          workspace={each}
          q={q}
          isOnly={workspace !== undefined && each === workspace}
        />
      ))}
      {workspace === undefined && total > MAX_SECTIONS ? (
        <p class="muted">{words.moreWorkspaces(MAX_SECTIONS)}</p>
      ) : null}
      {isNew ? <NewStyleDialog workspace={workspace} onClose={() => setQuery({ new: undefined })} /> : null}
    </div>
  );
}

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

interface SectionProps {
  /** Undefined for the global styles. */
  readonly workspace: string | undefined;
  readonly q: string;
  /** An empty section of the chosen workspace says so; others are left out. */
  readonly isOnly: boolean;
}

function Section({ workspace, q, isOnly }: SectionProps) {
  const { styles: words } = t();
  const size = useSignal(PAGE_SIZE);
  const query = { details: true, count: true, limit: size.value, q: q === '' ? undefined : q };
  const listed = useRest<StyleList>({ path: withQuery(getCollectionPath(workspace), query), keepsLast: true });
  const styles = listed.data?.body.styles;
  const entries = styles === undefined || styles === '' ? [] : styles.style;
  const total = listed.data?.total ?? entries.length;
  const title = workspace ?? words.global;
  if (listed.error !== null) return <ProblemNotice error={listed.error} onRetry={() => void listed.refetch()} />;
  if (styles === undefined) return null;
  if (entries.length === 0) {
    if (!isOnly) return null;
    return q === '' ? (
      <Empty icon="styles" title={words.empty(title)}>
        <p>{words.emptyHint}</p>
        <Button kind="primary" icon="plus" onClick={() => setQuery({ new: 'style' })}>
          {words.create}
        </Button>
      </Empty>
    ) : (
      <Empty icon="search" title={words.noHits(q)}>
        <Button onClick={() => setQuery({ q: undefined })}>{t().layers.clearFilter}</Button>
      </Empty>
    );
  }
  return (
    <section class="gallery-section" aria-label={title}>
      <h2>
        {title} <span class="muted">{words.count(total)}</span>
      </h2>
      <ul class="gallery-list">
        {entries.map((entry) => (
          <StyleCard key={entry.name} workspace={workspace} entry={entry} />
        ))}
      </ul>
      {total > entries.length ? (
        <p>
          <Button onClick={() => (size.value += PAGE_SIZE)}>{words.more}</Button>
        </p>
      ) : null}
    </section>
  );
}
