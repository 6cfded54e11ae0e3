/** Backups of the whole server, made while it runs. */

export interface BackupOptions {
  /** Encrypts the backup. */
  readonly passphrase: string | undefined;
  /** Whether cached tiles are included. */
  readonly includeTiles: boolean;
  /** The id of the backup that an incremental backup continues. */
  readonly since: string | undefined;
  /** Ends the backup. */
  readonly signal: AbortSignal;
}

export interface RunningBackup {
  /**
   * Must be read to the end, or ended with the signal. A failure is thrown here. A piece is valid until the next one is
   * requested.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Returns the hashes of the stored files that are damaged; complete after the last piece. */
  listDamaged(): readonly string[];
}

/** A complete scheduled backup. */
export interface CompleteBackup {
  readonly atMs: number;
  readonly bytes: number;
  readonly seconds: number;
  /** The number of stored files in it that were damaged. */
  readonly damagedFiles: number;
}

/** The state of scheduled backups. */
export interface ScheduleStatus {
  /** The last complete backup. */
  readonly success: CompleteBackup | null;
  /** When the last backup without damaged files was made. */
  readonly intactAtMs: number | null;
  /** Why the last attempt failed; null if it did not. */
  readonly failure: string | null;
  /** Whether no backup was completed for twice the time between two. */
  readonly isOverdue: boolean;
}

export interface Backups {
  /** Resolves when the state of the backup is taken. Throws if another backup is running. */
  start(options: BackupOptions): Promise<RunningBackup>;
  /** Returns undefined without a schedule. */
  readScheduleStatus(): Promise<ScheduleStatus | undefined>;
}
