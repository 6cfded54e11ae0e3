/** Addresses: real paths below the console root, with the state of the page in their query. */
import { computed, signal } from '@preact/signals';
import { consoleRoot } from '../rest/client.ts';
import { decodeSegment } from './match-route.ts';

interface Address {
  /** Below the console root, without a slash at its beginning. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The current address. */
export const address = signal<Address>(readAddress());

/** The workspace that the address names; undefined for all. */
export const currentWorkspace = computed(() => {
  const [first, name] = address.value.path.split('/');
  return first === 'w' && name !== undefined ? decodeSegment(name) : (address.value.query.get('w') ?? undefined);
});

function readAddress(): Address {
  const below = location.pathname.slice(consoleRoot.pathname.length);
  return { path: below.replace(/\/$/, ''), query: new URLSearchParams(location.search) };
}

/** Encodes the values of an address: path`w/${workspace}/layers`. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((whole, part, index) => `${whole}${encodeURIComponent(values[index - 1] ?? '')}${part}`);
}

/** Adds the current workspace to an address whose path does not contain it. */
export function withWorkspace(target: string): string {
  const workspace = currentWorkspace.peek();
  return workspace === undefined ? target : `${target}?w=${encodeURIComponent(workspace)}`;
}

/** Returns the URL of an address below the console root. */
export function toUrl(target: string): string {
  return new URL(target, consoleRoot).href;
}

/** Opens another page; `replace` leaves no entry for Back. */
export function navigate(target: string, { replace = false } = {}): void {
  const url = toUrl(target);
  if (url === location.href) return;
  const isSamePage = new URL(url).pathname === location.pathname;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  address.value = readAddress();
  if (!isSamePage) scrollTo(0, 0);
}

/** Changes some parameters of the current address; undefined removes one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, options = { replace: true }): void {
  const query = new URLSearchParams(address.peek().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(`${address.peek().path}${text === '' ? '' : `?${text}`}`, options);
}

/** Follows Back and Forward, and links inside the console without loading the page again. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    address.value = readAddress();
  });
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!isPlain || event.defaultPrevented || link === null || link.target !== '' || link.hasAttribute('download'))
      return;
    if (!link.href.startsWith(consoleRoot.href) || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    navigate(link.href);
  });
}
