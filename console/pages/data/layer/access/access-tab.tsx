/** Who may see and change this layer, why, and how to change it. For administrators of the server. */
import { useSignal } from '@preact/signals';
import { ProblemNotice, Remark } from '../../../../parts/notice/notice.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { toUrl } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { DataRuleFacts } from '../../../security/access/data-rule-facts.tsx';
import { findDecidingRule } from '../../../security/access/layer-rules.ts';
import { ADMINISTRATOR, ANONYMOUS, EVERYONE, isComputedRole, SIGNED_IN } from '../../../security/common/role-names.ts';
import { useOwnRoles } from '../../../security/common/roles.tsx';
import {
  type CatalogMode,
  type DataRule,
  type DataRuleList,
  modes,
  type RuleSet,
} from '../../../security/documents.ts';
import { formatRole, getPreviewAddress } from '../map/view-as.ts';
import type { LayerView } from '../page.tsx';
import { AccessMatrix, type CellChoice } from './access-matrix.tsx';
import { ChangeAccess } from './change-access.tsx';
import { CheckUser } from './check-user.tsx';
import { MAX_ROLES, useMatrix } from './use-matrix.ts';

export function AccessTab({ view }: { readonly view: LayerView }) {
  const { security: words } = t();
  const choice = useSignal<CellChoice | undefined>(undefined);
  const rules = useRest<RuleSet>('/security/acl/layers');
  const catalog = useRest<{ readonly mode: CatalogMode }>('/security/acl/catalog');
  const data = useRest<DataRuleList>('/security/acl/data');
  const own = useOwnRoles();
  const roles = own && rules.data && listRoles(own, rules.data.body, view, data.data?.body.dataRules ?? []);
  const matrix = useMatrix(view.qualifiedName, roles);
  const failed = [rules, matrix].find(({ error }) => error !== null);
  if (failed !== undefined) return <ProblemNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (matrix.data === undefined || rules.data === undefined || own === undefined) return null;
  return (
    <div class="access">
      <p class="access-lead muted">
        {words.accessLead}{' '}
        {catalog.data === undefined ? null : (
          <a href={toUrl('security/access')}>{words.catalogModes[catalog.data.body.mode]?.short}</a>
        )}
      </p>
      {roles !== undefined && roles.length > MAX_ROLES ? (
        <Remark kind="info">{words.manyRoles(MAX_ROLES)}</Remark>
      ) : null}
      <AccessMatrix
        label={words.matrixOf(view.name)}
        matrix={matrix.data.body}
        getMapAddress={(role) => getPreviewAddress(view.workspace, view.name, formatRole(role))}
        onChoose={(chosen) => {
          choice.value = chosen;
        }}
      />
      <CheckUser layer={view.qualifiedName} />
      <ApplyingDataRules view={view} rules={data.data?.body.dataRules ?? []} />
      {choice.value === undefined ? null : (
        <ChangeAccess
          view={view}
          choice={choice.value}
          rules={rules.data.body}
          known={own}
          before={matrix.data.body}
          onClose={() => {
            choice.value = undefined;
          }}
        />
      )}
    </div>
  );
}

/** Also roles that exist only in rules, such as those of an identity provider. */
function listRoles(
  own: readonly string[],
  rules: RuleSet,
  { workspace, name }: LayerView,
  data: readonly DataRule[],
): readonly string[] {
  const used = modes.flatMap((mode) => findDecidingRule(rules, { workspace, layer: name, mode }).roles);
  const limited = data.flatMap((rule) => rule.roles);
  const named = [...own, ...used, ...limited].filter((role) => role !== EVERYONE && !isComputedRole(role));
  return [ANONYMOUS, SIGNED_IN, ...new Set(named), ADMINISTRATOR];
}

function ApplyingDataRules({ view, rules }: { readonly view: LayerView; readonly rules: readonly DataRule[] }) {
  const { security: words } = t();
  const levels = [view.qualifiedName, `${view.workspace}:*`, '*:*'];
  const found = levels.flatMap((level) => rules.filter(({ layer }) => layer === level));
  const deciding = levels.find((level) => rules.some(({ layer, enabled }) => enabled && layer === level));
  return (
    <section class="access-data">
      <h2>{words.dataRules}</h2>
      <p class="muted">{found.length === 0 ? words.noDataRules : words.dataRulesLead}</p>
      {found.map((rule) => (
        <DataRuleFacts
          key={rule.name}
          rule={rule}
          remark={
            !rule.enabled ? words.disabledRule : rule.layer === deciding ? undefined : words.otherLevel(deciding ?? '')
          }
        />
      ))}
      <p>
        <a href={toUrl('security/access?tab=data')}>{words.editDataRules}</a>
      </p>
    </section>
  );
}
