/** Scheduled backups: times, files that are kept, one node of several, failures in metrics and doctor. */
import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problem } from '../../src/lib/problems/problem.ts';
import type { Backups } from '../../src/operations/backup/backups.ts';
import { ScheduledBackups } from '../../src/server/backup/scheduled-backups.ts';
import { createSingleNodeClaims } from '../../src/storage/nodes/claims.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { damageFile } from '../support/damage-file.ts';
import { expectDeclaredMetrics } from '../support/exposition.ts';
import { notesInMemory } from '../support/notes-in-memory.ts';
import { runRestore } from '../support/restored-servers.ts';
import { startTestServer } from '../support/test-server.ts';

const HOUR_MS = 3_600_000;

async function scheduleEverySixHours({ start }: { readonly start?: Backups['start'] } = {}) {
  const folder = await temporaryFolder();
  let nowMs = Date.parse('2026-03-01T00:00:00Z');
  const warnings: string[] = [];
  const parts = {
    schedule: { kind: 'interval', hours: 6 } as const,
    directory: join(folder, 'backups'),
    keep: 2,
    passphrase: undefined,
    backups: { start: start ?? (async () => ({ pieces: streamPieces('some', 'bytes'), listDamaged: () => [] })) },
    notes: notesInMemory(),
    claims: createSingleNodeClaims(),
    clock: () => nowMs,
    logger: { info: () => undefined, warn: (_: unknown, message?: string) => void warnings.push(String(message)) },
  };
  const schedule = new ScheduledBackups(parts);
  const runAfter = async (hours: number, node = schedule) => {
    nowMs += hours * HOUR_MS;
    await node.runIfDue();
    return (await readdir(parts.directory).catch((): string[] => [])).toSorted();
  };
  return { schedule, runAfter, warnings, parts };
}

async function* streamPieces(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

test('a backup is made when it is due, and only the newest ones are kept', async () => {
  const { schedule, runAfter } = await scheduleEverySixHours();

  expect(await runAfter(0)).toEqual([]);
  expect(await runAfter(5)).toEqual([]);
  expect(await runAfter(1)).toEqual(['graticule-20260301T060000Z.backup']);
  expect(await runAfter(1)).toHaveLength(1);
  await runAfter(6);
  expect(await runAfter(6)).toEqual(['graticule-20260301T130000Z.backup', 'graticule-20260301T190000Z.backup']);
  expect(await schedule.readStatus()).toMatchObject({ success: { bytes: 9 }, failure: null, isOverdue: false });
});

test('several nodes make one backup, and remains of a killed node are removed', async () => {
  const { runAfter, parts } = await scheduleEverySixHours();
  const other = new ScheduledBackups(parts);
  await runAfter(0);
  await runAfter(6);
  await writeFile(join(parts.directory, 'graticule-20260301T050000Z.backup.part'), 'half');
  await writeFile(join(parts.directory, 'mine.part'), 'of the operator');

  expect(await runAfter(0, other)).toHaveLength(3);
  expect(await runAfter(6, other)).toEqual([
    'graticule-20260301T060000Z.backup',
    'graticule-20260301T120000Z.backup',
    'mine.part',
  ]);
});

test('a failed backup leaves no file, is reported, and is repeated within an hour', async () => {
  const results = [false, false, true];
  const { schedule, runAfter, warnings } = await scheduleEverySixHours({
    start: async () => ({
      pieces: (async function* () {
        yield Buffer.from('half');
        if (results.shift() !== true) throw new Error('the disk is gone');
      })(),
      listDamaged: () => [],
    }),
  });
  await runAfter(0);

  expect(await runAfter(6)).toEqual([]);
  expect(warnings).toEqual(['a scheduled backup failed']);
  expect(await schedule.readStatus()).toMatchObject({ success: null, failure: 'the disk is gone', isOverdue: false });
  await runAfter(7);
  expect(await schedule.readStatus()).toMatchObject({ success: null, isOverdue: false });
  expect(await runAfter(1)).toHaveLength(1);
  expect(await schedule.readStatus()).toMatchObject({ failure: null, isOverdue: false });
  await schedule.stop();
});

test('a backup that is due during another backup is made at the next check', async () => {
  let isOtherRunning = true;
  const start: Backups['start'] = async () => {
    if (isOtherRunning) throw problem('backup-running', {});
    return { pieces: streamPieces('some'), listDamaged: () => [] };
  };
  const { schedule, runAfter, warnings } = await scheduleEverySixHours({ start });

  await runAfter(0);
  expect(await runAfter(6)).toEqual([]);
  expect([warnings, (await schedule.readStatus()).failure]).toEqual([[], null]);
  isOtherRunning = false;
  expect(await runAfter(0.01)).toEqual(['graticule-20260301T060036Z.backup']);
});

test('the newest backup without damaged files is kept, and a damaged one is reported', async () => {
  const damaged = [[], [], ['a'], ['a', 'b'], ['a'], []];
  const { schedule, runAfter, warnings } = await scheduleEverySixHours({
    start: async () => ({ pieces: streamPieces('bytes'), listDamaged: () => damaged.shift() ?? [] }),
  });
  await runAfter(0);
  for (let backup = 0; backup < 4; backup += 1) await runAfter(6);

  expect(await schedule.readStatus()).toMatchObject({
    success: { atMs: Date.parse('2026-03-02T00:00:00Z'), damagedFiles: 2 },
    intactAtMs: Date.parse('2026-03-01T12:00:00Z'),
    failure: null,
  });
  expect(await runAfter(6)).toEqual([
    'graticule-20260301T120000Z.backup',
    'graticule-20260302T000000Z.damaged.backup',
    'graticule-20260302T060000Z.damaged.backup',
  ]);
  expect(warnings).toEqual(Array.from({ length: 3 }, () => 'made a scheduled backup with damaged files'));
  expect(await runAfter(6)).toEqual(['graticule-20260302T060000Z.damaged.backup', 'graticule-20260302T120000Z.backup']);
  expect(await schedule.readStatus()).toMatchObject({ success: { damagedFiles: 0 } });
});

test('a record of an earlier version counts as a backup without damaged files', async () => {
  const { schedule, parts } = await scheduleEverySixHours();
  const success = { atMs: 5, bytes: 9, seconds: 1 };
  await parts.notes.write('scheduled backups', JSON.stringify({ attemptedAtMs: 5, success, failure: null }));

  expect(await schedule.readStatus()).toMatchObject({ success: { ...success, damagedFiles: 0 }, intactAtMs: 5 });
});

test('a server reports scheduled backups in its metrics and its doctor, and encrypts them', async () => {
  const folder = await temporaryFolder();
  let nowMs = Date.parse('2026-03-01T00:00:00Z');
  const options = {
    dataDir: join(folder, 'data'),
    clock: () => nowMs,
    flags: ['--backup-schedule', '02:30', '--backup-dir', join(folder, 'backups')],
    environment: { GRATICULE_BACKUP_PASSPHRASE: 'of the night' },
  };
  const first = await startTestServer(options);
  const early = await first.get('/doctor');
  const style = '* { stroke: red }';
  const created = await first.post('/styles?name=red', style, { type: 'application/vnd.geoserver.geocss+css' });
  expect(created.status, created.text).toBe(201);
  await first.close();
  const stored = createHash('sha256').update(style).digest('hex');
  await damageFile(join(options.dataDir, 'blobs', stored.slice(0, 2), stored));
  nowMs += 3 * HOUR_MS;

  // Backups that are due are made at the start.
  const server = await startTestServer(options);
  await expect.poll(async () => (await server.get('//metrics')).text).toContain('graticule_backup_last_bytes');

  expect(early.json()).toMatchObject({ healthy: true });
  expect(early.text).toContain('No scheduled backup was completed yet.');
  const { text } = await server.get('//metrics');
  expect(text).toContain(`graticule_backup_last_success_time_seconds ${nowMs / 1_000}\n`);
  expect(text).toContain('graticule_backup_failed 0\n');
  expect(text).toContain('graticule_backup_overdue 0\n');
  expect(text).toContain('graticule_backup_last_damaged_files 1\n');
  expectDeclaredMetrics(text);
  const doctor = await server.get('/doctor');
  expect(doctor.text).toContain('The last scheduled backup was made on 2026-03-01T03:00:00.000Z');
  expect(doctor.json()).toMatchObject({
    healthy: false,
    checks: expect.arrayContaining([expect.objectContaining({ check: 'backup', ok: false })]),
    problems: expect.arrayContaining([
      {
        path: null,
        code: 'backup-damaged',
        message:
          "The last scheduled backup contains damaged stored files: 1. No scheduled backup without damaged files exists. Replace the files that the check 'files' names.",
      },
    ]),
  });
  await server.close();
  const [name = ''] = await readdir(join(folder, 'backups'));
  const file = join(folder, 'backups', name);
  expect((await runRestore([file, '--check'])).errors).toContain('it is encrypted');
  expect((await runRestore([file, '--check'], { GRATICULE_BACKUP_PASSPHRASE: 'of the night' })).code).toBe(0);
});
