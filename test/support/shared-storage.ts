/** Lets test servers keep what they keep in a PostgreSQL, each in a schema of its own, where `TEST_STORAGE` says so. */
import { createHash } from 'node:crypto';
import { postgresAddress } from './postgres-places.ts';
import { askForService } from './services/ask-for-service.ts';

/** For tests that look at files, or damage them, where a server alone keeps them: nodes have copies there. */
export const isOnPostgres = process.env['TEST_STORAGE'] === 'postgres';

export interface TestStorage {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const inDirectory: TestStorage = { flags: [], environment: {} };

/** A server that is started again on the same data directory finds the same schema. */
export async function storageFor(dataDir: string, flags: readonly string[]): Promise<TestStorage> {
  if (!isOnPostgres || flags.includes('--storage')) return inDirectory;
  const { connection } = await askForService('postgis');
  const schema = `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`;
  return {
    flags: ['--storage', postgresAddress({ connection }, schema)],
    environment: { GRATICULE_SERVER_KEY: Buffer.alloc(32, 5).toString('base64') },
  };
}
