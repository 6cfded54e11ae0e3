/** Groups of users, and the services that users and groups belong to. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { NameDialog } from '../common/name-dialog.tsx';
import { Names } from '../common/names.tsx';
import { Badge, Section, SecurityPage } from '../common/page.tsx';
import { RecordList } from '../common/record-list.tsx';
import { type ConfigurationDocument, readLastSegment } from '../documents.ts';
import {
  DEFAULT_SERVICE,
  getService,
  getUserRoot,
  ServiceChoice,
  useServices,
  withService,
} from '../users/service-choice.tsx';

interface GroupRecord {
  readonly name: string;
  readonly users: readonly string[];
}

export function Page() {
  const { security: words } = t();
  const isAdding = useSignal(false);
  const removed = useSignal<GroupRecord | undefined>(undefined);
  const root = getUserRoot(getService());
  const read = useRest<ConfigurationDocument<{ readonly users?: readonly string[] }>>(
    withQuery('/configuration', { path: root }),
  );
  const groups = read.data?.body.resources
    .filter(({ kind, path: of }) => kind === 'group' && of.startsWith(`${root}/group/`))
    .map((each): GroupRecord => ({ name: readLastSegment(each.path), users: each.fields.users ?? [] }));
  return (
    <SecurityPage
      page="groups"
      lead={words.groupsLead}
      path={`${root}/groups.json`}
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {words.newGroup}
        </Button>
      }
    >
      <ServiceChoice />
      <RecordList
        label={words.pages.groups}
        records={groups}
        error={read.error}
        onRetry={() => void read.refetch()}
        nameOf={({ name }) => name}
        empty={{ icon: 'users', title: words.noGroups, hint: <p>{words.groupsLead}</p> }}
        columns={[
          {
            id: 'name',
            label: words.group,
            cell: ({ name }) => <a href={toUrl(withService(path`security/groups/${name}`))}>{name}</a>,
          },
          { id: 'users', label: words.pages.users, cell: ({ users }) => <Names names={users} /> },
        ]}
        onDelete={(group) => {
          removed.value = group;
        }}
      />
      <Services />
      {isAdding.value ? (
        <NameDialog
          title={words.newGroup}
          label={words.group}
          field="group"
          onClose={() => {
            isAdding.value = false;
          }}
          onSubmit={async (name) => {
            const reply = await writeRest(`${root}${rest`/group/${name}`}`, { method: 'POST' });
            reportChange(words.created(name), reply);
          }}
        />
      ) : null}
      {removed.value === undefined ? null : (
        <DeleteGroup
          group={removed.value}
          root={root}
          onClose={() => {
            removed.value = undefined;
          }}
        />
      )}
    </SecurityPage>
  );
}

interface DeleteGroupProps {
  readonly group: GroupRecord;
  readonly root: string;
  readonly onClose: () => void;
}

function DeleteGroup({ group: { name, users }, root, onClose }: DeleteGroupProps) {
  const { security: words } = t();
  const roles = useRest<{ readonly roles: readonly string[] }>(rest`/security/roles/group/${name}`);
  return (
    <ConfirmDialog
      title={words.deleteNamed(name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(`${root}${rest`/group/${name}`}`, { method: 'DELETE' });
        reportChange(words.deleted(name), reply);
      }}
    >
      <p>{words.deleteGroupLead}</p>
      <ul class="security-losses">
        <li>{words.lostMembers(users.length)}</li>
        <li>{words.lostRoles(roles.data?.body.roles ?? [])}</li>
      </ul>
    </ConfirmDialog>
  );
}

const SERVICE_CLASS = 'org.geoserver.security.xml.XMLUserGroupService';

function Services() {
  const { security: words } = t();
  const services = useServices();
  const isAdding = useSignal(false);
  const removed = useSignal<string | undefined>(undefined);
  return (
    <Section
      title={words.userServices}
      lead={words.userServicesLead}
      action={
        <Button
          icon="plus"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {words.newUserService}
        </Button>
      }
    >
      <RecordList
        label={words.userServices}
        records={services}
        nameOf={(name) => name}
        columns={[
          {
            id: 'name',
            label: words.name,
            cell: (name) => (
              <>
                <a
                  href={toUrl(
                    `security/users${name === DEFAULT_SERVICE ? '' : `?service=${encodeURIComponent(name)}`}`,
                  )}
                >
                  {name}
                </a>
                {name === DEFAULT_SERVICE ? <Badge>{words.always}</Badge> : null}
              </>
            ),
          },
        ]}
        isDeletable={(name) => name !== DEFAULT_SERVICE}
        onDelete={(name) => {
          removed.value = name;
        }}
      />
      {isAdding.value ? (
        <NameDialog
          title={words.newUserService}
          label={words.name}
          field="name"
          onClose={() => {
            isAdding.value = false;
          }}
          onSubmit={async (name) => {
            const body = { userGroupService: { name, className: SERVICE_CLASS } };
            reportChange(words.created(name), await writeRest('/security/usergroupservices', { method: 'POST', body }));
          }}
        />
      ) : null}
      {removed.value === undefined ? null : (
        <DeleteService
          name={removed.value}
          onClose={() => {
            removed.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function DeleteService({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { security: words } = t();
  const users = useRest<unknown>(withQuery(`${getUserRoot(name)}/users`, { limit: 1, count: true }));
  return (
    <ConfirmDialog
      title={words.deleteNamed(name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(rest`/security/usergroupservices/${name}`, { method: 'DELETE' });
        reportChange(words.deleted(name), reply);
      }}
    >
      <p>{words.deleteServiceLead(users.data?.total ?? 0)}</p>
    </ConfirmDialog>
  );
}
