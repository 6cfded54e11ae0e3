/** Which URLs the server may open: the tester on top, the checks, and the URLs that must pass or must not. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { Badge, Section, SecurityPage } from '../common/page.tsx';
import { RecordList } from '../common/record-list.tsx';
import { type ConfigurationDocument, readLastSegment } from '../documents.ts';
import { CheckDialog } from './check-dialog.tsx';
import { Samples } from './samples.tsx';
import { UrlTester } from './url-tester.tsx';

export interface UrlCheck {
  readonly name: string;
  readonly regex: string;
  readonly description: string | null;
  readonly enabled: boolean;
}

type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'delete'; readonly check: UrlCheck };

export function Page() {
  const { security: words } = t();
  const open = useSignal<Open | undefined>(undefined);
  const read = useRest<ConfigurationDocument<Omit<UrlCheck, 'name'>>>(
    withQuery('/configuration', { path: '/urlchecks' }),
  );
  const checks = read.data?.body.resources
    .filter(({ kind }) => kind === 'urlCheck')
    .map(({ path, fields }): UrlCheck => ({ ...fields, name: readLastSegment(path) }));
  const close = () => {
    open.value = undefined;
  };
  return (
    <SecurityPage
      page="url-checks"
      lead={words.urlChecksLead}
      path="/urlchecks.json"
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            open.value = { kind: 'new' };
          }}
        >
          {words.newCheck}
        </Button>
      }
    >
      <UrlTester />
      <Section title={words.checks}>
        <RecordList
          label={words.checks}
          records={checks}
          error={read.error}
          onRetry={() => void read.refetch()}
          nameOf={({ name }) => name}
          empty={{ icon: 'link', title: words.noChecks, hint: <p>{words.noChecksHint}</p> }}
          columns={[
            { id: 'name', label: words.name, cell: (check) => <CheckName check={check} /> },
            { id: 'regex', label: words.pattern, cell: ({ regex }) => <code>{regex}</code> },
            {
              id: 'state',
              label: words.state,
              cell: ({ enabled }) => (
                <Badge kind={enabled ? 'good' : 'warning'}>{enabled ? words.enabled : words.disabled}</Badge>
              ),
            },
          ]}
          onChange={(check) => {
            open.value = { kind: 'change', check };
          }}
          onDelete={(check) => {
            open.value = { kind: 'delete', check };
          }}
        />
      </Section>
      <Samples />
      {open.value === undefined ? null : open.value.kind === 'delete' ? (
        <DeleteCheck check={open.value.check} onClose={close} />
      ) : (
        <CheckDialog check={open.value.kind === 'change' ? open.value.check : undefined} onClose={close} />
      )}
    </SecurityPage>
  );
}

function CheckName({ check: { name, description } }: { readonly check: UrlCheck }) {
  return (
    <>
      {name}
      {description === null || description === '' ? null : <small class="muted records-note">{description}</small>}
    </>
  );
}

function DeleteCheck({ check, onClose }: { readonly check: UrlCheck; readonly onClose: () => void }) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.deleteNamed(check.name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(rest`/urlchecks/${check.name}`, { method: 'DELETE' });
        reportChange(words.deleted(check.name), reply);
      }}
    >
      <p>{words.deleteCheckLead}</p>
      <p>
        <code>{check.regex}</code>
      </p>
    </ConfirmDialog>
  );
}
