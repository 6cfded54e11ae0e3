/** One data rule in words: for whom, which rows, attributes and area. */
import { toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { RoleList } from '../common/roles.tsx';
import type { DataRule } from '../documents.ts';

interface DataRuleFactsProps {
  readonly rule: DataRule;
  readonly remark?: string | undefined;
}

export function DataRuleFacts({ rule, remark }: DataRuleFactsProps) {
  return (
    <article class="data-rule" data-rule={rule.name}>
      <h3>
        <a href={toUrl(`security/access?tab=data&rule=${encodeURIComponent(rule.name)}`)}>{rule.name}</a>
        {remark === undefined ? null : <span class="security-badge security-badge-warning">{remark}</span>}
      </h3>
      <RuleDetails rule={rule} />
    </article>
  );
}

export function RuleDetails({ rule }: { readonly rule: DataRule }) {
  const { security: words } = t();
  const attributes = Object.entries(rule.attributes)
    .map(([name, access]) => `${name}: ${words.attributeAccess[access]}`)
    .join(', ');
  const rows: readonly (readonly [string, string | null, string])[] = [
    [words.limits.rows, rule.rows, words.limits.all],
    [words.limits.writeRows, rule.writeRows, words.limits.sameRows],
    [words.limits.attributes, attributes === '' ? null : attributes, words.limits.allAttributes],
    [
      words.limits.area,
      rule.area && `${words.areaModes[rule.area.mode]}: ${rule.area.geometry}`,
      words.limits.everywhere,
    ],
  ];
  return (
    <dl class="facts">
      <div>
        <dt>{words.appliesTo}</dt>
        <dd>
          <code>{rule.layer}</code>
        </dd>
      </div>
      <div>
        <dt>{words.roles}</dt>
        <dd>
          <RoleList roles={rule.roles} />
        </dd>
      </div>
      {rows.map(([label, value, otherwise]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value === null ? <span class="muted">{otherwise}</span> : <code class="data-rule-text">{value}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
