/** Reads a note of a database that is not opened. */
import { readTextColumn } from '../../port/columns.ts';
import type { PostgresLocation } from '../connection/location.ts';
import { PostgresSession } from '../connection/session.ts';

/** Returns undefined if the note or the schema does not exist. */
export async function readNote(location: PostgresLocation, name: string): Promise<string | undefined> {
  const session = await PostgresSession.open(location, 'reads');
  try {
    const exists = await session.run(`SELECT to_regclass('${location.schema}.notes') IS NOT NULL`);
    if (exists.at(-1)?.[0]?.[0] !== true) return undefined;
    const text = 'SELECT text FROM notes WHERE name = $1';
    const [row] = await session.query({ name: 'read_note', text }, [name]);
    return row === undefined ? undefined : readTextColumn(row[0]);
  } finally {
    session.end();
  }
}
