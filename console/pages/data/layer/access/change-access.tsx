/** Allow or Deny: the smallest change of a rule, and the matrix after it, before it is stored. */
import { useSignal } from '@preact/signals';
import { reportChange } from '../../../../parts/changes/report-change.ts';
import { FormDialog } from '../../../../parts/controls/form-dialog.tsx';
import { ProblemNotice, Remark } from '../../../../parts/notice/notice.tsx';
import { t } from '../../../../words/words.ts';
import {
  ANY,
  chooseRoles,
  findDecidingRule,
  parseRuleKey,
  planRoles,
  type RuleTarget,
} from '../../../security/access/layer-rules.ts';
import { PlannedRule } from '../../../security/access/planned-rule.tsx';
import { createRuleOperation, writeRule } from '../../../security/access/write-rule.ts';
import { nameRole, RolePicker } from '../../../security/common/roles.tsx';
import type { ExplainedMode, RuleSet } from '../../../security/documents.ts';
import type { LayerView } from '../page.tsx';
import { AfterMatrix, type CellChoice } from './access-matrix.tsx';
import { type Matrix, useMatrix } from './use-matrix.ts';

interface ChangeAccessProps {
  readonly view: LayerView;
  readonly choice: CellChoice;
  readonly rules: RuleSet;
  readonly known: readonly string[];
  readonly before: Matrix;
  readonly onClose: () => void;
}

export function ChangeAccess({ view, choice, rules, known, before, onClose }: ChangeAccessProps) {
  const { security: words } = t();
  const target = findTarget(view, choice, before.get(choice.role)?.[choice.mode]);
  const roles = useSignal(chooseRoles(rules, { ...target, ...choice, mode: target.mode, known }));
  const change = planRoles(rules, target, roles.value);
  const after = useMatrix(view.qualifiedName, [...before.keys()], change && createRuleOperation(change));
  const title = (choice.isAllowed ? words.allowTitle : words.denyTitle)(
    words.modes[choice.mode],
    nameRole(choice.role),
  );
  const save = async () => {
    if (change === undefined) return;
    reportChange(words.ruleSaved(change.key), await writeRule(change));
  };
  return (
    <FormDialog
      title={title}
      submit={words.saveRule}
      isUnavailable={change === undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {target.mode === choice.mode ? null : <Remark kind="warning">{words.byAdministration}</Remark>}
          {change === undefined ? <p class="muted">{words.noRuleChange}</p> : <PlannedRule change={change} />}
          {findDecidingRule(rules, target).roles.includes('*') &&
          !choice.isAllowed &&
          choice.role !== 'ROLE_ANONYMOUS' ? (
            <Remark kind="warning">{words.noExceptions}</Remark>
          ) : null}
          <details class="access-choose">
            <summary>{words.chooseRoles}</summary>
            <RolePicker
              label={words.rolesOfRule}
              known={known}
              value={roles.value}
              withComputed
              error={errorOf('roles')}
              onChange={(next) => {
                roles.value = next;
              }}
            />
          </details>
          {after.error === null ? null : <ProblemNotice error={after.error} />}
          {change === undefined || after.data === undefined ? null : (
            <div class="access-after" role="region" aria-label={words.after} tabIndex={0}>
              <h3>{words.after}</h3>
              <AfterMatrix before={before} after={after.data.body} />
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** The rule for administrators of a workspace also opens reading and writing, so only its change can deny them. */
function findTarget(
  view: LayerView,
  { mode, isAllowed }: CellChoice,
  explained: ExplainedMode | undefined,
): RuleTarget {
  const rule = explained?.decidedBy.rule;
  const isByAdmin = !isAllowed && rule !== undefined && parseRuleKey(rule).mode === 'admin';
  return mode === 'admin' || isByAdmin
    ? { workspace: view.workspace, layer: ANY, mode: 'admin' }
    : { workspace: view.workspace, layer: view.name, mode };
}
