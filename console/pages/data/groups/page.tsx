/** The layer groups of a workspace, or those of the whole server; a filter finds groups of all workspaces. */
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { administers, session } from '../../../rest/session.ts';
import type { PageProps } from '../../../routes.ts';
import { address, navigate, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { ListHead, NoHits } from '../parts/list-head.tsx';

interface GroupList {
  readonly layerGroups: '' | { readonly layerGroup: readonly { readonly name: string }[] };
}

interface FoundGroups {
  readonly search: {
    readonly results: readonly { readonly name: string; readonly title?: string; readonly workspace?: string }[];
  };
}

interface Row {
  readonly name: string;
  readonly title?: string | undefined;
  readonly workspace: string | undefined;
}

const FOUND = 100;

export function Page({ params: { workspace } }: PageProps) {
  const q = address.value.query.get('q') ?? '';
  const collection = workspace === undefined ? '/layergroups' : rest`/workspaces/${workspace}/layergroups`;
  const listed = useRest<GroupList>(collection);
  const search = q === '' ? undefined : withQuery('/search', { q, kinds: 'layerGroup', limit: FOUND });
  const found = useRest<FoundGroups>({
    path: search,
    keepsLast: true,
  });
  const { layerGroups: words } = t();
  const rows = q === '' ? toRows(listed.data?.body, workspace) : selectFound(found.data?.body, workspace);
  const error = q === '' ? listed.error : found.error;
  const canCreate = workspace === undefined ? session.value?.isAdministrator === true : administers(workspace);
  return (
    <div class="groups">
      <ListHead
        tab="groups"
        title={words.title}
        count={rows === undefined ? '' : words.found(rows.length)}
        filter={words.filter}
        request={{ path: search ?? collection, changesOf: collection }}
      >
        {canCreate ? (
          <Button
            kind="primary"
            icon="plus"
            onClick={() => navigate(workspace === undefined ? 'new/group' : path`w/${workspace}/new/group`)}
          >
            {words.create}
          </Button>
        ) : null}
      </ListHead>
      {error === null ? null : <ProblemNotice error={error} />}
      {rows !== undefined && rows.length === 0 ? (
        q === '' ? (
          <Empty icon="group" title={words.empty}>
            <p>{words.emptyHint}</p>
          </Empty>
        ) : (
          <NoHits title={words.noHits(q)} />
        )
      ) : (
        <ul class="groups-list">
          {rows?.map((row) => (
            <li key={`${row.workspace}:${row.name}`}>
              <a class="groups-item" href={toUrl(getGroupPath(row.name, row.workspace))}>
                <span class="groups-icon">
                  <Icon name="group" size={18} />
                </span>
                <span class="layers-names">
                  <span class="layers-title">{row.title ?? row.name}</span>
                  <span class="layers-path muted">
                    {row.workspace === undefined ? words.global : `${row.workspace}:${row.name}`}
                  </span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function getGroupPath(name: string, workspace: string | undefined): string {
  return workspace === undefined ? path`groups/${name}` : path`w/${workspace}/groups/${name}`;
}

function toRows(document: GroupList | undefined, workspace: string | undefined): readonly Row[] | undefined {
  if (document === undefined) return undefined;
  const { layerGroups } = document;
  return layerGroups === '' ? [] : layerGroups.layerGroup.map(({ name }) => ({ name, workspace }));
}

function selectFound(document: FoundGroups | undefined, workspace: string | undefined): readonly Row[] | undefined {
  return document?.search.results.flatMap((each) =>
    workspace === undefined || each.workspace === workspace
      ? [{ name: each.name, title: each.title, workspace: each.workspace }]
      : [],
  );
}
