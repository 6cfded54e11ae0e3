/**
 * The recorded changes, filtered by user, paths, kind and time. The filters are in the address. Sign-ins are hidden unless
 * the user asks for them.
 */
import { Button } from '../../../parts/button/button.tsx';
import { useTypedQuery } from '../../../parts/list-filter/list-filter.tsx';
import { Empty, ProblemNotice } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { withQuery } from '../../../rest/client.ts';
import { SIGN_IN_KIND } from '../../../rest/types.ts';
import { address, path, setQuery, toUrl } from '../../../shell/router.ts';
import { formatTime, t } from '../../../words/words.ts';
import { OperationsFrame } from '../frame.tsx';
import { ActionMark, ResourceLink } from './resource-link.tsx';
import type { Change, HistoryPage } from './types.ts';

const PAGE_SIZE = 50;
/** Of each change in the list. */
const SHOWN_ITEMS = 3;

const filters = ['who', 'path', 'kind', 'from', 'to'] as const;
type Filter = (typeof filters)[number];

/** Kinds of resources that people look for; others can be written into the address. */
const kinds = [
  ...['workspace', 'dataStore', 'coverageStore', 'wmsStore', 'wmtsStore', 'featureType', 'coverage'],
  ...['layer', 'layerGroup', 'style', 'styleFile', 'tileLayer', 'gridSet', 'template', 'storedQuery'],
  ...['user', 'group', 'role', 'accessRule', 'dataRule', 'authProvider', 'urlCheck', 'webhook', SIGN_IN_KIND],
  ...['globalSettings', 'loggingSettings', 'serviceSettings', 'workspaceSettings'],
];

export function Page() {
  const { historyPages: words } = t();
  const { query } = address.value;
  const given = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? undefined]));
  const before = query.get('before') ?? undefined;
  const showsSignIns = query.get('signIns') === 'on' || given['kind'] === SIGN_IN_KIND;
  const path = withQuery('/history', {
    ...given,
    // Names can contain spaces, and every path begins with a slash.
    path: given['path']?.split(/\s+(?=\/)/),
    excludeKind: showsSignIns ? undefined : SIGN_IN_KIND,
    to: toEndOfDay(given['to']),
    before,
    limit: PAGE_SIZE,
  });
  const read = useRest<HistoryPage>({ path, keepsLast: true });
  const changes = read.data?.body.changes;
  const last = changes?.length === PAGE_SIZE ? changes.at(-1) : undefined;
  const isFiltered = filters.some((name) => given[name] !== undefined);
  return (
    <OperationsFrame page="history" request={{ path }}>
      <search aria-label={words.filters} class="history-filters">
        <TextFilter name="who" label={words.who} />
        <label class="history-filter">
          <span>{words.kind}</span>
          <select
            class="input"
            value={given['kind'] ?? ''}
            onChange={(event) => setQuery({ kind: event.currentTarget.value, before: undefined })}
          >
            <option value="">{words.anyKind}</option>
            {[...new Set([...kinds, given['kind'] ?? kinds[0] ?? ''])].map((kind) => (
              <option key={kind} value={kind}>
                {t().search.kinds[kind] ?? kind}
              </option>
            ))}
          </select>
        </label>
        <TextFilter name="path" label={words.path} hint={words.pathHint} />
        <DateFilter name="from" label={words.from} />
        <DateFilter name="to" label={words.to} />
        <label class="history-sign-ins">
          <input
            type="checkbox"
            checked={showsSignIns}
            disabled={given['kind'] === SIGN_IN_KIND}
            onChange={(event) =>
              setQuery({ signIns: event.currentTarget.checked ? 'on' : undefined, before: undefined })
            }
          />
          {words.signIns}
        </label>
        {isFiltered ? <ClearFilters /> : null}
      </search>
      {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
      {changes === undefined || read.error !== null ? null : changes.length === 0 ? (
        <Empty icon="search" title={words.none}>
          <p>{words.noneHint}</p>
          {isFiltered ? <ClearFilters /> : null}
        </Empty>
      ) : (
        <ol class="history-list">
          {changes.map((change) => (
            <ChangeRow key={change.sequence} change={change} />
          ))}
        </ol>
      )}
      <div class="operations-row">
        {before === undefined ? null : (
          <Button onClick={() => setQuery({ before: undefined }, { replace: false })}>{words.newest}</Button>
        )}
        {last === undefined ? null : (
          <Button onClick={() => setQuery({ before: String(last.sequence) }, { replace: false })}>{words.older}</Button>
        )}
      </div>
    </OperationsFrame>
  );
}

function ChangeRow({ change: { sequence, at, who, what, items, undoes } }: { readonly change: Change }) {
  const { historyPages: words } = t();
  const named = items.filter((item) => item.path !== null);
  const shown = named.slice(0, SHOWN_ITEMS);
  return (
    <li class="history-row">
      <a
        class="history-number"
        href={toUrl(path`operations/history/${String(sequence)}`)}
        aria-label={words.title(sequence)}
      >
        {sequence}
      </a>
      <div class="history-what">
        <a class="history-text" href={toUrl(path`operations/history/${String(sequence)}`)} tabIndex={-1}>
          {what}
        </a>
        {shown.length === 0 ? null : (
          <ul class="history-items" aria-label={words.resources}>
            {shown.map(({ id, action, path: place, kind }) => (
              <li key={id}>
                <ActionMark action={action} /> <ResourceLink path={place} kind={kind} />
              </li>
            ))}
            {named.length > SHOWN_ITEMS ? <li class="muted">{words.more(named.length - SHOWN_ITEMS)}</li> : null}
          </ul>
        )}
        {undoes === null ? null : (
          <span class="muted">
            {words.undoes} <a href={toUrl(path`operations/history/${String(undoes)}`)}>{undoes}</a>
          </span>
        )}
      </div>
      <div class="history-by muted">
        <span class="history-who">{who}</span>
        <time dateTime={at}>{formatTime(at)}</time>
      </div>
    </li>
  );
}

function ClearFilters() {
  const none = Object.fromEntries([...filters, 'before'].map((name) => [name, undefined]));
  return <Button onClick={() => setQuery(none)}>{t().historyPages.clear}</Button>;
}

function TextFilter({ name, label, hint }: { readonly name: Filter; readonly label: string; readonly hint?: string }) {
  const { text, onInput } = useTypedQuery(name);
  return (
    <label class={`history-filter history-${name}`}>
      <span>{label}</span>
      <input
        class="input"
        type="text"
        name={`filter-${name}`}
        autocomplete="off"
        title={hint}
        value={text.value}
        onInput={onInput}
      />
    </label>
  );
}

function DateFilter({ name, label }: { readonly name: Filter; readonly label: string }) {
  return (
    <label class="history-filter">
      <span>{label}</span>
      <input
        class="input"
        type="date"
        value={address.value.query.get(name) ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value, before: undefined })}
      />
    </label>
  );
}

/** A day includes its last moment. */
function toEndOfDay(day: string | undefined): string | undefined {
  return day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59.999Z` : day;
}
