/** Providers that check passwords and tokens, in their order; and how requests are authenticated at all. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { moveItem, SortableList } from '../../../parts/sortable-list/sortable-list.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { session } from '../../../rest/session.ts';
import { formatList, t } from '../../../words/words.ts';
import { Badge, Section, SecurityPage } from '../common/page.tsx';
import { type ConfigurationDocument, readLastSegment } from '../documents.ts';
import { FilterChains } from './filter-chains.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { findKind, type ProviderDocument, readMainSetting } from './provider-kinds.ts';
import { TestLogin } from './test-login.tsx';

type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'delete'; readonly provider: ProviderDocument };

export function Page() {
  const { security: words } = t();
  const open = useSignal<Open | undefined>(undefined);
  const enabled = useRest<{ readonly authproviders: '' | readonly ProviderDocument[] }>('/security/authproviders');
  // The listing has only the enabled ones.
  const all = useRest<ConfigurationDocument<ProviderDocument>>(
    withQuery('/configuration', { path: '/security/authproviders' }),
  );
  const draft = useSignal<readonly string[] | undefined>(undefined);
  const failed = [enabled, all].find(({ error }) => error !== null);
  const listed = enabled.data?.body.authproviders || [];
  const providers = all.data === undefined ? undefined : listProviders(all.data.body, listed);
  const stored = listed.map(({ name }) => name);
  const names = (draft.value ?? stored).filter((name) => providers?.some((each) => each.name === name));
  const order = names.flatMap((name) => providers?.find((each) => each.name === name) ?? []);
  const others = providers?.filter(({ name }) => !names.includes(name)) ?? [];
  const isChanged = names.join('\n') !== stored.join('\n');
  const close = () => {
    open.value = undefined;
  };
  const actions = (provider: ProviderDocument) => (
    <ProviderActions
      provider={provider}
      isEnabled={names.includes(provider.name)}
      onToggle={(isEnabled) => {
        draft.value = isEnabled ? [...names, provider.name] : names.filter((name) => name !== provider.name);
      }}
      onOpen={(kind) => {
        open.value = { kind, provider };
      }}
    />
  );
  return (
    <SecurityPage
      page="sign-in"
      lead={words.signInLead}
      path="/security/authproviders.json"
      action={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            open.value = { kind: 'new' };
          }}
        >
          {words.newProvider}
        </Button>
      }
    >
      {failed === undefined ? null : <ProblemNotice error={failed.error} onRetry={() => void failed.refetch()} />}
      {providers === undefined || enabled.data === undefined ? null : (
        <>
          <Section title={words.providerOrder} lead={words.providerOrderLead}>
            {order.length === 0 ? (
              <Empty icon="login" title={words.noProviders}>
                <p>{words.noProvidersHint}</p>
              </Empty>
            ) : (
              <SortableList
                label={words.providerOrder}
                items={order}
                keyOf={({ name }) => name}
                nameOf={({ name }) => name}
                onMove={(from, to) => {
                  draft.value = moveItem(names, from, to);
                }}
              >
                {(provider) => (
                  <div class="provider">
                    <ProviderFacts provider={provider} />
                    {actions(provider)}
                  </div>
                )}
              </SortableList>
            )}
            <SaveOrder
              names={names}
              stored={stored}
              isChanged={isChanged}
              onDone={() => {
                draft.value = undefined;
              }}
            />
          </Section>
          {others.length === 0 ? null : (
            <Section title={words.disabledProviders} lead={words.disabledProvidersLead}>
              <ul class="provider-others">
                {others.map((provider) => (
                  <li key={provider.name} class="provider">
                    <ProviderFacts provider={provider} />
                    {actions(provider)}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <TestLogin order={order} />
        </>
      )}
      <FilterChains />
      {open.value === undefined ? null : open.value.kind === 'delete' ? (
        <DeleteProvider name={open.value.provider.name} onClose={close} />
      ) : (
        <ProviderDialog provider={open.value.kind === 'change' ? open.value.provider : undefined} onClose={close} />
      )}
    </SecurityPage>
  );
}

/** Enabled providers as the listing shows them, others with the settings that they have. */
function listProviders(
  { resources }: ConfigurationDocument<ProviderDocument>,
  listed: readonly ProviderDocument[],
): readonly ProviderDocument[] {
  return resources
    .filter(({ kind }) => kind === 'authProvider')
    .map(({ path, fields }) => {
      const name = readLastSegment(path);
      const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => isPlain(value)));
      return listed.find((each) => each.name === name) ?? { ...set, name, className: fields.className };
    });
}

/** Secrets are marked as kept. */
function isPlain(value: unknown): boolean {
  return value !== null && !(typeof value === 'object' && '$secret' in value);
}

function ProviderFacts({ provider }: { readonly provider: ProviderDocument }) {
  const { security: words } = t();
  return (
    <div class="provider-facts">
      <strong>{provider.name}</strong> <Badge>{words.providerKinds[findKind(provider.className)]}</Badge>
      <code class="muted">{readMainSetting(provider)}</code>
    </div>
  );
}

interface ProviderActionsProps {
  readonly provider: ProviderDocument;
  readonly isEnabled: boolean;
  readonly onToggle: (isEnabled: boolean) => void;
  readonly onOpen: (kind: 'change' | 'delete') => void;
}

function ProviderActions({ provider: { name }, isEnabled, onToggle, onOpen }: ProviderActionsProps) {
  const { security: words } = t();
  return (
    <div class="provider-actions">
      <Button
        ariaLabel={(isEnabled ? words.disableNamed : words.enableNamed)(name)}
        onClick={() => onToggle(!isEnabled)}
      >
        {isEnabled ? words.disable : words.enable}
      </Button>
      <Button kind="quiet" icon="edit" label={words.changeNamed(name)} onClick={() => onOpen('change')} />
      <Button kind="quiet" icon="trash" label={words.deleteNamed(name)} onClick={() => onOpen('delete')} />
    </div>
  );
}

interface SaveOrderProps {
  readonly names: readonly string[];
  readonly stored: readonly string[];
  readonly isChanged: boolean;
  readonly onDone: () => void;
}

/** The order is stored as a whole. Who is not the built-in administrator can lock himself out. */
function SaveOrder({ names, stored, isChanged, onDone }: SaveOrderProps) {
  const { security: words } = t();
  const failure = useSignal<unknown>(undefined);
  const isAsking = useSignal(false);
  const dropped = stored.filter((name) => !names.includes(name));
  const save = async () => {
    const reply = await writeRest('/security/authproviders/order', { method: 'PUT', body: { order: names } });
    onDone();
    reportChange(words.orderSaved, reply);
  };
  const start = () => {
    failure.value = undefined;
    if (dropped.length > 0) {
      isAsking.value = true;
      return;
    }
    save().catch((error: unknown) => {
      failure.value = error;
    });
  };
  return (
    <>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {dropped.length === 0 ? null : (
        <Remark kind="warning">
          {words.lockout.providers(formatList(dropped))}{' '}
          {session.value?.name === 'admin' ? '' : words.lockout.testFirst}
        </Remark>
      )}
      <div class="security-buttons">
        <Button shortcut="Control+S" kind="primary" isUnavailable={!isChanged} onClick={start}>
          {words.saveOrder}
        </Button>
        {isChanged ? <Button onClick={onDone}>{words.discard}</Button> : null}
        <span class="muted" role="status">
          {isChanged ? words.unsavedOrder : ''}
        </span>
      </div>
      {isAsking.value ? (
        <ConfirmDialog
          title={words.saveOrder}
          submit={words.saveOrder}
          onConfirm={save}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          <Remark kind="warning">
            {words.lockout.providers(formatList(dropped))} {words.lockout.testFirst}
          </Remark>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function DeleteProvider({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.deleteNamed(name)}
      submit={words.delete}
      onClose={onClose}
      onConfirm={async () => {
        const reply = await writeRest(rest`/security/authproviders/${name}`, { method: 'DELETE' });
        reportChange(words.deleted(name), reply);
      }}
    >
      <Remark kind="warning">
        {words.lockout.providers(name)} {words.lockout.testFirst}
      </Remark>
    </ConfirmDialog>
  );
}
