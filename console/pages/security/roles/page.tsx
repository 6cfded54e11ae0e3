/** Roles: to whom they are granted, and which rules name them. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { NameDialog } from '../common/name-dialog.tsx';
import { Names } from '../common/names.tsx';
import { SecurityPage } from '../common/page.tsx';
import { RecordList } from '../common/record-list.tsx';
import { parseRoles } from '../common/role-names.ts';
import { useOwnRoles } from '../common/roles.tsx';
import {
  type ConfigurationDocument,
  type DataRuleList,
  type RoleFields,
  type RuleSet,
  readLastSegment,
} from '../documents.ts';

interface RoleRecord extends RoleFields {
  readonly name: string;
  /** The rules that name it, with the tab of the page where they are changed. */
  readonly rules: readonly { readonly name: string; readonly tab: string }[];
}

export function Page() {
  const { security: words } = t();
  const isAdding = useSignal(false);
  const removed = useSignal<RoleRecord | undefined>(undefined);
  const names = useOwnRoles();
  const read = useRest<ConfigurationDocument<RoleFields>>(withQuery('/configuration', { path: '/security/roles' }));
  const findRules = useRulesOfRoles();
  const holders = new Map((read.data?.body.resources ?? []).map(({ path, fields }) => [readLastSegment(path), fields]));
  const roles = names?.map((name): RoleRecord => {
    const { users = [], groups = [] } = holders.get(name) ?? {};
    return { name, users, groups, rules: findRules(name) };
  });
  return (
    <SecurityPage
      page="roles"
      lead={words.rolesLead}
      path="/security/roles.json"
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {words.newRole}
        </Button>
      }
    >
      <RecordList
        label={words.roles}
        records={roles}
        error={read.error}
        onRetry={() => void read.refetch()}
        nameOf={({ name }) => name}
        empty={{ icon: 'shield', title: words.noRoles, hint: <p>{words.rolesLead}</p> }}
        columns={[
          { id: 'name', label: words.role, cell: ({ name }) => name },
          { id: 'users', label: words.pages.users, cell: ({ users }) => <Names names={users} /> },
          { id: 'groups', label: words.pages.groups, cell: ({ groups }) => <Names names={groups} /> },
          { id: 'rules', label: words.usedIn, cell: ({ rules }) => <UsedIn rules={rules} /> },
        ]}
        onDelete={(role) => {
          removed.value = role;
        }}
      />
      {isAdding.value ? (
        <NameDialog
          title={words.newRole}
          label={words.role}
          field="role"
          onClose={() => {
            isAdding.value = false;
          }}
          onSubmit={async (name) => {
            const reply = await writeRest(rest`/security/roles/role/${name}`, { method: 'POST' });
            reportChange(words.created(name), reply);
          }}
        />
      ) : null}
      {removed.value === undefined ? null : (
        <DeleteRole
          role={removed.value}
          onClose={() => {
            removed.value = undefined;
          }}
        />
      )}
    </SecurityPage>
  );
}

function useRulesOfRoles(): (role: string) => RoleRecord['rules'] {
  const families = ['layers', 'services', 'rest'] as const;
  const reads = [
    useRest<RuleSet>('/security/acl/layers'),
    useRest<RuleSet>('/security/acl/services'),
    useRest<RuleSet>('/security/acl/rest'),
  ];
  const data = useRest<DataRuleList>('/security/acl/data');
  return (role) => [
    ...families.flatMap((tab, index) =>
      Object.entries(reads[index]?.data?.body ?? {})
        .filter(([, roles]) => parseRoles(roles).includes(role))
        .map(([name]) => ({ name, tab })),
    ),
    ...(data.data?.body.dataRules ?? [])
      .filter(({ roles }) => roles.includes(role))
      .map(({ name }) => ({ name, tab: 'data' })),
  ];
}

function UsedIn({ rules }: { readonly rules: RoleRecord['rules'] }) {
  if (rules.length === 0) return <span class="muted">{t().app.none}</span>;
  return (
    <ul class="role-list">
      {rules.map(({ name, tab }) => (
        <li key={`${tab} ${name}`}>
          <a href={toUrl(`security/access${tab === 'layers' ? '' : `?tab=${tab}`}`)}>
            <code>{name}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}

function DeleteRole({ role, onClose }: { readonly role: RoleRecord; readonly onClose: () => void }) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.deleteNamed(role.name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(rest`/security/roles/role/${role.name}`, { method: 'DELETE' });
        reportChange(words.deleted(role.name), reply);
      }}
    >
      {role.rules.length === 0 ? null : (
        <Remark kind="warning">
          <p>{words.roleInRules(role.rules.length)}</p>
          <UsedIn rules={role.rules} />
        </Remark>
      )}
      <p>{words.deleteRoleLead(role.users.length, role.groups.length)}</p>
    </ConfirmDialog>
  );
}
