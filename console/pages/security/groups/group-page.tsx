/** One group: its members and its roles. */
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import type { PageProps } from '../../../routes.ts';
import { t } from '../../../words/words.ts';
import { Assignment } from '../common/assignment.tsx';
import { Section, SecurityPage } from '../common/page.tsx';
import { ADMINISTRATOR } from '../common/role-names.ts';
import { useOwnRoles } from '../common/roles.tsx';
import type { User } from '../documents.ts';
import { getService, getUserRoot } from '../users/service-choice.tsx';

/** Members beyond these are added on the page of the user. */
const MAX_USERS = 500;

export function Page({ params: { group = '' } }: PageProps) {
  const { security: words } = t();
  const root = getUserRoot(getService());
  const own = useOwnRoles();
  const members = useRest<{ readonly users: readonly User[] }>(`${root}${rest`/group/${group}/users`}`);
  const all = useRest<{ readonly users: readonly User[] }>(withQuery(`${root}/users`, { limit: MAX_USERS }));
  const roles = useRest<{ readonly roles: readonly string[] }>(rest`/security/roles/group/${group}`);
  return (
    <SecurityPage page="groups" title={group} path={`${root}${rest`/group/${group}/users`}.json`}>
      {members.error === null ? null : <ProblemNotice error={members.error} onRetry={() => void members.refetch()} />}
      <div class="security-columns">
        <Section title={words.pages.users} lead={words.membersLead}>
          <Assignment
            label={words.pages.users}
            offered={(all.data?.body.users ?? []).map(({ userName }) => userName)}
            chosen={members.data?.body.users.map(({ userName }) => userName)}
            createPath={(user) => `${root}${rest`/user/${user}/group/${group}`}`}
          />
        </Section>
        <Section title={words.roles} lead={words.groupRolesLead}>
          <Assignment
            label={words.roles}
            offered={[ADMINISTRATOR, ...(own ?? [])]}
            chosen={roles.data?.body.roles}
            createPath={(role) => rest`/security/roles/role/${role}/group/${group}`}
          />
        </Section>
      </div>
    </SecurityPage>
  );
}
