/** The credentials of a request, before they are checked. */

/** Every API token begins with it, so that no provider ever receives a token as a password. */
export const TOKEN_PREFIX = 'grt_';

export interface PasswordCredentials {
  readonly kind: 'password';
  readonly user: string;
  readonly password: string;
}

export interface TokenCredentials {
  readonly kind: 'token';
  readonly secret: string;
  /** The user name of Basic credentials. */
  readonly user?: string;
  /** Whether it was sent as the query parameter `authkey`. */
  readonly isInUrl: boolean;
}

/** A token of an identity provider. */
export interface BearerCredentials {
  readonly kind: 'bearer';
  readonly token: string;
}

export type Credentials = PasswordCredentials | TokenCredentials | BearerCredentials;

/** Replaces API tokens in text for logs. */
export function redactTokens(text: string): string {
  return text.includes(TOKEN_PREFIX) ? text.replaceAll(/grt_[0-9A-Za-z]{8,}/g, '(redacted)') : text;
}
