/** Where a storage on PostgreSQL lies: a database, and a schema in it that is all its own. */
import type { ClientConfig } from 'pg';

export interface PostgresLocation {
  readonly config: Pick<ClientConfig, 'connectionString'>;
  readonly schema: string;
  /** For messages and logs: without user and password. */
  readonly shown: string;
}

const DEFAULT_SCHEMA = 'graticule';

/** As PostgreSQL has it without quotes, so that whoever looks at it with other tools needs none. */
const schemaPattern = /^[a-z_][a-z0-9_]{0,62}$/;

/** Undefined for what is no address of a database, or names a schema that cannot be. */
export function parsePostgresLocation(address: string): PostgresLocation | undefined {
  const url = URL.parse(address);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.pathname.length < 2) return undefined;
  const schema = url.searchParams.get('schema') ?? DEFAULT_SCHEMA;
  if (!schemaPattern.test(schema) || schema.startsWith('pg_')) return undefined;
  url.searchParams.delete('schema');
  return { config: { connectionString: url.href }, schema, shown: `${url.host}${url.pathname}, schema ${schema}` };
}
