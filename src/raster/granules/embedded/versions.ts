/** The versions of a mosaic. Numbers are never reused. */
import type { DatabaseSync } from 'node:sqlite';

export interface GranuleVersion {
  readonly version: number;
  readonly madeAtMs: number;
}

/** Lists committed versions in ascending order. */
export function listCommittedVersions(database: DatabaseSync, mosaic: string): readonly GranuleVersion[] {
  return database
    .prepare('SELECT version, made_at_ms FROM versions WHERE mosaic = ? AND is_committed = 1 ORDER BY version')
    .all(mosaic)
    .map((row) => ({ version: Number(row['version']), madeAtMs: Number(row['made_at_ms']) }));
}

/** Lists the versions of interrupted sessions, the latest first. */
export function listUncommittedVersions(database: DatabaseSync, mosaic: string): readonly number[] {
  return database
    .prepare('SELECT version FROM versions WHERE mosaic = ? AND is_committed = 0 ORDER BY version DESC')
    .all(mosaic)
    .map((row) => Number(row['version']));
}

/** Creates the next version; it is later than the version in the record, which may not be the last. */
export function beginVersion(database: DatabaseSync, mosaic: string, base: number, atMs: number): number {
  const last = database.prepare('SELECT max(version) AS last FROM versions WHERE mosaic = ?').get(mosaic);
  const version = Math.max(base, Number(last?.['last'] ?? 0)) + 1;
  database
    .prepare('INSERT INTO versions (mosaic, version, made_at_ms, is_committed) VALUES (?, ?, ?, 0)')
    .run(mosaic, version, atMs);
  return version;
}

export function endVersion(database: DatabaseSync, mosaic: string, version: number): void {
  database.prepare('UPDATE versions SET is_committed = 1 WHERE mosaic = ? AND version = ?').run(mosaic, version);
}

export function deleteVersion(database: DatabaseSync, mosaic: string, version: number): void {
  database.prepare('DELETE FROM versions WHERE mosaic = ? AND version = ?').run(mosaic, version);
}

/** Deletes all versions up to `upTo` except `kept`: the highest number is needed to compute the next one. */
export function deleteVersions(database: DatabaseSync, mosaic: string, upTo: number, kept: readonly number[]): void {
  database
    .prepare(
      `DELETE FROM versions WHERE mosaic = ?1 AND version <= ?2 AND is_committed = 1
         AND version NOT IN (SELECT value FROM json_each(?3))
         AND version < (SELECT max(version) FROM versions WHERE mosaic = ?1)`,
    )
    .run(mosaic, upTo, JSON.stringify(kept));
}

export function deleteAllVersions(database: DatabaseSync, mosaic: string): void {
  database.prepare('DELETE FROM versions WHERE mosaic = ?').run(mosaic);
}
