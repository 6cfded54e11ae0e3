/** States of a page: a problem with its reason and remedy, and a place without content. */
import type { ComponentChildren } from 'preact';
import { findSummary, listFieldProblems, NO_NETWORK, type RestProblem, toProblem } from '../../rest/problems.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { Icon, type IconName } from '../icon/icon.tsx';

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What the server says, with the field, the blockers and the request id if it names them. */
export function ProblemNotice({ error, onRetry }: ProblemProps) {
  const problem = toProblem(error);
  const { document } = problem;
  const { retryAfterSeconds: wait } = problem;
  const summary = wait !== undefined && problem.status === 429 ? t().errors.tooMany(wait) : findSummary(problem);
  const fields = listFieldProblems(problem).filter(
    ({ field, message }) => document.detail !== message && document.detail !== `${field}: ${message}`,
  );
  return (
    <div class="notice notice-error" role="alert">
      <Icon name="warning" />
      <div class="notice-body">
        <p class="notice-title">{findTitle(problem)}</p>
        {summary === undefined ? null : <p>{summary}</p>}
        {fields.length === 0 ? null : (
          <ul>
            {fields.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        {document.blockers === undefined ? null : (
          <p>
            {t().errors.blockers} {document.blockers.join(', ')}
          </p>
        )}
        {problem.status < 500 || document.requestId === undefined ? null : (
          <p class="muted">
            {t().errors.requestId} <code>{document.requestId}</code>
          </p>
        )}
        {onRetry === undefined ? null : (
          <p>
            <Button onClick={onRetry}>{t().app.retry}</Button>
          </p>
        )}
      </div>
    </div>
  );
}

function findTitle({ status, code }: RestProblem): string {
  const { errors } = t();
  if (code === NO_NETWORK) return errors.network;
  if (status === 404) return errors.gone;
  if (status === 403) return errors.forbidden;
  return status >= 500 ? errors.server : errors.title;
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Says what belongs here, why it is empty, and the next step. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <p class="empty-title">{title}</p>
      <div class="empty-body">{children}</div>
    </div>
  );
}

/** A short remark above a page. */
export function Remark({
  kind,
  children,
}: {
  readonly kind: 'warning' | 'error' | 'info';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice notice-${kind}`}>
      <Icon name={kind === 'info' ? 'help' : 'warning'} />
      <div class="notice-body">{children}</div>
    </div>
  );
}
