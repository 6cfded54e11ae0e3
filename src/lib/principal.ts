/** Who is asking: the user a request was made by, as far as they could prove it. */

export const ROLE_ADMINISTRATOR = 'ROLE_ADMINISTRATOR';

export interface Principal {
  readonly name: string;
  readonly roles: ReadonlySet<string>;
}
