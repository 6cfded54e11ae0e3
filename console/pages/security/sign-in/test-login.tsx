/** Tries a sign-in with the providers in the order as drawn, before it is stored. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { SelectField } from '../../../parts/controls/controls.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { toProblem } from '../../../rest/problems.ts';
import { formatNumber, t } from '../../../words/words.ts';
import { Badge, Section } from '../common/page.tsx';
import { findKind, type ProviderDocument } from './provider-kinds.ts';
import { Steps } from './steps.tsx';
import { type Credentials, type ProviderTest, testProvider } from './test-provider.ts';

type Verdict =
  | { readonly kind: 'tested'; readonly test: ProviderTest; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string; readonly ms: number }
  /** It takes other credentials, or an earlier provider has accepted. */
  | { readonly kind: 'unsuitable' | 'not-asked' };

interface Row {
  readonly name: string;
  readonly verdict: Verdict;
}

const credentialKinds = ['password', 'token'] as const;

export function TestLogin({ order }: { readonly order: readonly ProviderDocument[] }) {
  const { security: words } = t();
  const kind = useSignal<(typeof credentialKinds)[number]>('password');
  const rows = useSignal<readonly Row[] | undefined>(undefined);
  const isBusy = useSignal(false);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy.peek()) return;
    const sent = new FormData(event.currentTarget);
    const read = (name: string) => String(sent.get(name) ?? '');
    const credentials =
      kind.peek() === 'token'
        ? { token: read('test-token') }
        : { user: read('test-user'), password: read('test-password') };
    isBusy.value = true;
    rows.value = [];
    for (const provider of order) {
      const isDecided = rows.peek()?.some(({ verdict }) => isAccepted(verdict)) ?? false;
      const verdict: Verdict = isDecided ? { kind: 'not-asked' } : await ask(provider, credentials);
      rows.value = [...(rows.peek() ?? []), { name: provider.name, verdict }];
    }
    isBusy.value = false;
  };
  return (
    <Section title={words.testLogin} lead={words.testLoginLead}>
      <form class="test-login" onSubmit={(event) => void run(event)}>
        <SelectField
          label={words.credentials}
          name="credentials"
          value={kind.value}
          options={credentialKinds.map((value) => ({ value, label: words.credentialKinds[value] }))}
          onChange={(next) => {
            kind.value = next === 'token' ? 'token' : 'password';
          }}
        />
        {kind.value === 'token' ? (
          <Field label={words.accessToken} name="test-token" type="password" autocomplete="off" />
        ) : (
          <>
            <Field label={words.userName} name="test-user" autocomplete="off" />
            <Field label={words.password} name="test-password" type="password" autocomplete="off" />
          </>
        )}
        <Button type="submit" icon="login" isBusy={isBusy.value} isUnavailable={isBusy.value}>
          {words.testLogin}
        </Button>
      </form>
      {rows.value === undefined ? null : (
        <ol class="test-verdicts" aria-label={words.testLogin} aria-live="polite">
          {rows.value.map(({ name, verdict }) => (
            <li key={name} data-provider={name} data-verdict={summarize(verdict)}>
              <VerdictRow name={name} verdict={verdict} />
            </li>
          ))}
        </ol>
      )}
      {rows.value !== undefined && !isBusy.value && rows.value.every(({ verdict }) => !isAccepted(verdict)) ? (
        <p class="test-nobody">{words.noneAccepts}</p>
      ) : null}
    </Section>
  );
}

async function ask(provider: ProviderDocument, credentials: Credentials): Promise<Verdict> {
  const takes = { password: 'password', ldap: 'password', oidc: 'token', header: 'none' }[findKind(provider.className)];
  if (takes !== ('token' in credentials ? 'token' : 'password')) return { kind: 'unsuitable' };
  const startedAt = performance.now();
  try {
    const test = await testProvider({ name: provider.name }, credentials);
    return { kind: 'tested', test, ms: performance.now() - startedAt };
  } catch (error) {
    return { kind: 'failed', message: toProblem(error).document.detail, ms: performance.now() - startedAt };
  }
}

function isAccepted(verdict: Verdict): boolean {
  return verdict.kind === 'tested' && verdict.test.ok;
}

function summarize(verdict: Verdict): string {
  if (verdict.kind !== 'tested') return verdict.kind;
  return verdict.test.ok ? 'accepted' : 'refused';
}

function VerdictRow({ name, verdict }: Row) {
  const { security: words } = t();
  const isGood = isAccepted(verdict);
  const isAsked = verdict.kind === 'tested' || verdict.kind === 'failed';
  return (
    <>
      <p class="security-line">
        <Icon name={isGood ? 'check' : isAsked ? 'close' : 'minus'} size={16} />
        <strong>{name}</strong>
        <Badge kind={isGood ? 'good' : isAsked ? 'error' : 'plain'}>
          {isAsked ? (isGood ? words.accepted : words.refused) : words.notAsked[verdict.kind]}
        </Badge>
        {isAsked ? <span class="muted">{formatNumber(Math.round(verdict.ms))} ms</span> : null}
      </p>
      {verdict.kind === 'tested' ? <Steps test={verdict.test} /> : null}
      {verdict.kind === 'failed' ? <p>{verdict.message}</p> : null}
    </>
  );
}
