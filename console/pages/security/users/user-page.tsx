/** One user: account, roles, groups and tokens. Passwords are set, never shown. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog, FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { session } from '../../../rest/session.ts';
import type { PageProps } from '../../../routes.ts';
import { navigate } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { Assignment } from '../common/assignment.tsx';
import { Section, SecurityPage } from '../common/page.tsx';
import { ADMINISTRATOR, ADMINISTRATOR_ALIAS } from '../common/role-names.ts';
import { useOwnRoles } from '../common/roles.tsx';
import type { TokenList, User } from '../documents.ts';
import { TokenSection } from '../tokens/token-section.tsx';
import { UserState } from './page.tsx';
import { DEFAULT_SERVICE, getService, getUserRoot, withService } from './service-choice.tsx';

export function Page({ params: { user: name = '' } }: PageProps) {
  const service = getService();
  const root = getUserRoot(service);
  const path = `${root}${rest`/user/${name}`}`;
  const read = useRest<{ readonly user: User }>(path);
  return (
    <SecurityPage page="users" title={name} path={`${path}.json`}>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {read.data === undefined ? null : (
        <div class="security-columns">
          <Account user={read.data.body.user} path={path} />
          <UserRoles name={name} />
          <UserGroups root={root} path={path} />
          {service === DEFAULT_SERVICE ? <TokenSection user={name} isOwn={false} /> : null}
        </div>
      )}
    </SecurityPage>
  );
}

type Open = 'password' | 'state' | 'delete';

function Account({ user, path }: { readonly user: User; readonly path: string }) {
  const { security: words } = t();
  const open = useSignal<Open | undefined>(undefined);
  const show = (next: Open) => () => {
    open.value = next;
  };
  const close = () => {
    open.value = undefined;
  };
  const isSelf = user.userName === session.value?.name;
  return (
    <Section title={words.account}>
      <p class="security-line">
        <UserState user={user} />
        {isSelf ? <span class="muted">{words.thisIsYou}</span> : null}
      </p>
      <div class="security-buttons">
        <Button icon="key" onClick={show('password')}>
          {words.setPassword}
        </Button>
        <Button onClick={show('state')}>{user.enabled ? words.disable : words.enable}</Button>
        <Button icon="trash" onClick={show('delete')}>
          {words.delete}
        </Button>
      </div>
      {open.value === 'password' ? <SetPassword path={path} name={user.userName} onClose={close} /> : null}
      {open.value === 'state' ? (
        <ConfirmDialog
          title={(user.enabled ? words.disableNamed : words.enableNamed)(user.userName)}
          submit={user.enabled ? words.disable : words.enable}
          onClose={close}
          onConfirm={async () => {
            const reply = await writeRest(path, { method: 'POST', body: { user: { enabled: !user.enabled } } });
            reportChange(words.saved(user.userName), reply);
          }}
        >
          {isSelf && user.enabled ? <Remark kind="warning">{words.lockout.disable}</Remark> : null}
          <p>{user.enabled ? words.disableLead : words.enableLead}</p>
        </ConfirmDialog>
      ) : null}
      {open.value === 'delete' ? <DeleteUser path={path} name={user.userName} isSelf={isSelf} onClose={close} /> : null}
    </Section>
  );
}

interface DialogProps {
  readonly path: string;
  readonly name: string;
  readonly onClose: () => void;
}

function SetPassword({ path, name, onClose }: DialogProps) {
  const { security: words } = t();
  const password = useSignal('');
  return (
    <FormDialog
      title={words.setPasswordOf(name)}
      submit={words.setPassword}
      onClose={onClose}
      onSubmit={async () => {
        const reply = await writeRest(path, { method: 'POST', body: { user: { password: password.peek() } } });
        reportChange(words.passwordSet(name), { ...reply, change: null });
      }}
    >
      {(errorOf) => (
        <Field
          label={words.newPassword}
          name="new-password"
          type="password"
          autocomplete="new-password"
          hint={words.passwordEnds}
          error={errorOf('password')}
          onInput={(text) => {
            password.value = text;
          }}
        />
      )}
    </FormDialog>
  );
}

/** What is deleted with the user. */
function DeleteUser({ path, name, isSelf, onClose }: DialogProps & { readonly isSelf: boolean }) {
  const { security: words } = t();
  const roles = useRest<{ readonly roles: readonly string[] }>(rest`/security/roles/user/${name}`);
  const groups = useRest<{ readonly groups: readonly string[] }>(`${path}/groups`);
  const tokens = useRest<TokenList>(withQuery('/security/tokens', { user: name }));
  return (
    <ConfirmDialog
      title={words.deleteNamed(name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(path, { method: 'DELETE' });
        navigate(withService('security/users'));
        reportChange(words.deleted(name), reply);
      }}
    >
      {isSelf ? <Remark kind="warning">{words.lockout.delete}</Remark> : null}
      <p>{words.deleteUserLead}</p>
      <ul class="security-losses">
        <li>{words.lostRoles(roles.data?.body.roles ?? [])}</li>
        <li>{words.lostGroups(groups.data?.body.groups ?? [])}</li>
        <li>{words.lostTokens(tokens.data?.body.tokens.length ?? 0)}</li>
      </ul>
    </ConfirmDialog>
  );
}

function UserRoles({ name }: { readonly name: string }) {
  const { security: words } = t();
  const own = useOwnRoles();
  const read = useRest<{ readonly roles: readonly string[] }>(rest`/security/roles/user/${name}`);
  const isSelf = name === session.value?.name;
  const chosen = read.data?.body.roles;
  // Both names give the same rights.
  const administrator = chosen?.includes(ADMINISTRATOR_ALIAS) ? ADMINISTRATOR_ALIAS : ADMINISTRATOR;
  return (
    <Section title={words.roles} lead={words.userRolesLead}>
      <Assignment
        label={words.roles}
        offered={[administrator, ...(own ?? [])]}
        chosen={chosen}
        createPath={(role) => rest`/security/roles/role/${role}/user/${name}`}
        warn={(role) => (isSelf && role === administrator ? words.lockout.role : undefined)}
      />
    </Section>
  );
}

function UserGroups({ root, path }: { readonly root: string; readonly path: string }) {
  const { security: words } = t();
  const all = useRest<{ readonly groups: readonly string[] }>(`${root}/groups`);
  const read = useRest<{ readonly groups: readonly string[] }>(`${path}/groups`);
  return (
    <Section title={words.pages.groups} lead={words.userGroupsLead}>
      <Assignment
        label={words.pages.groups}
        offered={all.data?.body.groups ?? []}
        chosen={read.data?.body.groups}
        createPath={(group) => `${path}${rest`/group/${group}`}`}
      />
    </Section>
  );
}
