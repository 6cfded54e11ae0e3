/** Whether a URL check means this very host: only such a check may open addresses that lie inside. */
import { type PlainUrl, replaceHost } from './plain-url.ts';

/** What the gate needs to know of a URL check. */
export interface UrlGateCheck {
  readonly name: string;
  /** Whether the whole URL matches; `ifTooLong` (false) where it is too long for this check to be sure. */
  matches(url: string, ifTooLong?: boolean): boolean;
}

/** A check is specific when it does not match the same URL at any of the hosts that somebody else could own. */
export function isHostSpecific(check: UrlGateCheck, url: PlainUrl): boolean {
  // A longer host may make the URL too long to be looked at: what nobody can be sure of counts as a match.
  return listOtherHosts(url).every((host) => !check.matches(replaceHost(url, host).href, true));
}

/** Nobody has these; whatever matches them was not written with a host in mind. */
const unlikelyHosts = [
  'qxzvkjw',
  'qxzvkjw.example',
  'www.qxzvkjw.com',
  'a1-b2.qxzvkjw-3.co.uk',
  '9.qxz',
  '8.8.8.8',
  '123.123.123.123',
  '2001:4860:4860::8888',
];

/** Top-level names that no stranger can get a name in; `db.internal` may be meant by all of `*.internal`. */
const privateEndings = new Set([
  'internal',
  'intranet',
  'local',
  'localdomain',
  'localhost',
  'lan',
  'home',
  'arpa',
  'corp',
  'private',
  'test',
]);

function listOtherHosts({ host, addressFamily }: PlainUrl): readonly string[] {
  if (addressFamily === 4) {
    return [...unlikelyHosts, createSimilarAddress(host), `${host}.qxzvkjw.example`];
  }
  if (addressFamily === 6) {
    return unlikelyHosts;
  }
  const labels = host.split('.');
  const ending = labels.length === 1 ? [] : labels.slice(-countEndingLabels(labels));
  const own = labels.slice(0, labels.length - ending.length);
  const isPublic = !privateEndings.has(ending.at(-1) ?? 'localhost');
  return [
    ...unlikelyHosts,
    // For patterns that count characters or tell letters from digits.
    ...[7, 13, 19].map((step) => shiftCharacters(host, step)),
    // `http://host.*` means everybody who puts it in front of a name of their own.
    `${host}.qxzvkjw.example`,
    ...(labels.length === 1 ? [`qxzvkjw${host}`] : [[labels[0], ...labels.slice(1).map(shiftLabel)].join('.')]),
    // `.*\.com` means whoever buys a name there, and `.*host\.com` whoever buys a longer one. `.*\.host\.com` means
    // whoever gets a name below it, which at many hosts (dynamic names, pages of users) is anybody.
    ...(isPublic
      ? [
          `qxzvkjw.${host}`,
          ['qxzvkjw', ...own.slice(1), ...ending].join('.'),
          [...own.slice(0, 1).map(shiftLabel), ...own.slice(1), ...ending].join('.'),
          [...own.map(shiftLabel), ...ending].join('.'),
          [...own.slice(0, -1), `qxzvkjw${own.at(-1)}`, ...ending].join('.'),
        ]
      : []),
  ];
}

function shiftLabel(label: string): string {
  return shiftCharacters(label, 7);
}

/** Below country codes names are often sold on a second level: `co.uk`. */
function countEndingLabels(labels: readonly string[]): number {
  const [second = '', top = ''] = labels.slice(-2);
  return labels.length > 2 && top.length === 2 && second.length <= 3 ? 2 : 1;
}

/** Other letters for letters, other digits for digits, the rest as it is. */
function shiftCharacters(text: string, step: number): string {
  return text.replaceAll(/[a-z0-9]/g, (character) => {
    const code = character.charCodeAt(0);
    const [first, count] = code < 97 ? [48, 10] : [97, 26];
    return String.fromCharCode(first + ((code - first + step) % count));
  });
}

/** A public address with as many digits in each part. */
function createSimilarAddress(address: string): string {
  const alike = ['8', '54', '123'];
  return address
    .split('.')
    .map((part) => alike[part.length - 1] ?? '8')
    .join('.');
}
