/** The users of the generated server. Their passwords are published with the data directory: nothing here is secret. */

/** During generation. */
export const fillCredentials: Readonly<Record<string, string>> = {
  admin: 'a password for tests',
  fay: 'the first password of fay',
};

/** After generation: the credentials of the finished data directory. */
export const credentials: Readonly<Record<string, string>> = {
  admin: 'a password for tests',
  ann: 'the password of ann',
  bob: 'the password of bob: with a colon',
  Zoë: 'пароль <& 😀',
  fay: 'a password that fay chose',
  gus: 'the password of gus',
};

/** The values that the server encrypts, in plain text. */
export const secrets = {
  keystore: 'the second keystore password',
  postgis: 'the password of the database',
  ldap: 'the password of the reader',
  mapServer: 'the password of the map server',
  webhook: 'the secret of the webhook',
} as const;
