/** The location of a PostgreSQL storage: a database and a dedicated schema. */
import type { ClientConfig } from 'pg';

export interface PostgresLocation {
  readonly config: Pick<ClientConfig, 'connectionString'>;
  readonly schema: string;
  /** For messages and logs, without user and password. */
  readonly shown: string;
}

const DEFAULT_SCHEMA = 'graticule';

/** Valid without quotes in PostgreSQL, for convenience in other tools. */
const schemaPattern = /^[a-z_][a-z0-9_]{0,62}$/;

/** Returns undefined if the text is not a database address or names an invalid schema. */
export function parsePostgresLocation(address: string): PostgresLocation | undefined {
  const url = URL.parse(address);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) return undefined;
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!schemaPattern.test(schema) || schema.startsWith('pg_')) return undefined;
  url.searchParams.delete('schema');
  return { config: { connectionString: url.href }, schema, shown: `${url.host}${url.pathname}, schema ${schema}` };
}
