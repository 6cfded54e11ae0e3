/** Who can log in to the server that is filled. They are printed beside the data directory: nothing here is secret. */

/** While it is filled. */
export const fillCredentials: Readonly<Record<string, string>> = {
  admin: 'a password for tests',
  fay: 'the first password of fay',
};

/** When it is done: what logs in to the finished data directory. */
export const credentials: Readonly<Record<string, string>> = {
  admin: 'a password for tests',
  ann: 'the password of ann',
  bob: 'the password of bob: with a colon',
  Zoë: 'пароль <& 😀',
  fay: 'a password that fay chose',
  gus: 'the password of gus',
};

/** What the server keeps sealed, as it was sent. */
export const secrets = {
  keystore: 'the second keystore password',
  postgis: 'the password of the database',
  ldap: 'the password of the reader',
} as const;
