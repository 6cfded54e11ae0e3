/** The address of a directory server. */

export interface LdapServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection is TLS from the first byte. */
  readonly isSecure: boolean;
  /** The DN that user and group names are relative to; empty for none. */
  readonly base: string;
}

/**
 * Returns undefined for an invalid directory URL. URLs with credentials are invalid, because responses show the URL.
 */
export function parseServerUrl(text: string): LdapServer | undefined {
  const match = /^(ldaps?):\/\/([^/?#@\s]+)(?:\/([^?#]*))?$/i.exec(text.trim());
  const [, scheme = '', authority = '', path = ''] = match ?? [];
  // The URL parser validates hosts only for the schemes that it knows.
  const checked = match === null ? null : URL.parse(`http://${authority}`);
  const base = decodeBase(path);
  if (checked === null || base === undefined || checked.host === '') {
    return undefined;
  }
  const isSecure = scheme.toLowerCase() === 'ldaps';
  return {
    host: checked.hostname.replace(/^\[|\]$/g, ''),
    port: Number(/:(\d+)$/.exec(authority)?.[1] ?? (isSecure ? 636 : 389)),
    isSecure,
    base: base.trim(),
  };
}

function decodeBase(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
