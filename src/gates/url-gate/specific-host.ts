/** Decides whether a URL check is specific to a host: only such checks can open internal addresses. */
import { type PlainUrl, replaceHost } from './plain-url.ts';

/** A URL check as the gate uses it. */
export interface UrlGateCheck {
  readonly name: string;
  /** Whether the whole URL matches; returns `ifTooLong` (false) if it is too long to match safely. */
  matches(url: string, ifTooLong?: boolean): boolean;
}

/** A check is specific if it does not match the same URL with hosts that other parties could own. */
export function isHostSpecific(check: UrlGateCheck, url: PlainUrl): boolean {
  // A longer host can make the URL too long to match: an uncertain result counts as a match.
  return listOtherHosts(url).every((host) => !check.matches(replaceHost(url, host).href, true));
}

/** Unowned hosts; a check that matches them was not written for a specific host. */
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

/** Top-level names without public registration; `*.internal` can be meant by `db.internal`. */
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
    // For patterns that count characters or distinguish letters from digits.
    ...[7, 13, 19].map((step) => shiftCharacters(host, step)),
    // `http://host.*` matches every domain that starts with this host.
    `${host}.qxzvkjw.example`,
    ...(labels.length === 1 ? [`qxzvkjw${host}`] : [[labels[0], ...labels.slice(1).map(shiftLabel)].join('.')]),
    // `.*\.com` matches every domain there, and `.*host\.com` every longer domain. `.*\.host\.com` matches every
    // subdomain, which at many hosts (dynamic DNS, user pages) anyone can get.
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

/** Below country codes, names are often registered on the second level: `co.uk`. */
function countEndingLabels(labels: readonly string[]): number {
  const [second = '', top = ''] = labels.slice(-2);
  return labels.length > 2 && top.length === 2 && second.length <= 3 ? 2 : 1;
}

/** Replaces letters by other letters and digits by other digits. */
function shiftCharacters(text: string, step: number): string {
  return text.replaceAll(/[a-z0-9]/g, (character) => {
    const code = character.charCodeAt(0);
    const [first, count] = code < 97 ? [48, 10] : [97, 26];
    return String.fromCharCode(first + ((code - first + step) % count));
  });
}

/** Returns a public address with the same number of digits in each part. */
function createSimilarAddress(address: string): string {
  const alike = ['8', '54', '123'];
  return address
    .split('.')
    .map((part) => alike[part.length - 1] ?? '8')
    .join('.');
}
