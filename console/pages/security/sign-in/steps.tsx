/** The steps of a test, with the reason of a failure. */
import { Icon } from '../../../parts/icon/icon.tsx';
import { t } from '../../../words/words.ts';
import { RoleList } from '../common/roles.tsx';
import type { ProviderTest } from './test-provider.ts';

export function Steps({ test }: { readonly test: ProviderTest }) {
  const { security: words } = t();
  const names: Readonly<Record<string, string>> = words.testSteps;
  return (
    <div class="test-steps" role="status" data-ok={test.ok}>
      <ul>
        {test.steps.map(({ step, ok, message }) => (
          <li key={step} class={ok ? 'test-good' : 'test-bad'}>
            <Icon name={ok ? 'check' : 'close'} size={16} />
            <span>
              {names[step] ?? step}
              {message === undefined ? null : `: ${message}`}
            </span>
          </li>
        ))}
      </ul>
      {test.principal === null ? null : (
        <p class="security-line">
          {words.signsInAs} <strong>{test.principal.name}</strong> <RoleList roles={test.principal.roles} />
        </p>
      )}
    </div>
  );
}
