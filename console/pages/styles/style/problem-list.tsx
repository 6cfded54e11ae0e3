/** The errors and warnings of the text. Each button moves the cursor to its place. */
import { Icon } from '../../../parts/icon/icon.tsx';
import type { StyleProblem } from '../../../style-text/problems.ts';
import { t } from '../../../words/words.ts';
import type { CheckState } from './style-session.ts';

interface ProblemListProps {
  readonly problems: readonly StyleProblem[];
  readonly state: CheckState;
  readonly onChoose: (problem: StyleProblem) => void;
}

export function ProblemList({ problems, state, onChoose }: ProblemListProps) {
  const { editor: words } = t().styles;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const kind = errors > 0 ? 'error' : problems.length > 0 ? 'warning' : 'good';
  return (
    <section class="style-problems" aria-label={words.problems}>
      <p class={`style-verdict style-verdict-${state === 'checked' ? kind : 'waiting'}`} role="status">
        <Icon name={state !== 'checked' ? 'clock' : kind === 'good' ? 'check' : 'warning'} size={16} />
        {state === 'waiting'
          ? words.checking
          : state === 'failed'
            ? words.notChecked
            : words.found(errors, problems.length - errors)}
        {problems.length > 0 ? <kbd>F8</kbd> : null}
      </p>
      {problems.length === 0 ? null : (
        <ul class="style-problem-list">
          {problems.map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button
                type="button"
                class={`style-problem-item style-problem-${problem.severity}`}
                onClick={() => onChoose(problem)}
              >
                <span class="style-problem-place">
                  {problem.line === undefined ? '–' : `${problem.line}:${problem.column ?? 1}`}
                </span>
                <span>
                  <span class="unseen">{problem.severity === 'error' ? words.error : words.warning}: </span>
                  {problem.message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
