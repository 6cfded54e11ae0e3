/** The matrix of roles and modes. On a phone each role is a card. */
import { Button } from '../../../../parts/button/button.tsx';
import { toUrl } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import { ADMINISTRATOR } from '../../../security/common/role-names.ts';
import { nameRole } from '../../../security/common/roles.tsx';
import { type Mode, modes } from '../../../security/documents.ts';
import type { Matrix } from './use-matrix.ts';
import { isAllowed, Reason, Verdict } from './verdict.tsx';

export interface CellChoice {
  readonly role: string;
  readonly mode: Mode;
  readonly isAllowed: boolean;
}

interface AccessMatrixProps {
  readonly label: string;
  /** The map of the layer as a role sees it. */
  readonly getMapAddress: (role: string) => string;
  readonly matrix: Matrix;
  readonly onChoose: (choice: CellChoice) => void;
}

export function AccessMatrix({ label, getMapAddress, matrix, onChoose }: AccessMatrixProps) {
  const { security: words } = t();
  return (
    <table class="access-matrix" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {words.role}
          </th>
          {modes.map((mode) => (
            <th key={mode} role="columnheader" scope="col">
              {words.modes[mode]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {[...matrix].map(([role, explanation]) => (
          <tr key={role} role="row" data-role={role}>
            <th role="rowheader" scope="row">
              {nameRole(role)}
              {role === ADMINISTRATOR || !isAllowed(explanation.read) ? null : (
                <a
                  class="access-view"
                  href={toUrl(getMapAddress(role))}
                  aria-label={`${t().mapTools.viewAs}: ${nameRole(role)}`}
                >
                  {t().mapTools.viewAs}
                </a>
              )}
            </th>
            {modes.map((mode) => {
              const explained = explanation[mode];
              const may = isAllowed(explained);
              const label = `${may ? words.deny : words.allow}: ${words.modes[mode]}, ${nameRole(role)}`;
              return (
                <td key={mode} role="cell" data-mode={mode} data-verdict={explained.verdict}>
                  <span class="access-mode" aria-hidden="true">
                    {words.modes[mode]}
                  </span>
                  <Verdict explained={explained} data={explanation.data} />
                  <Reason explained={explained} mode={mode} />
                  {role === ADMINISTRATOR ? null : (
                    <span class="access-action">
                      <Button title={label} ariaLabel={label} onClick={() => onChoose({ role, mode, isAllowed: !may })}>
                        {may ? words.deny : words.allow}
                      </Button>
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface AfterMatrixProps {
  readonly before: Matrix;
  readonly after: Matrix;
}

/** Marks every verdict that a change would turn. */
export function AfterMatrix({ before, after }: AfterMatrixProps) {
  const { security: words } = t();
  return (
    <table class="after-matrix" aria-label={words.after}>
      <thead>
        <tr>
          <th scope="col">{words.role}</th>
          {modes.map((mode) => (
            <th key={mode} scope="col">
              {words.modes[mode]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...after].map(([role, explanation]) => (
          <tr key={role} data-role={role}>
            <th scope="row">{nameRole(role)}</th>
            {modes.map((mode) => {
              const was = before.get(role);
              const isChanged = was !== undefined && was[mode].verdict !== explanation[mode].verdict;
              return (
                <td key={mode} data-mode={mode} data-verdict={explanation[mode].verdict} data-changed={isChanged}>
                  <Verdict explained={explanation[mode]} data={explanation.data} />
                  {isChanged && was !== undefined ? (
                    <span class="after-before">
                      {words.before} <Verdict explained={was[mode]} data={was.data} />
                    </span>
                  ) : null}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
