/** Opens backups, and their schedule if there is one. */
import type { FastifyBaseLogger } from 'fastify';
import type { Backups } from '../../operations/backup/backups.ts';
import type { Files } from '../../records/files/files.ts';
import type { Claims } from '../../storage/nodes/claims.ts';
import type { Storage } from '../../storage/port/port.ts';
import type { Settings } from '../settings/settings.ts';
import { openBackups } from './open-backups.ts';
import { ScheduledBackups } from './scheduled-backups.ts';

interface ScheduleInput {
  readonly settings: Settings;
  readonly files: Files;
  readonly storage: Pick<Storage, 'notes'>;
  readonly claims: Claims;
  readonly world: { readonly clock: () => number; readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'> };
}

export interface OpenedBackups {
  readonly backups: Backups;
  readonly schedule: ScheduledBackups | undefined;
}

export async function openScheduledBackups(parts: ScheduleInput): Promise<OpenedBackups> {
  const { settings, files, storage, world } = parts;
  const { start } = openBackups({ settings, files, notes: storage.notes, clock: world.clock, logger: world.logger });
  const schedule = await openSchedule(parts, { start });
  return { backups: { start, readScheduleStatus: async () => schedule?.readStatus() }, schedule };
}

async function openSchedule(
  { settings, storage, claims, world }: ScheduleInput,
  backups: Pick<Backups, 'start'>,
): Promise<ScheduledBackups | undefined> {
  const { backupSchedule: schedule, backupDir: directory, backupKeep: keep } = settings;
  if (schedule === undefined) return undefined;
  return new ScheduledBackups({
    ...{ schedule, directory, keep, backups, claims },
    passphrase: settings.backupPassphrase,
    notes: storage.notes,
    clock: world.clock,
    logger: world.logger,
  });
}
