/** Keys that work on every page. Single letters can be switched off, for users of speech input. */
import { signal } from '@preact/signals';
import { Dialog } from '../parts/dialog/dialog.tsx';
import { isReader, session } from '../rest/session.ts';
import { t } from '../words/words.ts';
import { getLayersPath } from './rail.tsx';
import { navigate } from './router.ts';
import { isSearchOpen } from './search/search-state.ts';

/** For this visit: nothing but theme and language is kept. */
export const singleKeys = signal(true);

export const isKeyHelpOpen = signal(false);

/** The second key after `g` must follow within this time. */
const SEQUENCE_MS = 1_500;

export function startKeys(): () => void {
  let gAt = 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return;
    const isSearch = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (isSearch) return openSearch(event);
    if (event.ctrlKey || event.metaKey || isTyping(event.target) || !singleKeys.peek()) return;
    const isSequence = Date.now() - gAt < SEQUENCE_MS;
    gAt = event.key === 'g' ? Date.now() : 0;
    if (event.key === '/') openSearch(event);
    else if (event.key === 'f') focusFilter(event);
    else if (event.key === 'n') press(event, '.new-button');
    else if (event.key === 'e') press(event, 'main [data-key="e"]');
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

/** Without the button, the key has no meaning on the page. */
function press(event: KeyboardEvent, selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  if (button === null) return;
  event.preventDefault();
  button.focus();
  button.click();
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
