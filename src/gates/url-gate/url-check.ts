/** What the gate needs to know of a URL check. */

export interface UrlGateCheck {
  readonly name: string;
  /** Whether the whole URL matches. */
  matches(url: string): boolean;
}
