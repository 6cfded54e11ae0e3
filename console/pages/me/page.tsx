/** The account of the signed-in user: password, language, theme and tokens. */
import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button/button.tsx';
import { FormDialog } from '../../parts/controls/form-dialog.tsx';
import { Field } from '../../parts/field/field.tsx';
import { showToast } from '../../parts/toast/toast.tsx';
import { callRest } from '../../rest/client.ts';
import { createBasic, session, signIn } from '../../rest/session.ts';
import { chooseLanguage, chooseTheme, language, languages, theme, themes } from '../../shell/preferences.ts';
import { Choice } from '../../shell/top-bar.tsx';
import { t } from '../../words/words.ts';
import { Section } from '../security/common/page.tsx';
import { RoleList } from '../security/common/roles.tsx';
import { OwnPassword } from '../security/tokens/new-token.tsx';
import { TokenSection } from '../security/tokens/token-section.tsx';

/** Other names of the administrator role, and a role that no rule of the console uses. */
const aliases = ['ADMIN', 'GROUP_ADMIN', 'ROLE_GROUP_ADMIN'];

export function Page() {
  const { security: words, account, app } = t();
  const isChanging = useSignal(false);
  const self = session.value;
  if (self == null) return null;
  return (
    <div class="security">
      <header class="security-head">
        <p class="security-area">{words.account}</p>
        <div class="security-title">
          <h1>{self.name}</h1>
        </div>
      </header>
      <div class="security-body">
        <div class="security-columns">
          <Section title={words.roles} lead={words.ownRolesLead}>
            <RoleList roles={self.roles.filter((role) => !aliases.includes(role))} />
            <div class="security-buttons">
              <Button
                icon="key"
                onClick={() => {
                  isChanging.value = true;
                }}
              >
                {words.changePassword}
              </Button>
            </div>
          </Section>
          <Section title={words.appearance} lead={words.appearanceLead}>
            <Choice
              label={account.theme}
              values={themes}
              selected={theme.value}
              nameOf={(each) => account.themes[each]}
              onChoose={chooseTheme}
            />
            <Choice
              label={account.language}
              values={languages}
              selected={language.value}
              nameOf={(each) => app.languageNames[each]}
              onChoose={chooseLanguage}
            />
          </Section>
          <TokenSection user={self.name} isOwn />
        </div>
      </div>
      {isChanging.value ? (
        <ChangePassword
          user={self.name}
          onClose={() => {
            isChanging.value = false;
          }}
        />
      ) : null}
    </div>
  );
}

function ChangePassword({ user, onClose }: { readonly user: string; readonly onClose: () => void }) {
  const { security: words } = t();
  const password = useSignal('');
  const next = useSignal('');
  const change = async () => {
    await callRest('/security/self/password', {
      method: 'PUT',
      body: { newPassword: next.peek() },
      authorization: createBasic(user, password.peek()),
    });
    // The change has ended all sessions, also this one.
    await signIn(user, next.peek());
    showToast(words.passwordChanged);
  };
  return (
    <FormDialog
      title={words.changePassword}
      submit={words.changePassword}
      isUnavailable={next.value === ''}
      onSubmit={change}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <OwnPassword password={password} />
          <Field
            label={words.newPassword}
            name="new-password"
            type="password"
            autocomplete="new-password"
            hint={words.passwordEnds}
            error={errorOf('newPassword')}
            onInput={(text) => {
              next.value = text;
            }}
          />
        </>
      )}
    </FormDialog>
  );
}
