/** What one user may do with a layer: the same explanation as for roles, with the limits of the data rules. */
import { useId } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { withQuery } from '../../../../rest/client.ts';
import { address, setQuery, toUrl } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { ADMINISTRATOR } from '../../../security/common/role-names.ts';
import { RoleList } from '../../../security/common/roles.tsx';
import { type Explanation, type ExplanationDocument, modes, type User } from '../../../security/documents.ts';
import { formatUser, getPreviewAddress } from '../map/view-as.ts';
import { Reason, Verdict } from './verdict.tsx';

/** Enough to choose from; any other name can be typed. */
const OFFERED = 200;

export function CheckUser({ layer }: { readonly layer: string }) {
  const id = useId();
  const { security: words } = t();
  const user = address.value.query.get('user') ?? undefined;
  const users = useRest<{ readonly users: readonly User[] }>(
    withQuery('/security/usergroup/users', { limit: OFFERED }),
  );
  const read = useRest<ExplanationDocument>(
    user === undefined ? undefined : withQuery('/security/acl/explain', { layer, user }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    setQuery({ user: String(new FormData(event.currentTarget).get('user') ?? '').trim() });
  };
  return (
    <section class="access-user">
      <h2>{words.checkUser}</h2>
      <form class="access-user-form" onSubmit={submit}>
        <label class="unseen" for={`${id}-user`}>
          {words.userName}
        </label>
        <input
          id={`${id}-user`}
          name="user"
          class="input"
          list={`${id}-users`}
          placeholder={words.userName}
          defaultValue={user ?? ''}
          autocomplete="off"
        />
        <datalist id={`${id}-users`}>
          {(users.data?.body.users ?? []).map(({ userName }) => (
            <option key={userName} value={userName} />
          ))}
        </datalist>
        <Button type="submit">{words.check}</Button>
      </form>
      {read.error === null ? null : <ProblemNotice error={read.error} />}
      {user === undefined || read.data === undefined ? null : <UserAccess explanation={read.data.body.explanation} />}
    </section>
  );
}

function UserAccess({ explanation }: { readonly explanation: Explanation }) {
  const { security: words } = t();
  return (
    <div class="access-card" data-user={explanation.subject.user} aria-live="polite">
      <p class="access-card-head">
        <strong>{explanation.subject.user}</strong>
        <RoleList roles={explanation.subject.roles} />
        {explanation.subject.roles.includes(ADMINISTRATOR) ? null : <ViewMap explanation={explanation} />}
      </p>
      <dl class="access-verdicts">
        {modes.map((mode) => (
          <div key={mode} data-mode={mode} data-verdict={explanation[mode].verdict}>
            <dt>{words.modes[mode]}</dt>
            <dd>
              <Verdict explained={explanation[mode]} data={null} />
              <Reason explained={explanation[mode]} mode={mode} />
            </dd>
          </div>
        ))}
      </dl>
      {explanation.data === null ? null : <Limits data={explanation.data} />}
    </div>
  );
}

function ViewMap({ explanation: { layer, subject } }: { readonly explanation: Explanation }) {
  const colon = layer.indexOf(':');
  const [workspace, name] = [layer.slice(0, colon), layer.slice(colon + 1)];
  const href = toUrl(getPreviewAddress(workspace, name, formatUser(subject.user ?? '')));
  return <a href={href}>{t().mapTools.viewAs}</a>;
}

/** What the data rules leave. */
function Limits({ data }: { readonly data: NonNullable<Explanation['data']> }) {
  const { security: words } = t();
  const named = (access: string) =>
    Object.entries(data.attributes)
      .filter(([, each]) => each === access)
      .map(([name]) => name)
      .join(', ');
  const rows: readonly (readonly [string, string])[] = [
    [words.limits.rows, data.rows ?? words.limits.all],
    [words.limits.writeRows, data.writeRows ?? words.limits.all],
    [words.limits.hidden, named('hide') || t().app.none],
    [words.limits.readOnly, named('read') || t().app.none],
    [words.limits.area, data.area?.map(({ geometry }) => geometry).join(', ') ?? words.limits.everywhere],
    ...data.skipped.map(({ rule, reason }) => [words.limits.skipped(rule), words.skippedReasons[reason]] as const),
  ];
  return (
    <dl class="facts access-limits">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
