/** Reads a URL that somebody else wrote, and takes only what every reader would understand in the same way. */
import { isIP } from 'node:net';

/** An http or https URL in its normal form, without credentials and fragment. */
export interface PlainUrl {
  readonly scheme: 'http' | 'https';
  /** Lower case; an IPv6 address without its brackets. */
  readonly host: string;
  /** The kind of address if the host is one, else 0. */
  readonly addressFamily: 0 | 4 | 6;
  /** With its colon; empty for the port of the scheme. */
  readonly port: string;
  /** The path with the query. */
  readonly path: string;
  /** All of it: what URL checks are matched against. */
  readonly href: string;
  /** Without the query, which may hold a token: what messages and logs may say. */
  readonly shown: string;
}

export type PlainUrlResult =
  | { readonly url: PlainUrl }
  /** Why it is not taken, and as much of it as may be shown. */
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

/** What may be said of a URL, plain or not. */
export function redactUrl(text: string, maxLength: number): string {
  const read = readPlainUrl(text, maxLength);
  return 'url' in read ? read.url.shown : read.shown;
}

/** The same URL at another host. */
export function replaceHost({ scheme, port, path }: PlainUrl, host: string): PlainUrl {
  return createPlainUrl(scheme, host, port, path);
}

function createPlainUrl(scheme: 'http' | 'https', host: string, port: string, path: string): PlainUrl {
  const addressFamily = isIP(host) as 0 | 4 | 6;
  const origin = `${scheme}://${addressFamily === 6 ? `[${host}]` : host}${port}`;
  const shown = `${origin}${path.split('?', 1)[0]}`;
  return Object.freeze({ scheme, host, addressFamily, port, path, href: `${origin}${path}`, shown });
}

/** What readers of URLs drop, replace or read as something else, each in its own way. */
function findTextFault(text: string, maxLength: number): string | undefined {
  if (text.length > maxLength) {
    return `it is longer than ${maxLength} characters`;
  }
  if (!text.isWellFormed()) {
    return 'it is not valid Unicode text';
  }
  if (/[\p{Cc}\p{Z}]/u.test(text)) {
    return 'it holds a space or a control character';
  }
  return text.includes('\\') ? 'it holds a backslash' : undefined;
}

/** The host must be written as it will be understood: no encoding, no other way to write an address, no credentials. */
function findAuthorityFault(authority: string, parsed: URL): string | undefined {
  if (authority.includes('@')) {
    return 'it holds credentials';
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

/** A server at the other end may decode before it looks for `..`; a URL check that allows one folder must hold. */
function findPathFault(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) {
    return 'its path holds a percent sign that starts no escape';
  }
  if (/%(?:[01][0-9a-f]|7f|5c)/i.test(path)) {
    return 'its path holds an encoded control character or backslash';
  }
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/');
  return /\/\.{1,2}(?:[/;]|$)/.test(decoded) ? 'its path holds encoded dots' : undefined;
}

/** How much of a URL a message shows. */
const MAX_SHOWN = 200;

/** What may be said of a text that is no plain URL: nothing that could be a password or a token. */
function redactText(text: string): string {
  const visible = text.toWellFormed().replaceAll(/[\p{Cc}\p{Z}]/gu, '\ufffd');
  const bare = visible.replace(/^([a-z+.-]*:)?.*@/is, '$1//').split(/[?#]/, 1)[0] ?? '';
  return bare.length > MAX_SHOWN ? `${bare.slice(0, MAX_SHOWN).toWellFormed()}…` : bare;
}
