/** The steps of a connection with a dot each, and the sentence of the database for the step that failed. */
import { Button } from '../../../parts/button/button.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { t } from '../../../words/words.ts';
import { type CheckState, type ConnectionStep, connectionSteps } from './connection-check.ts';

interface ConnectionStepsProps {
  readonly state: CheckState;
  readonly isComplete: boolean;
  readonly onStop: () => void;
}

type StepState = 'open' | 'working' | 'good' | 'failed';

export function ConnectionSteps({ state, isComplete, onStop }: ConnectionStepsProps) {
  const { publish: words } = t();
  return (
    <>
      <ol class="connect-steps">
        {connectionSteps.map((step) => {
          const found = findState(step, state);
          return (
            <li key={step} data-state={found}>
              <span class="connect-dot">
                {found === 'good' ? <Icon name="check" size={16} /> : null}
                {found === 'failed' ? <Icon name="close" size={16} /> : null}
              </span>
              {words.steps[step]}
              <span class="unseen">: {words.stepStates[found]}</span>
            </li>
          );
        })}
      </ol>
      <div aria-live="polite">
        {state.kind === 'open' && !isComplete ? <p class="muted">{words.fillIn}</p> : null}
        {state.kind === 'working' ? (
          <p class="connect-working">
            <span class="muted">{words.connecting}</span>
            <Button onClick={onStop}>{words.stop}</Button>
          </p>
        ) : null}
        {state.kind === 'failed' && state.step !== undefined ? (
          <Remark kind="error">
            <strong>
              {words.steps[state.step]}: {words.stepStates.failed}
            </strong>
            <span>{state.problem.document.detail}</span>
          </Remark>
        ) : null}
        {state.kind === 'failed' && state.step === undefined ? <ProblemNotice error={state.problem} /> : null}
      </div>
    </>
  );
}

/** Steps before the one that failed have succeeded. */
function findState(step: ConnectionStep, state: CheckState): StepState {
  if (state.kind !== 'failed') return state.kind;
  if (state.step === undefined) return 'open';
  const [at, failedAt] = [connectionSteps.indexOf(step), connectionSteps.indexOf(state.step)];
  return at < failedAt ? 'good' : at === failedAt ? 'failed' : 'open';
}
