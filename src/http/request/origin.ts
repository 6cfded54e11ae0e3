/** Where a request came from and under which address the client knows us. */
import type { IncomingHttpHeaders } from 'node:http';
import { type TrustedProxies, toPlainAddress } from './trusted-proxies.ts';

export interface Origin {
  /** The address of the client itself, behind proxies we trust. */
  readonly clientAddress: string;
  /** Scheme and host the client used, and the path prefix a trusted proxy took off: `https://maps.example.org/gis`. */
  readonly baseUrl: string;
}

export interface OriginSettings {
  /** The address to show in links whatever the request says. */
  readonly publicUrl?: string;
  /** The address that administrators have set for links, at present. */
  readonly linkBase?: () => string | undefined;
  readonly proxies: TrustedProxies;
}

interface OriginInput {
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** Where the request arrived, for clients that send no usable Host. */
  readonly localHost: string;
}

export function resolveOrigin(request: OriginInput, settings: OriginSettings): Origin {
  const socketAddress = toPlainAddress(request.remoteAddress);
  const trusted = settings.proxies.includes(socketAddress);
  return {
    clientAddress: trusted ? getClientAddress(request.headers, settings.proxies, socketAddress) : socketAddress,
    baseUrl: settings.publicUrl ?? settings.linkBase?.() ?? buildRequestBaseUrl(request, trusted),
  };
}

function buildRequestBaseUrl(request: OriginInput, trusted: boolean): string {
  const host = findValidHost(request.headers.host) ?? request.localHost;
  if (!trusted) {
    return formatPlainBaseUrl(host);
  }
  const forwarded = parseForwardedElement(request.headers);
  const scheme = forwarded.get('proto') ?? findFirstValue(request.headers['x-forwarded-proto']);
  const named = findValidHost(forwarded.get('host') ?? findFirstValue(request.headers['x-forwarded-host'])) ?? host;
  const port = findFirstValue(request.headers['x-forwarded-port']);
  const prefix = findFirstValue(request.headers['x-forwarded-prefix']) ?? '';
  const protocol = scheme?.toLowerCase() === 'https' ? 'https' : 'http';
  const defaultPort = protocol === 'https' ? '443' : '80';
  const hasPort = /:\d+$/.test(named);
  const suffix = !hasPort && port !== undefined && /^\d{1,5}$/.test(port) && port !== defaultPort ? `:${port}` : '';
  return `${protocol}://${named}${suffix}${normalizePrefix(prefix)}`;
}

/** The nearest address in the chain that is not a proxy of ours: anything further left may be made up. */
function getClientAddress(headers: IncomingHttpHeaders, proxies: TrustedProxies, socketAddress: string): string {
  // Most proxies write X-Forwarded-For and hand Forwarded through as the client made it up, so the former goes first.
  const usual = splitHeader(headers['x-forwarded-for']);
  const standard = splitHeader(headers.forwarded).map((element) => parsePairs(element).get('for') ?? '');
  const chain = (usual.length > 0 ? usual : standard).map(parseNodeAddress).filter((each) => each !== '');
  return chain.findLast((address) => !proxies.includes(address)) ?? chain[0] ?? socketAddress;
}

/** The address alone: some proxies add the port, and IPv6 then comes in brackets. */
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

/** The first element of an RFC 7239 Forwarded header. */
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

/** Refuses anything that could break out of a URL's host part, or that no URL can hold. */
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

/** Nearly every request names the same host as the one before. */
let lastValidHost: string | undefined;
let lastPlain = { host: '', baseUrl: '' };

/** The same text for the same host, which is quick to compare with. */
function formatPlainBaseUrl(host: string): string {
  if (lastPlain.host !== host) {
    lastPlain = { host, baseUrl: `http://${host}` };
  }
  return lastPlain.baseUrl;
}

function normalizePrefix(prefix: string): string {
  return /^(?:\/[\w.~-]+)+\/?$/.test(prefix) ? prefix.replace(/\/$/, '') : '';
}
