/** Keys that work on every page. Single letters can be switched off, for users of speech input. */
import { signal } from '@preact/signals';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { isReader, session } from '../rest/session.ts';
import { t } from '../words/words.ts';
import { singleKeys } from './preferences.ts';
import { getLayersPath } from './rail.tsx';
import { navigate } from './router.ts';
import { isSearchOpen } from './search/search-state.ts';

export const isKeyHelpOpen = signal(false);

/** The second key after `g` must follow within this time. */
const SEQUENCE_MS = 1_500;

export function startKeys(): () => void {
  let gAt = 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'Enter') return apply(event);
    if (isCommand && event.key.toLowerCase() === 's') return press(event, findScope(), SAVE);
    if (document.querySelector('dialog[open]') !== null) return;
    if (isCommand && event.key.toLowerCase() === 'k') return openSearch(event);
    if (isCommand || isTyping(event.target) || !singleKeys.peek()) return;
    const isSequence = Date.now() - gAt < SEQUENCE_MS;
    gAt = event.key === 'g' ? Date.now() : 0;
    if (event.key === '/') openSearch(event);
    else if (event.key === 'f') focusFilter(event);
    else if (event.key === 'n') press(event, document, '.new-button');
    else if (event.key === 'e') press(event, document, 'main [data-key="e"]');
    else if (event.key === '?') isKeyHelpOpen.value = true;
    else if (isSequence && event.key === 'l') navigate(getLayersPath());
    else if (isSequence && event.key === 's') navigate('styles');
    else if (isSequence && event.key === 'd') navigate('');
    else if (isSequence && event.key === 'h' && isAdministrator()) navigate('operations/history');
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function openSearch(event: KeyboardEvent): void {
  event.preventDefault();
  isSearchOpen.value = true;
}

function isAdministrator(): boolean {
  return session.peek()?.isAdministrator === true;
}

function focusFilter(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

const SAVE = '[data-key="Control+S"]';
const APPLY = '[data-key="Control+Enter"]';

/** The topmost dialog, or the page. */
function findScope(): ParentNode {
  return [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main') ?? document;
}

/** Sends the form that has the focus, or presses the button of the page that applies something. */
function apply(event: KeyboardEvent): void {
  const scope = findScope();
  const form = event.target instanceof Element ? event.target.closest('form') : null;
  if (form !== null && scope.contains(form)) press(event, form, '[type="submit"]');
  else press(event, scope, APPLY);
}

/** Without the button, the key has no meaning on the page. */
function press(event: KeyboardEvent, scope: ParentNode, selector: string): void {
  const button = scope.querySelector<HTMLElement>(selector);
  if (button === null) return;
  event.preventDefault();
  const last = document.activeElement;
  // Fields store what was typed when they lose the focus.
  button.focus();
  button.click();
  if (isTyping(last) && last instanceof HTMLElement && last.isConnected) last.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select') !== null;
}

export function KeyHelp() {
  if (!isKeyHelpOpen.value) return null;
  return (
    <Dialog
      title={t().keys.title}
      onClose={() => {
        isKeyHelpOpen.value = false;
      }}
    >
      <KeyList />
    </Dialog>
  );
}

/** All keys that the user can use. */
export function KeyList() {
  const { keys } = t();
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['/', 'Ctrl+K'], keys.search],
    [['f'], keys.filter],
    [[`g ${keys.followedBy} l`], keys.layers],
    [[`g ${keys.followedBy} s`], t().styles.goTo],
    [[`g ${keys.followedBy} d`], keys.home],
    ...(isAdministrator() ? [[[`g ${keys.followedBy} h`], keys.history] as const] : []),
    ...(isReader() ? [] : [[['n'], keys.create] as const, [['e'], keys.edit] as const]),
    [['↑', '↓'], keys.rows],
    [['Enter'], keys.open],
    ...(isReader() ? [] : [[[keys.space], keys.select] as const]),
    [['p'], keys.preview],
    [['Ctrl+S'], keys.save],
    [['Ctrl+Enter'], keys.apply],
    [['Esc'], keys.close],
    [['?'], keys.help],
  ];
  return (
    <dl class="key-list">
      {rows.map(([shown, meaning]) => (
        <div key={meaning}>
          <dt>
            {shown.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
