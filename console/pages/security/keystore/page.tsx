/** The keystore, which protects every stored secret: its keys, its password, and their rotation. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { ConfirmDialog, FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { callRest } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { Badge, Section, SecurityPage } from '../common/page.tsx';
import { Records } from '../common/records.tsx';

interface Keystore {
  readonly serverKey: string;
  readonly serverKeyInDataDirectory: boolean;
  readonly previousServerKeys: { readonly key: readonly string[] };
  readonly dataKey: string;
  readonly nextDataKey?: string;
  readonly previousDataKeys: { readonly key: readonly string[] };
  readonly nodes: {
    readonly node: readonly {
      readonly name: string;
      readonly here: boolean;
      readonly serverKey?: string;
      readonly dataKey?: string;
    }[];
  };
}

const rotations = ['data-key', 'secrets', 'server-key', 'finish'] as const;
type Rotation = (typeof rotations)[number];

export function Page() {
  const { security: words } = t();
  const read = useRest<{ readonly keystore: Keystore }>('/security/keystore');
  const keystore = read.data?.body.keystore;
  return (
    <SecurityPage page="keystore" lead={words.keystoreLead} path="/security/keystore.json">
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {keystore === undefined ? null : (
        <>
          <Keys keystore={keystore} />
          <Rotations keystore={keystore} />
          <Password />
        </>
      )}
    </SecurityPage>
  );
}

function Keys({ keystore }: { readonly keystore: Keystore }) {
  const { security: words, app } = t();
  const list = (keys: readonly string[]) => (keys.length === 0 ? app.none : keys.join(', '));
  const facts: readonly (readonly [string, string])[] = [
    [words.keys.server, keystore.serverKey],
    [words.keys.place, keystore.serverKeyInDataDirectory ? words.keys.dataDirectory : words.keys.operator],
    [words.keys.previousServer, list(keystore.previousServerKeys.key)],
    [words.keys.data, keystore.dataKey],
    ...(keystore.nextDataKey === undefined ? [] : [[words.keys.next, keystore.nextDataKey] as const]),
    [words.keys.previousData, list(keystore.previousDataKeys.key)],
  ];
  return (
    <Section title={words.keys.title} lead={words.keys.lead}>
      <dl class="facts security-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <Records
        label={words.keys.nodes}
        records={keystore.nodes.node}
        keyOf={({ name }) => name}
        actionsLabel={words.actions}
        columns={[
          {
            id: 'name',
            label: words.keys.node,
            cell: ({ name, here }) => (
              <>
                {name}
                {here ? <Badge kind="accent">{words.keys.here}</Badge> : null}
              </>
            ),
          },
          {
            id: 'server',
            label: words.keys.server,
            cell: ({ serverKey }) => <code>{serverKey ?? words.unknown}</code>,
          },
          { id: 'data', label: words.keys.data, cell: ({ dataKey }) => <code>{dataKey ?? words.unknown}</code> },
        ]}
      />
    </Section>
  );
}

function Rotations({ keystore }: { readonly keystore: Keystore }) {
  const { security: words } = t();
  const asked = useSignal<Rotation | undefined>(undefined);
  return (
    <Section title={words.rotation.title} lead={words.rotation.lead}>
      <ul class="rotations">
        {rotations.map((rotation) => {
          const isExternal = rotation === 'server-key' && !keystore.serverKeyInDataDirectory;
          return (
            <li key={rotation}>
              <div>
                <strong>{words.rotation.names[rotation]}</strong>
                <p class="muted">{isExternal ? words.rotation.external : words.rotation.leads[rotation]}</p>
              </div>
              <Button
                ariaLabel={`${words.rotation.start}: ${words.rotation.names[rotation]}`}
                isUnavailable={isExternal}
                onClick={() => {
                  asked.value = rotation;
                }}
              >
                {words.rotation.start}
              </Button>
            </li>
          );
        })}
      </ul>
      {asked.value === undefined ? null : (
        <RotationDialog
          rotation={asked.value}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function RotationDialog({ rotation, onClose }: { readonly rotation: Rotation; readonly onClose: () => void }) {
  const { security: words } = t();
  return (
    <ConfirmDialog
      title={words.rotation.names[rotation]}
      submit={words.rotation.start}
      onClose={onClose}
      onConfirm={async () => {
        await writeRest(`/security/keystore/${rotation}`, { method: 'POST' });
        showToast(words.rotation.done);
      }}
    >
      <p>{words.rotation.leads[rotation]}</p>
      <Remark kind="warning">{words.rotation.final}</Remark>
    </ConfirmDialog>
  );
}

function Password() {
  const { security: words } = t();
  const shown = useSignal<string | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isChanging = useSignal(false);
  // It is requested when it is wanted, and not remembered.
  const show = async () => {
    try {
      const { body } = await callRest<{ readonly oldMasterPassword: string }>('/security/masterpw');
      shown.value = body.oldMasterPassword;
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <Section title={words.keystorePassword} lead={words.keystorePasswordLead}>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {shown.value === undefined ? null : (
        <p class="token-secret">
          <code>{shown.value}</code>
        </p>
      )}
      <div class="security-buttons">
        {shown.value === undefined ? (
          <Button icon="eye" onClick={() => void show()}>
            {words.showPassword}
          </Button>
        ) : (
          <Button
            onClick={() => {
              shown.value = undefined;
            }}
          >
            {words.hidePassword}
          </Button>
        )}
        <Button
          onClick={() => {
            isChanging.value = true;
          }}
        >
          {words.changePassword}
        </Button>
      </div>
      {isChanging.value ? (
        <ChangePassword
          onClose={() => {
            isChanging.value = false;
            shown.value = undefined;
          }}
        />
      ) : null}
    </Section>
  );
}

function ChangePassword({ onClose }: { readonly onClose: () => void }) {
  const { security: words } = t();
  const old = useSignal('');
  const next = useSignal('');
  const save = async () => {
    const body = { oldMasterPassword: old.peek(), newMasterPassword: next.peek() };
    await writeRest('/security/masterpw', { method: 'PUT', body });
    showToast(words.passwordChanged);
  };
  return (
    <FormDialog title={words.changeKeystorePassword} submit={words.changePassword} onSubmit={save} onClose={onClose}>
      {(errorOf) => (
        <>
          <Field
            label={words.oldPassword}
            name="old-password"
            type="password"
            autocomplete="off"
            error={errorOf('oldMasterPassword')}
            onInput={(text) => {
              old.value = text;
            }}
          />
          <Field
            label={words.newPassword}
            name="new-password"
            type="password"
            autocomplete="off"
            hint={words.keystorePasswordHint}
            error={errorOf('newMasterPassword')}
            onInput={(text) => {
              next.value = text;
            }}
          />
        </>
      )}
    </FormDialog>
  );
}
