/** A new token. A session cannot create one, so the password is asked for; the secret is shown once. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Check, Group, SelectField } from '../../../parts/controls/controls.tsx';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { copyText } from '../../../parts/copy-line/copy-line.tsx';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { createBasic, session } from '../../../rest/session.ts';
import { t } from '../../../words/words.ts';

interface NewTokenProps {
  /** Undefined if the administrator chooses. */
  readonly user: string | undefined;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

const services = ['rest', 'wms', 'wfs', 'wcs', 'wmts'];
const lifetimes = [7, 30, 90, 365];
const DAY_MS = 86_400_000;

interface Draft {
  readonly name: string;
  readonly user: string;
  readonly days: number;
  readonly readOnly: boolean;
  readonly admin: boolean;
  readonly services: readonly string[];
  readonly workspaces: string;
}

export function NewToken({ user, isOwn, onClose }: NewTokenProps) {
  const { security: words } = t();
  const password = useSignal('');
  const secret = useSignal<string | undefined>(undefined);
  const draft = useSignal<Draft>({
    ...{ name: '', user: user ?? '', days: 90, readOnly: true, admin: false },
    ...{ services: [], workspaces: '' },
  });
  const set = (changes: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...changes };
  };
  if (secret.value !== undefined) return <Secret secret={secret.value} onClose={onClose} />;
  const create = async () => {
    const { body } = await writeRest<{ readonly token: { readonly secret: string } }>(
      isOwn ? '/security/self/tokens' : '/security/tokens',
      {
        method: 'POST',
        body: { token: createDocument(draft.peek(), isOwn) },
        authorization: createBasic(session.peek()?.name ?? '', password.peek()),
      },
    );
    secret.value = body.token.secret;
  };
  return (
    // The secret replaces the form, so that only the button under it closes.
    <FormDialog
      title={words.newToken}
      submit={words.create}
      onSubmit={create}
      onClose={() => {
        if (secret.peek() === undefined) onClose();
      }}
    >
      {(errorOf) => (
        <>
          <Field
            label={words.name}
            name="token-name"
            autocomplete="off"
            error={errorOf('name')}
            onInput={(name) => set({ name: name.trim() })}
          />
          {isOwn || user !== undefined ? null : (
            <Field
              label={words.user}
              name="token-user"
              autocomplete="off"
              hint={words.tokenUserHint}
              error={errorOf('user')}
              onInput={(name) => set({ user: name.trim() })}
            />
          )}
          <SelectField
            label={words.expires}
            name="expires"
            value={String(draft.value.days)}
            options={lifetimes.map((days) => ({ value: String(days), label: words.inDays(days) }))}
            error={errorOf('expires')}
            onChange={(days) => set({ days: Number(days) })}
          />
          <Group label={words.mayDo}>
            <Check
              name="read-only"
              label={words.scopes.readOnly}
              checked={draft.value.readOnly}
              onChange={(readOnly) => set({ readOnly })}
            />
            <Check
              name="admin"
              label={words.scopes.admin}
              checked={draft.value.admin}
              onChange={(admin) => set({ admin })}
            />
          </Group>
          <Group label={words.tokenServices}>
            {services.map((service) => (
              <Check
                key={service}
                name="service"
                label={service.toUpperCase()}
                checked={draft.value.services.includes(service)}
                onChange={(isChosen) => {
                  const others = draft.peek().services.filter((each) => each !== service);
                  set({ services: isChosen ? [...others, service] : others });
                }}
              />
            ))}
          </Group>
          <Field
            label={words.tokenWorkspaces}
            name="workspaces"
            hint={words.tokenWorkspacesHint}
            error={errorOf('workspaces')}
            onInput={(workspaces) => set({ workspaces })}
          />
          <OwnPassword password={password} />
        </>
      )}
    </FormDialog>
  );
}

/** A session is a token, and the server accepts no token for passwords and for new tokens. */
export function OwnPassword({ password }: { readonly password: { value: string } }) {
  const { security: words } = t();
  return (
    <Field
      label={words.yourPassword}
      name="own-password"
      type="password"
      autocomplete="current-password"
      hint={words.yourPasswordHint}
      onInput={(text) => {
        password.value = text;
      }}
    />
  );
}

function createDocument(draft: Draft, isOwn: boolean): object {
  const workspaces = draft.workspaces
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return {
    name: draft.name,
    ...(isOwn ? {} : { user: draft.user }),
    expires: new Date(Date.now() + draft.days * DAY_MS).toISOString(),
    scopes: {
      readOnly: draft.readOnly,
      admin: draft.admin,
      workspaces: workspaces.length === 0 ? null : workspaces,
      services: draft.services.length === 0 ? null : draft.services,
    },
  };
}

function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { security: words, app } = t();
  return (
    <Dialog title={words.tokenCreated}>
      <div class="control-form">
        <Remark kind="warning">{words.secretOnce}</Remark>
        <p class="token-secret">
          <code>{secret}</code>
          <Button icon="copy" label={app.copy} onClick={() => void copyText(secret)} />
        </p>
        <footer class="control-actions">
          <Button kind="primary" onClick={onClose}>
            {words.done}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
