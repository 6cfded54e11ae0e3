/** What a role, a user or a visitor sees: the layers and maps that services publish to them. */
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { VISITOR } from '../../../rest/client.ts';
import { MAX_LAYERS, usePublishedLayers } from '../../../rest/published-layers.ts';
import { address, setQuery, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { formatRole, getPreviewAddress } from '../../data/layer/map/view-as.ts';
import { PreviewUser } from '../common/preview-user.tsx';
import { ANONYMOUS, SIGNED_IN } from '../common/role-names.ts';
import { nameRole, useOwnRoles } from '../common/roles.tsx';
import type { DataRule, DataRuleList } from '../documents.ts';

export function ViewAs() {
  const { query } = address.value;
  const viewAs = query.get('as') ?? VISITOR;
  return (
    <>
      <SubjectForm viewAs={viewAs} />
      <SeenLayers viewAs={viewAs === VISITOR ? VISITOR : new URLSearchParams(viewAs).toString()} />
    </>
  );
}

function SubjectForm({ viewAs }: { readonly viewAs: string }) {
  const { security: words } = t();
  const roles = useOwnRoles() ?? [];
  const user = new URLSearchParams(viewAs).get('user');
  return (
    <div class="view-as">
      <label class="view-as-choice">
        <span>{words.role}</span>
        <select
          class="input"
          value={user === null ? viewAs : ''}
          onChange={(event) => setQuery({ as: event.currentTarget.value })}
        >
          {user === null ? null : <option value="">{words.viewAsUser}</option>}
          {[ANONYMOUS, SIGNED_IN, ...roles].map((role) => (
            <option key={role} value={formatRole(role)}>
              {nameRole(role)}
            </option>
          ))}
        </select>
      </label>
      <PreviewUser user={user} class="view-as-choice" hasLabel />
    </div>
  );
}

function SeenLayers({ viewAs }: { readonly viewAs: string }) {
  const { security: words } = t();
  const read = usePublishedLayers({ q: '', limit: MAX_LAYERS, viewAs });
  const rules = useRest<DataRuleList>('/security/acl/data');
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined) return null;
  const { layers, hasMore } = read.data.body;
  const limited = (rules.data?.body.dataRules ?? []).filter(({ enabled }) => enabled);
  if (layers.length === 0)
    return (
      <Empty icon="eye" title={words.viewAsEmpty}>
        {words.viewAsEmptyHint}
      </Empty>
    );
  return (
    <>
      <p class="muted" role="status">
        {words.viewAsFound(layers.length)}
      </p>
      {hasMore ? <Remark kind="info">{words.viewAsMore(MAX_LAYERS)}</Remark> : null}
      <ul class="view-as-layers">
        {layers.map(({ workspace, name, title }) => {
          const qualified = workspace === '' ? name : `${workspace}:${name}`;
          return (
            <li key={qualified}>
              {workspace === '' ? (
                <strong>{title}</strong>
              ) : (
                <a href={toUrl(getPreviewAddress(workspace, name, viewAs))}>{title}</a>
              )}
              <code>{qualified}</code>
              {hasRule(limited, workspace, name) ? <span class="security-badge">{words.viewAsLimited}</span> : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function hasRule(rules: readonly DataRule[], workspace: string, name: string): boolean {
  const levels = [`${workspace}:${name}`, `${workspace}:*`, '*:*'];
  return workspace !== '' && rules.some(({ layer }) => levels.includes(layer));
}
