/** The rules of one family as a list, to add, change and delete. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog, FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { Section } from '../common/page.tsx';
import { RecordList } from '../common/record-list.tsx';
import { parseRoles } from '../common/role-names.ts';
import { RoleList, RolePicker, useOwnRoles } from '../common/roles.tsx';
import type { RuleSet } from '../documents.ts';
import { type RuleFamily, RuleKeyFields } from './rule-key-fields.tsx';

interface Rule {
  readonly key: string;
  readonly roles: readonly string[];
}

type Open = { readonly kind: 'add' } | { readonly kind: 'change' | 'remove'; readonly rule: Rule };

export function RuleTable({ family }: { readonly family: RuleFamily }) {
  const { security: words } = t();
  const path = `/security/acl/${family}`;
  const read = useRest<RuleSet>(path);
  const open = useSignal<Open | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return null;
  const rules = Object.entries(read.data.body).map(([key, roles]): Rule => ({ key, roles: parseRoles(roles) }));
  return (
    <Section
      title={words.ruleTables[family].title}
      lead={words.ruleTables[family].lead}
      action={
        <Button
          icon="plus"
          onClick={() => {
            open.value = { kind: 'add' };
          }}
        >
          {words.newRule}
        </Button>
      }
    >
      <RecordList
        label={words.ruleTables[family].title}
        records={rules}
        nameOf={({ key }) => key}
        empty={{ icon: 'shield', title: words.noRules, hint: <p>{words.ruleTables[family].empty}</p> }}
        columns={[
          { id: 'key', label: words.rule, cell: ({ key }) => <code>{key}</code> },
          { id: 'roles', label: words.roles, cell: ({ roles }) => <RoleList roles={roles} /> },
        ]}
        onChange={(rule) => {
          open.value = { kind: 'change', rule };
        }}
        onDelete={(rule) => {
          open.value = { kind: 'remove', rule };
        }}
      />
      {open.value?.kind === 'remove' ? (
        <RemoveRule path={path} rule={open.value.rule} onClose={close} />
      ) : open.value === undefined ? null : (
        <RuleDialog
          family={family}
          path={path}
          rule={open.value.kind === 'change' ? open.value.rule : undefined}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface RemoveRuleProps {
  readonly path: string;
  readonly rule: Rule;
  readonly onClose: () => void;
}

function RemoveRule({ path, rule, onClose }: RemoveRuleProps) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.deleteNamed(rule.key)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        reportChange(
          words.deleted(rule.key),
          await writeRest(withQuery(path, { rule: rule.key }), { method: 'DELETE' }),
        );
      }}
    >
      <p>{words.deleteRuleLead}</p>
      <RoleList roles={rule.roles} />
    </ConfirmDialog>
  );
}

interface RuleDialogProps {
  readonly family: RuleFamily;
  readonly path: string;
  readonly rule: Rule | undefined;
  readonly onClose: () => void;
}

function RuleDialog({ family, path, rule, onClose }: RuleDialogProps) {
  const { security: words } = t();
  const known = useOwnRoles() ?? [];
  const key = useSignal(rule?.key ?? '');
  const roles = useSignal<readonly string[]>(rule?.roles ?? []);
  const save = async () => {
    const method = rule === undefined ? 'POST' : 'PUT';
    const reply = await writeRest(path, { method, body: { [key.peek()]: roles.peek().join(',') } });
    reportChange(words.ruleSaved(key.peek()), reply);
  };
  return (
    <FormDialog
      title={rule === undefined ? words.newRule : words.changeNamed(rule.key)}
      submit={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      {() => (
        <>
          {rule === undefined ? (
            <RuleKeyFields
              family={family}
              onKey={(next) => {
                key.value = next;
              }}
            />
          ) : null}
          <p>
            {words.rule}: <code>{key.value}</code>
          </p>
          <RolePicker
            label={words.rolesOfRule}
            known={known}
            value={roles.value}
            withComputed
            onChange={(next) => {
              roles.value = next;
            }}
          />
        </>
      )}
    </FormDialog>
  );
}
