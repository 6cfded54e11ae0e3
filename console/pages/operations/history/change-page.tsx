/** One change: every resource before and after it, and Undo. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { FieldDiff, TextDiff } from '../../../parts/diff/diff.tsx';
import { listChangedFields, nameReference } from '../../../parts/diff/list-fields.ts';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { formatCurl, rest } from '../../../rest/client.ts';
import type { PageProps } from '../../../routes.ts';
import { path, toUrl } from '../../../shell/router.ts';
import { formatTime, t } from '../../../words/words.ts';
import { OperationsFrame } from '../frame.tsx';
import { ActionMark, decodePath, ResourceLink } from './resource-link.tsx';
import type { Change, ChangedItem, Fields } from './types.ts';
import { UndoDialog } from './undo-dialog.tsx';

/** An import can change thousands of resources. */
const SHOWN_ITEMS = 20;

/** The kinds whose content is a text that the server keeps. */
const textKinds = new Set(['styleFile', 'template']);

export function Page({ params: { sequence = '' } }: PageProps) {
  const { historyPages: words } = t();
  const read = useRest<Change>(rest`/history/${sequence}`);
  const isUndoing = useSignal(false);
  const showsAll = useSignal(false);
  const change = read.data?.body;
  const all = change?.items.filter((item) => !isCounter(item)) ?? [];
  const items = showsAll.value ? all : all.slice(0, SHOWN_ITEMS);
  const hidden = all.length - items.length;
  return (
    <OperationsFrame
      page="history"
      title={words.title(sequence)}
      actions={
        change === undefined ? null : (
          <Button
            icon="undo"
            onClick={() => {
              isUndoing.value = true;
            }}
          >
            {words.undo}
          </Button>
        )
      }
    >
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {change === undefined ? null : <Facts change={change} />}
      {items.map((item) => (
        <Item key={item.id} item={item} sequence={sequence} />
      ))}
      {hidden === 0 ? null : (
        <Button
          onClick={() => {
            showsAll.value = true;
          }}
        >
          {words.showRest(hidden)}
        </Button>
      )}
      {change === undefined ? null : (
        <details class="history-curl">
          <summary>{t().app.showAsCurl}</summary>
          <pre tabIndex={0}>
            <code>{formatCurl(rest`/history/${sequence}`)}</code>
          </pre>
        </details>
      )}
      {isUndoing.value && change !== undefined ? (
        <UndoDialog
          sequence={change.sequence}
          onClose={() => {
            isUndoing.value = false;
          }}
        />
      ) : null}
    </OperationsFrame>
  );
}

/** Some records only count the changes of others. */
function isCounter({ before, after }: ChangedItem): boolean {
  return Object.keys({ ...before, ...after }).every((field) => field === 'name' || field === 'revision');
}

function Facts({ change: { what, who, at, via, undoes } }: { readonly change: Change }) {
  const { historyPages: words } = t();
  const signIn = via == null ? '' : [via.method, via.provider, via.token].filter(Boolean).join(' · ');
  return (
    <section class="history-facts">
      <p class="history-summary">{what}</p>
      <dl>
        <div>
          <dt>{words.by}</dt>
          <dd>
            <a href={toUrl(`operations/history?${new URLSearchParams({ who })}`)}>{who}</a>
          </dd>
        </div>
        <div>
          <dt>{words.when}</dt>
          <dd>
            <time dateTime={at}>{formatTime(at)}</time>
          </dd>
        </div>
        {signIn === '' ? null : (
          <div>
            <dt>{words.via}</dt>
            <dd>{signIn}</dd>
          </div>
        )}
        {undoes === null ? null : (
          <div>
            <dt>{words.undoes}</dt>
            <dd>
              <a href={toUrl(path`operations/history/${String(undoes)}`)}>{words.title(undoes)}</a>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Item({ item, sequence }: { readonly item: ChangedItem; readonly sequence: string }) {
  const { historyPages: words, search } = t();
  const { references = {} } = item;
  const ownName = String((item.after ?? item.before)?.['name'] ?? item.kind);
  const name = decodePath(item.path ?? nameReference(ownName, references));
  const isText = textKinds.has(item.kind);
  return (
    <section class="operations-card">
      <h2 class="history-item-head">
        <ActionMark action={item.action} />
        <span class="muted">{search.kinds[item.kind] ?? item.kind}</span>
        {item.path === null ? <span>{name}</span> : <ResourceLink path={item.path} />}
      </h2>
      {isText ? <ItemText item={item} sequence={sequence} name={name} /> : null}
      {isText && item.action === 'update' ? null : (
        <FieldDiff label={words.fieldsOf(name)} rows={listChangedFields(item.before, item.after, references)} />
      )}
    </section>
  );
}

interface ItemTextProps {
  readonly item: ChangedItem;
  readonly sequence: string;
  readonly name: string;
}

function ItemText({ item: { before, after }, sequence, name }: ItemTextProps) {
  const { historyPages: words } = t();
  const [was, is] = [useFile(sequence, before), useFile(sequence, after)];
  const error = was.error ?? is.error;
  if (error !== null) return <p class="muted">{words.textGone}</p>;
  if (was.text === undefined || is.text === undefined) return null;
  if (isBinary(was.text) || isBinary(is.text)) return <p class="muted">{words.binary}</p>;
  return <TextDiff label={words.textOf(name)} before={was.text} after={is.text} />;
}

/** A state without a file is empty. */
function useFile(sequence: string, state: Fields | null | undefined) {
  const hash = state?.['content'];
  const target = typeof hash === 'string' ? rest`/history/${sequence}/files/${hash}` : undefined;
  const { data, error } = useRest<unknown>(target);
  const text = target === undefined ? '' : data === undefined ? undefined : toText(data.body);
  return { text, error };
}

/** Pictures of styles have no lines to compare. */
function isBinary(text: string): boolean {
  return text.includes('\0') || text.includes('\ufffd');
}

/** MapLibre styles are read as documents. */
function toText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
