/** Reads the head of a request: client address and base URL behind trusted proxies, path, query and dryRun. */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { toClientNetwork } from '../../lib/identity/client-network.ts';
import { isAnonymous, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { QueryParameters } from './query.ts';

export interface Origin {
  /** The address of the client behind trusted proxies. */
  readonly clientAddress: string;
  /** Scheme, host and the path prefix that a trusted proxy removed: `https://maps.example.org/gis`. */
  readonly baseUrl: string;
}

export interface OriginSettings {
  /** A fixed base URL for links. */
  readonly publicUrl?: string;
  /** The base URL that administrators have set for links. */
  readonly links?: { readonly base: string | undefined };
  readonly proxies: TrustedProxies;
}

interface OriginInput {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** The local address, for requests without a valid Host header. */
  readonly localHost: string;
  /** Whether the connection uses TLS. */
  readonly isSecure: boolean;
}

export function resolveOrigin(request: OriginInput, settings: OriginSettings): Origin {
  const socketAddress = toPlainAddress(request.remoteAddress);
  const trusted = settings.proxies.includes(socketAddress);
  return {
    clientAddress: trusted ? getClientAddress(request.headers, settings.proxies, socketAddress) : socketAddress,
    baseUrl: settings.publicUrl ?? settings.links?.base ?? buildRequestBaseUrl(request, trusted),
  };
}

function buildRequestBaseUrl(request: OriginInput, trusted: boolean): string {
  const host = findValidHost(request.headers.host) ?? request.localHost;
  if (!trusted) {
    return formatPlainBaseUrl(host, request.isSecure);
  }
  const forwarded = parseForwardedElement(request.headers);
  const scheme = forwarded.get('proto') ?? findFirstValue(request.headers['x-forwarded-proto']);
  const named = findValidHost(forwarded.get('host') ?? findFirstValue(request.headers['x-forwarded-host'])) ?? host;
  const port = findFirstValue(request.headers['x-forwarded-port']);
  const prefix = findFirstValue(request.headers['x-forwarded-prefix']) ?? '';
  const protocol = (scheme?.toLowerCase() ?? (request.isSecure ? 'https' : 'http')) === 'https' ? 'https' : 'http';
  const defaultPort = protocol === 'https' ? '443' : '80';
  const hasPort = /:\d+$/.test(named);
  const suffix = !hasPort && port !== undefined && /^\d{1,5}$/.test(port) && port !== defaultPort ? `:${port}` : '';
  return `${protocol}://${named}${suffix}${normalizePrefix(prefix)}`;
}

/**
 * Returns the nearest address in the chain that is not a trusted proxy: clients can forge everything before it, and
 * before an entry that is not an address, such as `unknown`.
 */
function getClientAddress(headers: IncomingHttpHeaders, proxies: TrustedProxies, socketAddress: string): string {
  // X-Forwarded-For takes precedence, because most proxies write it and pass a forged Forwarded header through.
  const usual = splitHeader(headers['x-forwarded-for']);
  const standard = splitHeader(headers.forwarded).map((element) => parsePairs(element).get('for') ?? '');
  const nodes = (usual.length > 0 ? usual : standard).map(parseNodeAddress).filter((each) => each !== '');
  const chain = nodes.slice(nodes.findLastIndex((each) => isIP(each) === 0) + 1);
  return chain.findLast((address) => !proxies.includes(address)) ?? chain[0] ?? socketAddress;
}

/** Removes the port that some proxies add, and the brackets of IPv6. */
function parseNodeAddress(node: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(node)?.[1] ?? node.replace(/^([\d.]+):\d+$/, '$1');
  return toPlainAddress(bare);
}

function splitHeader(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Parses the first element of an RFC 7239 Forwarded header. */
function parseForwardedElement(headers: IncomingHttpHeaders): ReadonlyMap<string, string> {
  return parsePairs(splitHeader(headers.forwarded)[0] ?? '');
}

function parsePairs(element: string): ReadonlyMap<string, string> {
  const pairs = element.split(';').map((pair) => pair.split('=').map((side) => side.trim()));
  return new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value.replace(/^"|"$/g, '')]));
}

function findFirstValue(header: string | readonly string[] | undefined): string | undefined {
  return splitHeader(header)[0];
}

/** Rejects hosts that are invalid or could break out of the host part of a URL. */
function findValidHost(host: string | undefined): string | undefined {
  if (host === undefined || host === lastValidHost) {
    return host;
  }
  const isHost = /^(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/.test(host) && URL.canParse(`http://${host}`);
  if (isHost) {
    lastValidHost = host;
  }
  return isHost ? host : undefined;
}

/** A cache: nearly all requests have the same host. */
let lastValidHost: string | undefined;
let lastPlain = { host: '', isSecure: false, baseUrl: '' };

/** Returns the same string for the same host, which compares quickly. */
function formatPlainBaseUrl(host: string, isSecure: boolean): string {
  if (lastPlain.host !== host || lastPlain.isSecure !== isSecure) {
    lastPlain = { host, isSecure, baseUrl: `${isSecure ? 'https' : 'http'}://${host}` };
  }
  return lastPlain.baseUrl;
}

function normalizePrefix(prefix: string): string {
  return /^(?:\/[\w.~-]+)+\/?$/.test(prefix) ? prefix.replace(/\/$/, '') : '';
}

/** The proxies whose forwarding headers are trusted. */
export interface TrustedProxies {
  includes(address: string): boolean;
}

export const noProxies: TrustedProxies = { includes: () => false };

/** Parses addresses, networks (`10.0.0.0/8`) and the word `loopback`; undefined if an entry is invalid. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies | undefined {
  const trusted = new BlockList();
  for (const entry of entries) {
    const [written = '', prefix, ...more] = entry.split('/');
    const address = toPlainAddress(written);
    const family = more.length > 0 ? 0 : isIP(address);
    if (entry === 'loopback') {
      trusted.addSubnet('127.0.0.0', 8, 'ipv4');
      trusted.addAddress('::1', 'ipv6');
    } else if (family === 0) {
      return undefined;
    } else if (prefix === undefined) {
      trusted.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
    } else {
      const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
      if (!(length >= 0 && length <= (family === 4 ? 32 : 128))) {
        return undefined;
      }
      trusted.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
    }
  }
  return {
    includes(address) {
      const plain = toPlainAddress(address).replace(/%.*$/, '');
      const family = isIP(plain);
      return family !== 0 && trusted.check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Removes the `::ffff:` prefix of IPv4 clients on a dual-stack socket. */
export function toPlainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/**
 * Returns the key of a client, between which queues are shared fairly: its address and its user, because several users
 * can share an address.
 */
export function buildClientKey(address: string, principal: Principal | undefined): string {
  const network = toClientNetwork(address);
  if (principal === undefined || isAnonymous(principal)) return network;
  const { account, name } = principal;
  const source = account?.kind === 'user' ? account.id : account?.kind === 'directory' ? account.providerId : '';
  return `${network} ${name} ${source}`;
}

/** Splits the target of a request line into path and query. */
export function splitUrl(url: string): [path: string, query: string] {
  // A proxy can send an absolute URL with a password, which must not reach the log.
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

const noQuery = new URLSearchParams();

/**
 * Reads the declared parameters and ignores others. Empty values count as absent. The first of several values counts
 * unless the parameter can be repeated.
 */
export function readQuery(declared: QueryParameters, rawQuery: string): Readonly<Record<string, unknown>> {
  const query = rawQuery === '' ? noQuery : new URLSearchParams(rawQuery);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) {
    const parameter = declared[name];
    if (parameter === undefined) {
      continue;
    }
    if (parameter.prefixed !== undefined) {
      values[name] = parameter.prefixed.parse(groupByPrefix(query, parameter.prefixed.prefix));
      continue;
    }
    const given = query.get(name);
    const isAbsent = given === null || (given === '' && parameter.empty !== 'refused');
    const all =
      parameter.parseAll === undefined || given === null ? [] : query.getAll(name).filter((each) => each !== '');
    if (isAbsent && all.length === 0) {
      values[name] = parameter.absent;
      continue;
    }
    const value = parameter.parseAll?.(all) ?? (given ? parameter.parse(given) : undefined);
    if (value === undefined) {
      throw problem('query-invalid', {
        parameter: name,
        value: given ?? '',
        expected: parameter.expected,
        field: name,
      });
    }
    values[name] = value;
  }
  return values;
}

function groupByPrefix(query: URLSearchParams, prefix: string): ReadonlyMap<string, readonly string[]> {
  const names = new Set([...query.keys()].filter((name) => name.startsWith(prefix) && name.length > prefix.length));
  return new Map([...names].map((name) => [name.slice(prefix.length), query.getAll(name)]));
}

/** They change nothing. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns how a request uses the storage, by its method and query; a route can need less. */
export function readSessionKind(method: string, rawQuery: string): 'read' | 'write' | 'dry run' {
  if (readMethods.has(method)) {
    return 'read';
  }
  return parseDryRun(rawQuery) === true ? 'dry run' : 'write';
}

/** Rejects dry runs of reads and invalid values. */
export function checkDryRun(method: string, rawQuery: string): void {
  const sent = parseDryRun(rawQuery);
  if (sent === undefined) {
    return;
  }
  if (readMethods.has(method)) {
    throw problem('dry-run-on-read', { field: 'dryRun' });
  }
  if (typeof sent === 'string') {
    throw problem('query-invalid', { parameter: 'dryRun', value: sent, expected: 'true or false', field: 'dryRun' });
  }
}

const dryRunValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Returns the flag, an invalid value, or undefined if it is not sent. It is stricter than other flags, because a client
 * that intends a dry run must not change anything: the name is case-insensitive, and repeated values must agree.
 */
function parseDryRun(rawQuery: string): boolean | string | undefined {
  // A quick check: few requests have the parameter, but any letter can be percent-encoded.
  if (rawQuery === '' || !/dryrun|%/i.test(rawQuery)) {
    return undefined;
  }
  const sent = [...new URLSearchParams(rawQuery)].filter(([name]) => name.toLowerCase() === 'dryrun');
  const values = new Set(sent.map(([, value]) => value));
  const [value] = values;
  return value === undefined || values.size > 1 ? value && [...values].join(', ') : (dryRunValues.get(value) ?? value);
}
