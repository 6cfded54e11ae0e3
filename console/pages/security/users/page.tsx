/** The users whose passwords this server stores. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Check } from '../../../parts/controls/controls.tsx';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { usePages } from '../../../rest/pages.ts';
import { session } from '../../../rest/session.ts';
import { address, navigate, path, setQuery, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { Badge, SecurityPage } from '../common/page.tsx';
import { RecordList } from '../common/record-list.tsx';
import { RoleList } from '../common/roles.tsx';
import { type ConfigurationDocument, type RoleFields, readLastSegment, type User } from '../documents.ts';
import { getService, getUserRoot, ServiceChoice, withService } from './service-choice.tsx';

const BUILT_IN = 'admin';

/** More are found with the filter. */
const MAX_SHOWN = 200;

export function Page() {
  const { security: words } = t();
  const isAdding = useSignal(false);
  const service = getService();
  const root = getUserRoot(service);
  const filter = address.value.query.get('q') ?? '';
  const users = usePages({
    path: `${root}/users`,
    query: { q: filter === '' ? undefined : filter },
    listRows: (document: { readonly users: readonly User[] }) => document.users,
  });
  const roles = useRolesOfUsers();
  const shown = Array.from({ length: Math.min(users.total ?? 0, MAX_SHOWN) }, (_, index) => users.row(index)).flatMap(
    (user) => user ?? [],
  );
  return (
    <SecurityPage
      page="users"
      lead={words.usersLead}
      path={`${root}/users.json`}
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {words.newUser}
        </Button>
      }
    >
      <div class="security-bar">
        <div class="security-filter">
          <input
            type="search"
            class="input"
            aria-label={words.filterUsers}
            placeholder={words.filterUsers}
            value={filter}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </div>
        <span class="muted" role="status">
          {users.total === undefined ? '' : words.usersFound(users.total)}
        </span>
        <ServiceChoice />
      </div>
      <RecordList
        label={words.pages.users}
        records={users.total === undefined ? undefined : shown}
        error={users.error}
        onRetry={users.retry}
        nameOf={({ userName }) => userName}
        empty={{
          icon: 'user',
          title: words.noUsers,
          hint:
            filter === '' ? null : <Button onClick={() => setQuery({ q: undefined })}>{t().layers.clearFilter}</Button>,
        }}
        columns={[
          {
            id: 'name',
            label: words.userName,
            cell: ({ userName }) => (
              <>
                <a href={toUrl(withService(path`security/users/${userName}`))}>{userName}</a>
                {userName === session.value?.name ? <Badge kind="accent">{words.you}</Badge> : null}
              </>
            ),
          },
          { id: 'state', label: words.state, cell: (user) => <UserState user={user} /> },
          {
            id: 'roles',
            label: words.roles,
            cell: ({ userName }) => <RoleList roles={roles.get(userName) ?? []} />,
          },
        ]}
      />
      {(users.total ?? 0) > MAX_SHOWN ? <p class="muted">{words.firstUsers(MAX_SHOWN)}</p> : null}
      {isAdding.value ? (
        <NewUser
          root={root}
          onClose={() => {
            isAdding.value = false;
          }}
        />
      ) : null}
    </SecurityPage>
  );
}

/** Roles belong to user names, whatever their service is. */
function useRolesOfUsers(): ReadonlyMap<string, readonly string[]> {
  const read = useRest<ConfigurationDocument<RoleFields>>(withQuery('/configuration', { path: '/security/roles' }));
  const builtIn = useRest<{ readonly roles: readonly string[] }>(rest`/security/roles/user/${BUILT_IN}`);
  // No record says that the built-in administrator has the role.
  const found = new Map([[BUILT_IN, builtIn.data?.body.roles ?? []]]);
  for (const { path: role, fields } of read.data?.body.resources ?? []) {
    for (const user of fields.users) {
      found.set(user, [...new Set([...(found.get(user) ?? []), readLastSegment(role)])]);
    }
  }
  return found;
}

export function UserState({ user }: { readonly user: User }) {
  const { security: words } = t();
  return <Badge kind={user.enabled ? 'good' : 'warning'}>{user.enabled ? words.enabled : words.disabled}</Badge>;
}

function NewUser({ root, onClose }: { readonly root: string; readonly onClose: () => void }) {
  const { security: words } = t();
  const name = useSignal('');
  const password = useSignal('');
  const isEnabled = useSignal(true);
  const save = async () => {
    const user = {
      userName: name.peek().trim(),
      enabled: isEnabled.peek(),
      ...(password.peek() === '' ? {} : { password: password.peek() }),
    };
    const reply = await writeRest(`${root}/users`, { method: 'POST', body: { user } });
    reportChange(words.created(user.userName), reply);
    navigate(withService(path`security/users/${user.userName}`));
  };
  return (
    <FormDialog title={words.newUser} submit={words.create} onSubmit={save} onClose={onClose}>
      {(errorOf) => (
        <>
          <Field
            label={words.userName}
            name="new-user"
            autocomplete="off"
            error={errorOf('userName') ?? errorOf('user')}
            onInput={(text) => {
              name.value = text;
            }}
          />
          <Field
            label={words.password}
            name="new-password"
            type="password"
            autocomplete="new-password"
            hint={words.passwordHint}
            error={errorOf('password')}
            onInput={(text) => {
              password.value = text;
            }}
          />
          <Check
            label={words.enabled}
            name="enabled"
            checked={isEnabled.value}
            onChange={(checked) => {
              isEnabled.value = checked;
            }}
          />
        </>
      )}
    </FormDialog>
  );
}
