/** States of a page: a problem with its reason and remedy, and a place without content. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  findOwnTitle,
  findSummary,
  listFieldProblems,
  NO_NETWORK,
  type RestProblem,
  toProblem,
} from '../../rest/problems.ts';
import { path, toUrl } from '../../shell/router.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button/button.tsx';
import { copyText } from '../copy-line/copy-line.tsx';
import { Icon, type IconName } from '../icon/icon.tsx';
import { DeletedBy } from './deleted-by.tsx';

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What the server says, with the field, the blockers and the request id if it names them. */
export function ProblemNotice({ error, onRetry }: ProblemProps) {
  const problem = toProblem(error);
  const { document } = problem;
  const { retryAfterSeconds: wait } = problem;
  const isThrottled = wait !== undefined && problem.status === 429;
  const fields = listFieldProblems(problem).filter(
    ({ field, message }) => document.detail !== message && document.detail !== `${field}: ${message}`,
  );
  return (
    <div class="notice notice-error" role="alert">
      <Icon name="warning" />
      <div class="notice-body">
        <p class="notice-title">{findTitle(problem)}</p>
        {isThrottled ? <Countdown key={wait} seconds={wait} /> : <Summary text={findSummary(problem)} />}
        {problem.status === 404 && problem.readPath !== undefined ? <DeletedBy path={problem.readPath} /> : null}
        {fields.length === 0 ? null : (
          <ul>
            {fields.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        {document.blockers === undefined ? null : <Blockers blockers={document.blockers} />}
        {problem.status < 500 || document.requestId === undefined ? null : (
          <p class="muted">
            {t().errors.requestId} <code>{document.requestId}</code> <CopyButton text={document.requestId} />
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

function CopyButton({ text }: { readonly text: string }) {
  return <Button kind="quiet" icon="copy" label={t().errors.copyRequestId} onClick={() => void copyText(text)} />;
}

function Summary({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p>{text}</p>;
}

const SECOND_MS = 1_000;

/** Says for how long the server rejects further requests. */
function Countdown({ seconds }: { readonly seconds: number }) {
  const left = useSignal(seconds);
  useEffect(() => {
    const endsAt = Date.now() + seconds * SECOND_MS;
    const timer = setInterval(() => {
      left.value = Math.max(0, Math.ceil((endsAt - Date.now()) / SECOND_MS));
      if (left.value === 0) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [seconds]);
  // An alert is announced again whenever its text changes.
  return <p aria-live="off">{left.value === 0 ? t().errors.tryNow : t().errors.tooMany(left.value)}</p>;
}

/** What uses the resource, with links to the pages of layers, groups and styles. */
function Blockers({ blockers }: { readonly blockers: readonly string[] }) {
  return (
    <>
      <p>{t().errors.blockers}</p>
      <ul>
        {blockers.map((blocker) => {
          const target = findBlockerPage(blocker);
          return <li key={blocker}>{target === undefined ? blocker : <a href={toUrl(target)}>{blocker}</a>}</li>;
        })}
      </ul>
    </>
  );
}

/** The server names them, such as `layer group 'city:base'`. */
function findBlockerPage(blocker: string): string | undefined {
  const [, kind, workspace, name = ''] = /^(layer group|layer|style) '(?:([^':]+):)?([^']+)'$/.exec(blocker) ?? [];
  if (kind === undefined) return undefined;
  const pages: Readonly<Record<string, string>> = { layer: 'layers', style: 'styles', 'layer group': 'groups' };
  const page = `${pages[kind]}/${encodeURIComponent(name)}`;
  if (workspace === undefined) return kind === 'layer' ? undefined : page;
  return `${path`w/${workspace}`}/${page}`;
}

function findTitle(problem: RestProblem): string {
  const { errors } = t();
  const { status, code } = problem;
  if (code === NO_NETWORK) return errors.network;
  const own = findOwnTitle(problem);
  if (own !== undefined) return own;
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
