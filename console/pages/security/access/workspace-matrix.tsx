/** Workspaces and roles: what the rules of whole workspaces give. A cell opens the choice for its role. */
import { useSignal } from '@preact/signals';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Check, Group } from '../../../parts/controls/controls.tsx';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Remark } from '../../../parts/notice/notice.tsx';
import { runBatch } from '../../../rest/batch.ts';
import { dropAnswers, useRest } from '../../../rest/cache.ts';
import { t } from '../../../words/words.ts';
import { Section } from '../common/page.tsx';
import { ANONYMOUS, EVERYONE, isComputedRole, parseRoles, SIGNED_IN } from '../common/role-names.ts';
import { nameRole } from '../common/roles.tsx';
import { type Mode, modes, type RuleSet } from '../documents.ts';
import {
  ANY,
  admits,
  chooseRoles,
  findDecidingRule,
  formatRuleKey,
  parseRuleKey,
  planRoles,
  type RuleChange,
} from './layer-rules.ts';
import { PlannedRule } from './planned-rule.tsx';
import { createRuleOperation } from './write-rule.ts';

interface WorkspaceList {
  readonly workspaces: '' | { readonly workspace: readonly { readonly name: string }[] };
}

interface Cell {
  readonly workspace: string;
  readonly role: string;
}

interface WorkspaceMatrixProps {
  readonly rules: RuleSet;
  readonly known: readonly string[];
}

export function WorkspaceMatrix({ rules, known }: WorkspaceMatrixProps) {
  const { security: words } = t();
  const chosen = useSignal<Cell | undefined>(undefined);
  const read = useRest<WorkspaceList>('/workspaces');
  const listed = read.data?.body.workspaces;
  const names = listed === undefined || listed === '' ? [] : listed.workspace.map(({ name }) => name);
  const inRules = Object.values(rules)
    .flatMap(parseRoles)
    .filter((role) => role !== EVERYONE && !isComputedRole(role));
  const roles = [ANONYMOUS, SIGNED_IN, ...new Set([...known, ...inRules])];
  return (
    <Section title={words.workspaceMatrix} lead={words.workspaceMatrixLead}>
      <div class="workspace-matrix-scroll" role="region" aria-label={words.workspaceMatrix} tabIndex={0}>
        <table class="workspace-matrix" role="table" aria-label={words.workspaceMatrix}>
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">
                {words.workspace}
              </th>
              {roles.map((role) => (
                <th key={role} role="columnheader" scope="col">
                  {nameRole(role)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {[ANY, ...names].map((workspace) => (
              <tr key={workspace} role="row" data-workspace={workspace}>
                <th role="rowheader" scope="row">
                  {workspace === ANY ? words.allWorkspaces : workspace}
                  <LayerRuleCount rules={rules} workspace={workspace} />
                </th>
                {roles.map((role) => (
                  <td key={role} role="cell">
                    <CellButton
                      rules={rules}
                      cell={{ workspace, role }}
                      onClick={() => {
                        chosen.value = { workspace, role };
                      }}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen.value === undefined ? null : (
        <CellDialog
          key={JSON.stringify(chosen.value)}
          rules={rules}
          known={known}
          cell={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function LayerRuleCount({ rules, workspace }: { readonly rules: RuleSet; readonly workspace: string }) {
  const count = Object.keys(rules)
    .map(parseRuleKey)
    .filter((key) => key.workspace === workspace && key.layer !== ANY).length;
  return count === 0 ? null : <small class="muted">{t().security.layerRuleCount(count)}</small>;
}

interface CellButtonProps {
  readonly rules: RuleSet;
  readonly cell: Cell;
  readonly onClick: () => void;
}

/** Letters that stand for the modes; those of a rule of this workspace are strong, inherited ones are not. */
function CellButton({ rules, cell: { workspace, role }, onClick }: CellButtonProps) {
  const { security: words } = t();
  const isAdmitted = (mode: Mode) => admits(findDecidingRule(rules, { workspace, layer: ANY, mode }).roles, role);
  const isAdministrator = isAdmitted('admin');
  const states = modes.map((mode) => {
    const target = { workspace, layer: ANY, mode };
    return {
      mode,
      isOn: isAdministrator || isAdmitted(mode),
      isOwn: Object.hasOwn(rules, formatRuleKey(target)),
    };
  });
  const granted = states.filter(({ isOn }) => isOn).map(({ mode }) => words.modes[mode]);
  const place = workspace === ANY ? words.allWorkspaces : workspace;
  return (
    <button type="button" class="workspace-cell" data-role={role} onClick={onClick}>
      <span class="unseen">{`${nameRole(role)}, ${place}: ${granted.join(', ') || t().app.none}`}</span>
      <span class="workspace-cell-role" aria-hidden="true">
        {nameRole(role)}
      </span>
      <span class="workspace-cell-modes" aria-hidden="true">
        {states.map(({ mode, isOn, isOwn }) => (
          <span key={mode} class="mode-chip" data-on={isOn} data-own={isOwn} title={words.modes[mode]}>
            {words.modeLetters[mode]}
          </span>
        ))}
      </span>
    </button>
  );
}

interface CellDialogProps extends WorkspaceMatrixProps {
  readonly cell: Cell;
  readonly onClose: () => void;
}

function CellDialog({ rules, known, cell: { workspace, role }, onClose }: CellDialogProps) {
  const { security: words } = t();
  const isOn = (mode: Mode) => admits(findDecidingRule(rules, { workspace, layer: ANY, mode }).roles, role);
  const wanted = useSignal<Readonly<Record<Mode, boolean>>>({
    read: isOn('read'),
    write: isOn('write'),
    admin: isOn('admin'),
  });
  const changes = modes.flatMap((mode): readonly RuleChange[] => {
    if (wanted.value[mode] === isOn(mode)) return [];
    const target = { workspace, layer: ANY, mode };
    const change = planRoles(
      rules,
      target,
      chooseRoles(rules, { ...target, role, isAllowed: wanted.value[mode], known }),
    );
    return change === undefined ? [] : [change];
  });
  const place = workspace === ANY ? words.allWorkspaces : workspace;
  const save = async () => {
    const reply = await runBatch(words.accessMessage(role, workspace), changes.map(createRuleOperation));
    await dropAnswers('/security/acl/layers');
    reportChange(words.accessSaved(nameRole(role), place), reply);
  };
  const hasExceptions = changes.some(({ before, after }) => before.includes(EVERYONE) && !after.includes(SIGNED_IN));
  return (
    <FormDialog
      title={words.accessOf(nameRole(role), place)}
      submit={words.saveRule}
      isUnavailable={changes.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      {() => (
        <>
          <Group label={words.mayDo}>
            {modes.map((mode) => (
              <Check
                key={mode}
                name={mode}
                label={words.modes[mode]}
                hint={words.modeHints[mode]}
                checked={wanted.value[mode]}
                onChange={(checked) => {
                  wanted.value = { ...wanted.value, [mode]: checked };
                }}
              />
            ))}
          </Group>
          {hasExceptions ? <Remark kind="warning">{words.noExceptions}</Remark> : null}
          {changes.map((change) => (
            <PlannedRule key={change.key} change={change} />
          ))}
        </>
      )}
    </FormDialog>
  );
}
