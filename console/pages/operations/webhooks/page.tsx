/** The receivers of changes: their state, their last deliveries, and forms to create and change them. */
import { Button } from '../../../parts/button/button.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { address, path, setQuery, toUrl } from '../../../shell/router.ts';
import { formatNumber, formatTime, t } from '../../../words/words.ts';
import { OperationsFrame } from '../frame.tsx';
import type { DeliveriesDocument, Webhook, WebhookDocument, WebhookList } from './types.ts';
import { WebhookForm } from './webhook-form.tsx';

/** The form of a new webhook has this name in the address. */
const NEW = 'new';

const LISTED = '/webhooks?limit=200';

export function Page() {
  const { webhookPages: words } = t();
  const read = useRest<WebhookList>(LISTED);
  const list = read.data?.body.webhooks;
  const names = list === undefined || list === '' ? [] : list.webhook.map(({ name }) => name);
  const selected = address.value.query.get('name') ?? undefined;
  const isNew = address.value.query.get('form') === NEW;
  const close = () => setQuery({ name: undefined, form: undefined });
  return (
    <OperationsFrame
      page="webhooks"
      request={{ path: LISTED, changesOf: '/webhooks' }}
      actions={
        <Button kind="primary" icon="plus" onClick={() => setQuery({ form: NEW, name: undefined }, { replace: false })}>
          {words.create}
        </Button>
      }
    >
      <p class="operations-lead">{words.lead}</p>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {isNew ? <WebhookForm onClose={close} /> : null}
      {read.data !== undefined && names.length === 0 && !isNew ? (
        <Empty icon="hook" title={words.empty}>
          <p>{words.emptyHint}</p>
        </Empty>
      ) : null}
      <ul class="webhooks">
        {names.map((name) => (
          <li key={name}>
            <WebhookCard name={name} isOpen={name === selected} onClose={close} />
          </li>
        ))}
      </ul>
    </OperationsFrame>
  );
}

interface CardProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function WebhookCard({ name, isOpen, onClose }: CardProps) {
  const read = useRest<WebhookDocument>(rest`/webhooks/${name}`);
  const webhook = read.data?.body.webhook;
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  return (
    <section class="operations-card">
      <header class="operations-row">
        <h2 class="webhook-name">
          <a
            href={toUrl(`operations/webhooks?${new URLSearchParams({ name })}`)}
            aria-expanded={isOpen}
            onClick={(event) => {
              if (!isOpen) return;
              event.preventDefault();
              onClose();
            }}
          >
            {name}
          </a>
        </h2>
        {webhook === undefined ? null : <WebhookState webhook={webhook} />}
      </header>
      {webhook === undefined ? null : (
        <>
          <code class="webhook-url">{webhook.url}</code>
          {webhook.failure === null ? null : <p class="webhook-failure">{webhook.failure.message}</p>}
        </>
      )}
      {isOpen && webhook !== undefined ? (
        <>
          <WebhookForm webhook={webhook} etag={read.data?.etag ?? undefined} onClose={onClose} />
          <Deliveries name={name} />
        </>
      ) : null}
    </section>
  );
}

function WebhookState({ webhook: { enabled, failure, position } }: { readonly webhook: Webhook }) {
  const { webhookPages: words } = t();
  if (!enabled) return <span class="mark">{words.off}</span>;
  if (failure !== null) {
    return <span class="mark mark-delete">{words.failing(failure.attempts, formatTime(failure.since))}</span>;
  }
  return (
    <span class="mark mark-create" title={words.position(position)}>
      {words.delivered}
    </span>
  );
}

function Deliveries({ name }: { readonly name: string }) {
  const { webhookPages: words } = t();
  const read = useRest<DeliveriesDocument>(rest`/webhooks/${name}/deliveries`);
  const deliveries = read.data?.body.deliveries;
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (deliveries === undefined) return null;
  return (
    <section>
      <h3 class="webhook-deliveries">{words.deliveries}</h3>
      {deliveries.length === 0 ? (
        <p class="muted">{words.noDeliveries}</p>
      ) : (
        <div class="status-scroll" role="region" tabIndex={0} aria-label={words.deliveries}>
          <table class="operations-table">
            <thead>
              <tr>
                <th scope="col">{words.event}</th>
                <th scope="col">{words.at}</th>
                <th scope="col">{words.attempt}</th>
                <th scope="col">{words.answer}</th>
                <th scope="col">{words.duration}</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map(({ event, at, attempt, status, ms, message }) => (
                <tr key={`${event} ${attempt} ${at}`}>
                  <th scope="row">
                    <a href={toUrl(path`operations/history/${String(event)}`)}>{event}</a>
                  </th>
                  <td>
                    <time dateTime={at}>{formatTime(at)}</time>
                  </td>
                  <td>{attempt}</td>
                  <td>
                    <span class={`mark mark-${status !== null && status < 300 ? 'create' : 'delete'}`}>
                      {status ?? words.noAnswer}
                    </span>{' '}
                    {message}
                  </td>
                  <td>{formatNumber(ms, { style: 'unit', unit: 'millisecond' })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
