/** What happens to a rule: its roles before and after. */
import { t } from '../../../words/words.ts';
import { RoleList } from '../common/roles.tsx';
import type { RuleChange } from './layer-rules.ts';

export function PlannedRule({ change }: { readonly change: RuleChange }) {
  const { security: words } = t();
  return (
    <div class={`planned-rule planned-rule-${change.kind}`}>
      <p>
        <strong>{words.ruleKinds[change.kind]}</strong> <code>{change.key}</code>
      </p>
      <dl>
        <div>
          <dt>{words.rolesBefore}</dt>
          <dd>
            <RoleList roles={change.before} />
          </dd>
        </div>
        <div>
          <dt>{words.rolesAfter}</dt>
          <dd>
            <RoleList roles={change.after} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
