/** The tokens of one user or of all: listed, created with a secret that is shown once, and revoked. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { ConfirmDialog } from '../../../parts/controls/form-dialog.tsx';
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { showToast } from '../../../parts/toast/toast.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { createBasic, isSessionToken, session } from '../../../rest/session.ts';
import { path as address, toUrl } from '../../../shell/router.ts';
import { formatTime, t } from '../../../words/words.ts';
import { Badge, Section } from '../common/page.tsx';
import { Records } from '../common/records.tsx';
import type { Token, TokenList } from '../documents.ts';
import { NewToken, OwnPassword } from './new-token.tsx';

interface TokenSectionProps {
  /** Undefined for the tokens of all users. */
  readonly user: string | undefined;
  /** Whether they are those of the signed-in user, who needs no rights for them. */
  readonly isOwn: boolean;
}

export function TokenSection({ user, isOwn }: TokenSectionProps) {
  const { security: words } = t();
  const isAdding = useSignal(false);
  const revoked = useSignal<Token | undefined>(undefined);
  const root = isOwn ? '/security/self/tokens' : '/security/tokens';
  const read = useRest<TokenList>(isOwn ? root : withQuery(root, { user }));
  const tokens = read.data?.body.tokens;
  return (
    <Section
      title={words.pages.tokens}
      lead={words.tokensLead}
      action={
        <Button
          icon="plus"
          onClick={() => {
            isAdding.value = true;
          }}
        >
          {words.newToken}
        </Button>
      }
    >
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {tokens === undefined ? null : tokens.length === 0 ? (
        <Empty icon="key" title={words.noTokens} />
      ) : (
        <Records
          label={words.pages.tokens}
          records={tokens}
          keyOf={({ id }) => id}
          actionsLabel={words.actions}
          columns={[
            { id: 'name', label: words.token, cell: (token) => <TokenName token={token} /> },
            ...(user === undefined
              ? [
                  {
                    id: 'user',
                    label: words.user,
                    cell: ({ user: of }: Token) => <a href={toUrl(address`security/users/${of}`)}>{of}</a>,
                  },
                ]
              : []),
            { id: 'scopes', label: words.mayDo, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
            {
              id: 'expires',
              label: words.expires,
              cell: ({ expires }) => (expires === null ? words.never : formatTime(expires)),
            },
            {
              id: 'used',
              label: words.lastUsed,
              cell: ({ lastUsed }) => (lastUsed === null ? words.never : formatTime(lastUsed)),
            },
          ]}
          actions={(token) => (
            <Button
              kind="quiet"
              icon="trash"
              label={words.revokeNamed(token.name)}
              onClick={() => {
                revoked.value = token;
              }}
            />
          )}
        />
      )}
      {isAdding.value ? (
        <NewToken
          user={user}
          isOwn={isOwn}
          onClose={() => {
            isAdding.value = false;
          }}
        />
      ) : null}
      {revoked.value === undefined ? null : (
        <RevokeToken
          token={revoked.value}
          root={root}
          isOwn={isOwn}
          onClose={() => {
            revoked.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function TokenName({ token }: { readonly token: Token }) {
  const { security: words } = t();
  return (
    <>
      {token.name} <code class="muted">{token.prefix}…</code>
      {isSessionToken(token.id) ? <Badge kind="accent">{words.thisSession}</Badge> : null}
      {token.state === 'expired' ? <Badge kind="warning">{words.expired}</Badge> : null}
    </>
  );
}

function Scopes({ scopes }: { readonly scopes: Token['scopes'] }) {
  const { security: words } = t();
  const shown = [
    scopes.readOnly ? words.scopes.readOnly : words.scopes.readWrite,
    ...(scopes.admin ? [words.scopes.admin] : []),
    ...(scopes.workspaces ?? []),
    ...(scopes.services ?? []).map((service) => service.toUpperCase()),
  ];
  return (
    <ul class="role-list">
      {shown.map((each) => (
        <li key={each} class="security-badge">
          {each}
        </li>
      ))}
    </ul>
  );
}

interface RevokeTokenProps {
  readonly token: Token;
  readonly root: string;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function RevokeToken({ token, root, isOwn, onClose }: RevokeTokenProps) {
  const { security: words } = t();
  const password = useSignal('');
  const self = session.value;
  // The session of a user without administrator rights may delete only itself.
  const needsPassword = isOwn && self != null && self.workspaces.length === 0 && !isSessionToken(token.id);
  return (
    <ConfirmDialog
      title={words.revokeNamed(token.name)}
      submit={words.revoke}
      onClose={onClose}
      onConfirm={async () => {
        const credentials = needsPassword ? { authorization: createBasic(self.name, password.peek()) } : {};
        await writeRest(`${root}${rest`/${token.id}`}`, { method: 'DELETE', ...credentials });
        showToast(words.revoked(token.name));
      }}
    >
      {isSessionToken(token.id) ? <Remark kind="warning">{words.lockout.session}</Remark> : null}
      <p>{words.revokeLead}</p>
      {needsPassword ? <OwnPassword password={password} /> : null}
    </ConfirmDialog>
  );
}
