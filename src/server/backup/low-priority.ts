import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

/** Requests take precedence over a backup. */
const NICENESS = 5;

/** Lowers the priority of the calling thread. Linux schedules threads like processes. */
export function lowerPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Other systems share the processor evenly.
  }
}
