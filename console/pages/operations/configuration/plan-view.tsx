/** The steps of a plan by place, with the fields that each changes, and the button that applies exactly them. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { FieldDiff } from '../../../parts/diff/diff.tsx';
import { formatFieldValue } from '../../../parts/diff/list-fields.ts';
import { Empty, ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { UploadProgress } from '../../../parts/upload-progress/upload-progress.tsx';
import { toProblem } from '../../../rest/problems.ts';
import { path as address, navigate } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { decodePath } from '../history/resource-link.tsx';
import { applyPlan, comparePlan } from './send-configuration.ts';
import type { Candidate, Plan, PlanStep, StepAction } from './types.ts';

/** Steps of one group that are drawn at once. */
const SHOWN_STEPS = 100;

const signs: Readonly<Record<StepAction, string>> = { create: '+', update: '~', delete: '−' };
const actions = ['create', 'update', 'delete'] as const;

interface PlanViewProps {
  readonly candidate: Candidate;
  readonly plan: Plan;
  /** Called with a plan of the state after a change of another user. */
  readonly onPlan: (plan: Plan) => void;
  readonly onClose: () => void;
}

export function PlanView({ candidate, plan, onPlan, onClose }: PlanViewProps) {
  const { configuration: words } = t();
  /** The share that is sent; undefined while nothing runs. */
  const share = useSignal<number | undefined>(undefined);
  const isBusy = share.value !== undefined;
  const hasMoved = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const count = plan.steps.length;

  const apply = async () => {
    share.value = 0;
    failure.value = undefined;
    hasMoved.value = false;
    try {
      const onProgress = (sent: number) => {
        share.value = sent;
      };
      const reply = await applyPlan(candidate, plan, { onProgress });
      reportChange(words.applied(count), reply);
      onClose();
      if (reply.change !== null) navigate(address`operations/history/${String(reply.change)}`);
    } catch (error) {
      if (toProblem(error).code === 'configuration-moved') {
        const next = await comparePlan(candidate).catch((reason: unknown) => reason);
        if (next instanceof Error || typeof next !== 'object' || next === null || !('body' in next)) {
          failure.value = next;
        } else {
          hasMoved.value = true;
          onPlan(next.body as Plan);
        }
      } else failure.value = error;
    } finally {
      share.value = undefined;
    }
  };

  return (
    <section class="plan">
      <header class="operations-row plan-head">
        <h2>{words.planTitle(candidate.name)}</h2>
        <Button onClick={onClose}>{words.other}</Button>
      </header>
      <div role="status" class="plan-counts">
        {actions.map((action) => (
          <span key={action} class={plan.summary[action] === 0 ? 'mark' : `mark mark-${action}`}>
            {signs[action]} {words.counts[action](plan.summary[action])}
          </span>
        ))}
        <span class="mark">{words.counts.unchanged(plan.summary.unchanged)}</span>
      </div>
      {hasMoved.value ? <Remark kind="warning">{words.moved}</Remark> : null}
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      {plan.summary.delete === 0 ? null : <Remark kind="warning">{words.deletions(plan.summary.delete)}</Remark>}
      <Unverified plan={plan} />
      {count === 0 ? (
        <Empty icon="check" title={words.nothing} />
      ) : (
        <>
          <Steps steps={plan.steps} />
          {share.value === undefined ? null : <UploadProgress label={words.applying} share={share.value} />}
          <div class="plan-apply">
            <Button
              kind="primary"
              shortcut="Control+Enter"
              disabled={isBusy}
              isBusy={isBusy}
              onClick={() => void apply()}
            >
              {isBusy ? words.applying : words.applyAll(count)}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Unverified({ plan: { unverified = [] } }: { readonly plan: Plan }) {
  if (unverified.length === 0) return null;
  return (
    <Remark kind="warning">
      <strong>{t().configuration.unverifiedList(unverified.length)}</strong>
      <ul>
        {unverified.slice(0, 20).map(({ path, message }) => (
          <li key={path}>
            {decodePath(path)}: {message}
          </li>
        ))}
      </ul>
    </Remark>
  );
}

function Steps({ steps }: { readonly steps: readonly PlanStep[] }) {
  const { configuration: words, search } = t();
  const kind = useSignal('');
  const action = useSignal('');
  const kinds = [...new Set(steps.map((step) => step.kind))].sort();
  const shown = steps.filter(
    (step) => (kind.value === '' || step.kind === kind.value) && (action.value === '' || step.action === action.value),
  );
  const groups = Map.groupBy(shown, ({ path }) => findGroup(path));
  return (
    <>
      <div class="operations-row">
        <label class="plan-filter">
          <span>{words.filterKind}</span>
          <select
            class="input"
            value={kind.value}
            onChange={(event) => {
              kind.value = event.currentTarget.value;
            }}
          >
            <option value="">{words.allKinds}</option>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {search.kinds[each] ?? each}
              </option>
            ))}
          </select>
        </label>
        <label class="plan-filter">
          <span>{words.filterAction}</span>
          <select
            class="input"
            value={action.value}
            onChange={(event) => {
              action.value = event.currentTarget.value;
            }}
          >
            <option value="">{words.allActions}</option>
            {actions.map((each) => (
              <option key={each} value={each}>
                {signs[each]} {t().historyPages.actions[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="plan-groups" role="group" aria-label={words.steps}>
        {[...groups].map(([name, listed]) => (
          <Group key={name} name={name} steps={listed} isOpen={groups.size <= 8} />
        ))}
      </div>
    </>
  );
}

interface GroupProps {
  readonly name: string;
  readonly steps: readonly PlanStep[];
  readonly isOpen: boolean;
}

function Group({ name, steps, isOpen }: GroupProps) {
  const limit = useSignal(SHOWN_STEPS);
  const opened = useSignal(isOpen);
  const hidden = Math.max(0, steps.length - limit.value);
  return (
    <details
      class="plan-group"
      open={opened.value}
      onToggle={(event) => {
        opened.value = event.currentTarget.open;
      }}
    >
      <summary>
        <strong>{decodePath(name)}</strong>
        <span class="plan-group-counts">
          {actions.map((action) => {
            const count = steps.filter((step) => step.action === action).length;
            return count === 0 ? null : (
              <span key={action} class={`mark mark-${action}`}>
                {signs[action]} {count}
              </span>
            );
          })}
        </span>
      </summary>
      {opened.value ? (
        <ul>
          {steps.slice(0, limit.value).map((step) => (
            <Step key={`${step.action} ${step.kind} ${step.path}`} step={step} />
          ))}
        </ul>
      ) : null}
      {hidden > 0 && opened.value ? (
        <Button
          onClick={() => {
            limit.value += SHOWN_STEPS;
          }}
        >
          {t().configuration.showMore(hidden)}
        </Button>
      ) : null}
    </details>
  );
}

function Step({ step: { action, kind, path, changes = [] } }: { readonly step: PlanStep }) {
  const { historyPages, search } = t();
  const face = (
    <>
      <span class={`plan-sign plan-${action}`} aria-hidden="true">
        {signs[action]}
      </span>
      <span class="unseen">{historyPages.actions[action]}</span>
      <span class="plan-path">{decodePath(path)}</span>
      <span class="muted plan-kind">{search.kinds[kind] ?? kind}</span>
    </>
  );
  const rows = changes.map(({ field, before, after }) => ({
    field: field.replace(/^\//, ''),
    before: formatFieldValue(before),
    after: formatFieldValue(after),
  }));
  if (rows.length === 0) return <li class="plan-step">{face}</li>;
  return (
    <li>
      <details class="plan-details">
        <summary class="plan-step">{face}</summary>
        <FieldDiff label={historyPages.fieldsOf(decodePath(path))} rows={rows} />
      </details>
    </li>
  );
}

/** A workspace, or the family of other resources. */
function findGroup(path: string): string {
  const [, family = '', name = ''] = path.split('/');
  return family === 'workspaces' && name !== '' ? `/${family}/${name}` : `/${family}`;
}
