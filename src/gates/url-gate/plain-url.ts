/** Parses a URL of a client, and accepts only what every parser understands in the same way. */
import { isIP } from 'node:net';

/** A normalized http or https URL without credentials and fragment. */
export interface PlainUrl {
  readonly scheme: 'http' | 'https';
  /** In lower case; an IPv6 address without brackets. */
  readonly host: string;
  /** The address family if the host is an address, otherwise 0. */
  readonly addressFamily: 0 | 4 | 6;
  /** With its colon; empty for the default port. */
  readonly port: string;
  /** The path with the query. */
  readonly path: string;
  /** The whole URL, which URL checks match. */
  readonly href: string;
  /** Without the query, which can contain a token; for messages and logs. */
  readonly shown: string;
}

export type PlainUrlResult =
  | { readonly url: PlainUrl }
  /** Why it is rejected, and the URL without secrets. */
  | { readonly objection: string; readonly shown: string };

export function readPlainUrl(text: string, maxLength: number): PlainUrlResult {
  const objection = findTextFault(text, maxLength);
  if (objection !== undefined) {
    return { objection, shown: redactText(text) };
  }
  const parsed = URL.parse(text);
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  if (parsed === null || authority === undefined) {
    return { objection: 'it is not a complete http or https URL', shown: redactText(text) };
  }
  const odd = findAuthorityFault(authority, parsed) ?? findPathFault(parsed.pathname);
  if (odd !== undefined) {
    return { objection: odd, shown: redactText(text) };
  }
  const scheme = parsed.protocol === 'https:' ? 'https' : 'http';
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  return {
    url: createPlainUrl(
      scheme,
      host,
      parsed.port === '' ? '' : `:${parsed.port}`,
      `${parsed.pathname}${parsed.search}`,
    ),
  };
}

/** Returns any URL without secrets. */
export function redactUrl(text: string, maxLength: number): string {
  const read = readPlainUrl(text, maxLength);
  return 'url' in read ? read.url.shown : read.shown;
}

/** Returns the same URL with another host. */
export function replaceHost({ scheme, port, path }: PlainUrl, host: string): PlainUrl {
  return createPlainUrl(scheme, host, port, path);
}

function createPlainUrl(scheme: 'http' | 'https', host: string, port: string, path: string): PlainUrl {
  const addressFamily = isIP(host) as 0 | 4 | 6;
  const origin = `${scheme}://${addressFamily === 6 ? `[${host}]` : host}${port}`;
  const shown = `${origin}${path.split('?', 1)[0]}`;
  return Object.freeze({ scheme, host, addressFamily, port, path, href: `${origin}${path}`, shown });
}

/** Rejects characters that parsers drop, replace or interpret differently. */
function findTextFault(text: string, maxLength: number): string | undefined {
  if (text.length > maxLength) {
    return `it is longer than ${maxLength} characters`;
  }
  if (!text.isWellFormed()) {
    return 'it is not valid Unicode text';
  }
  if (/[\p{Cc}\p{Z}]/u.test(text)) {
    return 'it contains a space or a control character';
  }
  return text.includes('\\') ? 'it contains a backslash' : undefined;
}

/** The host must be in canonical form: no encoding, no alternative notation of addresses, no credentials. */
function findAuthorityFault(authority: string, parsed: URL): string | undefined {
  if (authority.includes('@')) {
    return 'it contains credentials';
  }
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::([1-9]\d{0,4}))?$/.exec(authority) ?? [];
  if (host === undefined) {
    return 'its port is not a plain number';
  }
  if (port !== undefined && Number(port) > 65_535) {
    return 'its port is too large';
  }
  if (host.toLowerCase() !== parsed.hostname) {
    return `its host must be written as '${parsed.hostname}'`;
  }
  return /^\.|\.\.|\.$/.test(host) ? 'its host has an empty part' : undefined;
}

/** The remote server may decode before it resolves `..`, so a URL check for one folder must reject encoded dots. */
function findPathFault(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) {
    return 'its path contains an invalid percent escape';
  }
  if (/%(?:[01][0-9a-f]|7f|5c)/i.test(path)) {
    return 'its path contains an encoded control character or backslash';
  }
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/');
  return /\/\.{1,2}(?:[/;]|$)/.test(decoded) ? 'its path contains encoded dots' : undefined;
}

/** The maximum length of a URL in messages. */
const MAX_SHOWN = 200;

/** Removes everything that could be a password or a token from an invalid URL. */
function redactText(text: string): string {
  const visible = text.toWellFormed().replaceAll(/[\p{Cc}\p{Z}]/gu, '\ufffd');
  const bare = visible.replace(/^([a-z+.-]*:)?.*@/is, '$1//').split(/[?#]/, 1)[0] ?? '';
  return bare.length > MAX_SHOWN ? `${bare.slice(0, MAX_SHOWN).toWellFormed()}…` : bare;
}
