/**
 * The search of the top bar: one box for layers, stores, styles, users, rules, changes, pages, actions and pasted
 * addresses. A combobox with a list of options; the focus stays in the input.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../../parts/icon/icon.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { useRest } from '../../rest/cache.ts';
import { withQuery } from '../../rest/client.ts';
import { session } from '../../rest/session.ts';
import { t } from '../../words/words.ts';
import { findAddress } from '../resource-address.ts';
import { navigate } from '../router.ts';
import { type Entry, listEntries } from './entries.ts';
import { isSearchOpen } from './search-state.ts';

const LIMIT = 20;
/** Typing must not send a request for every letter. */
const DELAY_MS = 120;
/** Of pages and actions; what is searched most are resources. */
const SHOWN_ACTIONS = 12;

interface SearchDocument {
  readonly search: { readonly total: number; readonly results: readonly SearchResult[] };
}

interface SearchResult {
  readonly kind: string;
  readonly name: string;
  readonly title?: string;
  readonly workspace?: string;
  readonly path: string;
}

const icons: Readonly<Record<string, IconName>> = {
  workspace: 'folder',
  layer: 'layers',
  layerGroup: 'layers',
  style: 'styles',
  user: 'user',
  group: 'user',
  role: 'shield',
  layerRule: 'shield',
  serviceRule: 'shield',
  restRule: 'shield',
  dataRule: 'shield',
  authProvider: 'shield',
  urlCheck: 'shield',
  change: 'clock',
  webhook: 'hook',
  gridSet: 'grid',
};

export function SearchBox() {
  const { search } = t();
  return (
    <>
      <button
        type="button"
        class="search-box"
        aria-label={search.label}
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
        title={search.hint}
        onClick={() => {
          isSearchOpen.value = true;
        }}
      >
        <Icon name="search" size={18} />
        <span class="search-box-text">{search.placeholder}</span>
        <span class="search-key">/</span>
      </button>
      {isSearchOpen.value ? <SearchDialog /> : null}
    </>
  );
}

function SearchDialog() {
  const { search, app } = t();
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const asked = useSignal('');
  const active = useSignal(0);
  const id = useId();
  const maySearch = session.value?.isAdministrator === true || (session.value?.workspaces.length ?? 0) > 0;
  const path = maySearch && asked.value !== '' ? withQuery('/search', { q: asked.value, limit: LIMIT }) : undefined;
  const read = useRest<SearchDocument>({ path, keepsLast: true });
  const isCurrent = asked.value === text.value.trim();
  const found = asked.value === '' ? undefined : read.data?.body.search;
  const resources = found?.results.flatMap(toEntry) ?? [];
  const actions = listEntries(text.value).slice(0, SHOWN_ACTIONS);
  const isReference = ['address', 'crs'].includes(actions[0]?.id ?? '');
  const groups = [
    { label: search.groups.resources, entries: resources },
    { label: search.groups.actions, entries: actions },
  ];
  const shown = (isReference ? groups.toReversed() : groups).filter(({ entries }) => entries.length > 0);
  const entries = shown.flatMap((group) => group.entries);
  const selected = Math.min(active.value, Math.max(0, entries.length - 1));

  // Before the next key is handled: users type at once.
  useLayoutEffect(() => {
    const last = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    return () => {
      // What is below an open dialog cannot have the focus.
      opened?.close();
      if (last instanceof HTMLElement && last.isConnected) last.focus();
    };
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = text.peek().trim();
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [text.value]);
  useEffect(() => {
    document.getElementById(`${id}-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected, entries.length]);

  const close = () => {
    isSearchOpen.value = false;
  };
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + 8,
      PageUp: Math.max(0, selected - 8),
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      active.value = entries.length === 0 ? 0 : (target + entries.length) % entries.length;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[selected]);
    }
  };
  let index = -1;
  return (
    <dialog
      ref={dialog}
      class="search-dialog"
      aria-label={search.label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => {
        // A click beside the content.
        if (event.target === dialog.current) close();
      }}
    >
      <div class="search-content">
        <div class="search-field">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-expanded={entries.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={entries.length > 0 ? `${id}-${selected}` : undefined}
            aria-label={search.hint}
            aria-description={search.help}
            placeholder={search.hint}
            autocomplete="off"
            spellcheck={false}
            maxLength={500}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              active.value = 0;
            }}
            onKeyDown={onKey}
          />
          <button type="button" class="search-close" onClick={close}>
            <kbd>Esc</kbd>
            <span class="unseen">{app.close}</span>
          </button>
        </div>
        {read.error === null ? null : <ProblemNotice error={read.error} />}
        <div class="search-list" id={`${id}-list`} role="listbox" aria-label={search.results}>
          {shown.map(({ label, entries: listed }) => (
            <div key={label} role="group" aria-label={label}>
              <div class="search-group" aria-hidden="true">
                {label}
              </div>
              {listed.map((entry) => {
                index += 1;
                const at = index;
                return (
                  <div
                    key={entry.id}
                    id={`${id}-${at}`}
                    role="option"
                    class="search-option"
                    aria-selected={at === selected}
                    tabIndex={-1}
                    onMouseMove={() => {
                      active.value = at;
                    }}
                    // The focus stays in the input.
                    onMouseDown={(event) => event.preventDefault()}
                    onMouseUp={() => run(entry)}
                  >
                    <Icon name={entry.icon} size={18} />
                    <span class="search-name">
                      <span>{entry.name}</span>
                      {entry.hint === undefined ? null : <span class="muted">{entry.hint}</span>}
                    </span>
                    <span class="search-kind">{entry.kind}</span>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <p class="search-foot muted" role="status">
          {entries.length === 0 && isCurrent && !read.isFetching
            ? search.none(text.value.trim())
            : found === undefined
              ? search.help
              : search.found(found.total)}
        </p>
      </div>
    </dialog>
  );
}

/** Results without a page of the console are listed too: their path answers "does it exist?". */
function toEntry({ kind, name, title, workspace, path }: SearchResult): readonly Entry[] {
  const address = findAddress(path);
  const qualified = workspace === undefined ? name : `${workspace}:${name}`;
  const label = kind === 'change' ? t().historyPages.title(name) : (title ?? name);
  return [
    {
      id: `${kind} ${path}`,
      icon: icons[kind] ?? 'table',
      name: kind.endsWith('Rule') ? name : label,
      kind: t().search.kinds[kind] ?? kind,
      hint:
        kind === 'change' || kind.endsWith('Rule')
          ? title
          : title === undefined && workspace === undefined
            ? undefined
            : qualified,
      run: () => navigate(address ?? `operations/history?${new URLSearchParams({ path: decodeURI(path) })}`),
    },
  ];
}
