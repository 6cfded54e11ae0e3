/** The form for user name and password, as a page and as a dialog over a page whose session has ended. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../parts/button/button.tsx';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { Field } from '../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../parts/notice/notice.tsx';
import { toProblem } from '../rest/problems.ts';
import { cancelSignIn, session, signIn } from '../rest/session.ts';
import { t } from '../words/words.ts';
import { chooseLanguage, language, languages } from './preferences.ts';
import { completeProviderSignIn, type Provider, readProviders, startProviderSignIn } from './provider-sign-in.ts';
import { Logo } from './rail.tsx';
import { Choice } from './top-bar.tsx';

export function SignInPage() {
  const { signIn: words, app } = t();
  useEffect(() => {
    document.title = `${words.title} · ${app.name}`;
  }, [words]);
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <Logo size={44} />
        <div>
          <h1>{app.name}</h1>
          <p class="muted">{words.lead}</p>
        </div>
        <SignInForm />
      </div>
      <div class="sign-in-language">
        <Choice
          label={t().account.language}
          values={languages}
          selected={language.value}
          nameOf={(each) => app.languageNames[each]}
          onChoose={chooseLanguage}
        />
      </div>
    </main>
  );
}

/** The request that failed is sent again after the sign-in. */
export function SignInDialog() {
  return (
    <Dialog title={t().signIn.again} onClose={cancelSignIn}>
      <p class="sign-in-again muted">{t().signIn.againLead}</p>
      <SignInForm user={session.value?.name} />
    </Dialog>
  );
}

function SignInForm({ user }: { readonly user?: string | undefined }) {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const isIncomplete = useSignal(false);
  const providers = useSignal<readonly Provider[]>([]);
  const first = useRef<HTMLInputElement>(null);
  const { signIn: words } = t();

  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      await work();
    } catch (error) {
      failure.value = error;
      first.current?.focus();
    } finally {
      isBusy.value = false;
    }
  };
  useEffect(() => {
    first.current?.focus();
    void readProviders().then((found) => {
      providers.value = found;
    });
    void run(completeProviderSignIn);
  }, []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const sent = new FormData(event.currentTarget);
    const name = String(sent.get('username') ?? '');
    const password = String(sent.get('password') ?? '');
    isIncomplete.value = name === '' || password === '';
    if (!isIncomplete.value) void run(() => signIn(name, password));
  };
  const isRejected = failure.value !== undefined && toProblem(failure.value).status === 401;
  return (
    <form class="sign-in-form" onSubmit={submit} noValidate>
      {isIncomplete.value ? <Remark kind="error">{words.required}</Remark> : null}
      {isRejected ? (
        <div role="alert">
          <Remark kind="error">{words.rejected}</Remark>
        </div>
      ) : failure.value === undefined ? null : (
        <ProblemNotice error={failure.value} />
      )}
      <Field label={words.user} name="username" autocomplete="username" defaultValue={user} required inputRef={first} />
      <Field label={words.password} name="password" type="password" autocomplete="current-password" required />
      <Button kind="primary" type="submit" worksOffline disabled={isBusy.value} isBusy={isBusy.value}>
        {isBusy.value ? words.busy : words.submit}
      </Button>
      {providers.value.map((provider) => (
        <Button key={provider.name} onClick={() => void run(() => startProviderSignIn(provider))}>
          {words.withProvider(provider.label)}
        </Button>
      ))}
    </form>
  );
}
