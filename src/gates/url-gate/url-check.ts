/** What the gate needs to know of a URL check. */

export interface UrlGateCheck {
  readonly name: string;
  /** Whether the whole URL matches; `ifTooLong` (false) where it is too long for this check to be sure. */
  matches(url: string, ifTooLong?: boolean): boolean;
}
