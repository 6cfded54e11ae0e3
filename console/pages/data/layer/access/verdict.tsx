/** A verdict with its reason: a mark, a word, and the rule that decided. */
import { Icon } from '../../../../parts/icon/icon.tsx';
import { t } from '../../../../words/words.ts';
import { nameRole } from '../../../security/common/roles.tsx';
import type { ExplainedMode, Explanation, Mode } from '../../../security/documents.ts';

const icons = { allow: 'check', limit: 'filter', empty: 'filter', deny: 'close' } as const;

/** A rule with a variable selects rows only for a user. */
export function dependsOnUser({ verdict }: ExplainedMode, data: Explanation['data']): boolean {
  return verdict === 'empty' && data !== null && data.skipped.some(({ reason }) => reason === 'variable');
}

export function isAllowed({ verdict }: ExplainedMode): boolean {
  return verdict !== 'deny';
}

interface VerdictProps {
  readonly explained: ExplainedMode;
  readonly data: Explanation['data'];
}

export function Verdict({ explained, data }: VerdictProps) {
  const { verdicts } = t().security;
  const kind = dependsOnUser(explained, data) ? 'limit' : explained.verdict;
  return (
    <span class={`verdict verdict-${kind}`}>
      <Icon name={icons[kind]} size={16} />
      {dependsOnUser(explained, data) ? verdicts.byUser : verdicts[kind]}
    </span>
  );
}

/** Why, in one sentence, and how a denied layer appears. */
export function Reason({ explained, mode }: { readonly explained: ExplainedMode; readonly mode: Mode }) {
  const { decidedBy, shownAs } = explained;
  const { reasons } = t().security;
  return (
    <span class="verdict-reason">
      {decidedBy.kind === 'administrator' ? reasons.administrator : null}
      {decidedBy.kind === 'default' ? reasons.noRule[mode] : null}
      {decidedBy.kind === 'data-rule' ? (
        <>
          {reasons.dataRules} <code>{(decidedBy.rules ?? []).join(', ') || decidedBy.level}</code>
        </>
      ) : null}
      {decidedBy.kind === 'layer-rule' ? (
        <>
          {reasons.rule} <code>{decidedBy.rule}</code>
          {decidedBy.roles === undefined ? null : `: ${decidedBy.roles.map(nameRole).join(', ')}`}
        </>
      ) : null}
      {shownAs === undefined ? null : <span class="verdict-shown">{reasons.shownAs[shownAs]}</span>}
    </span>
  );
}
