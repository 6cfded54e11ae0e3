/** Checks the free space on the disks that the server writes to. */
import type { DiskRoot, DiskUsage, RootName } from '../system/disk-usage.ts';
import type { Check, Findings } from './diagnosis.ts';

/** A disk counts as nearly full below the smaller of these limits: larger uploads will soon fail. */
const LOW_BYTES = 256 * 1024 * 1024;
const LOW_SHARE = 0.05;

const folderNames: Readonly<Record<RootName, string>> = {
  data: 'the data directory',
  'tile-cache': 'the tile cache',
  blobs: 'the --blobs directory',
};

export function isNearlyFull({ freeBytes, totalBytes }: Pick<DiskRoot, 'freeBytes' | 'totalBytes'>): boolean {
  return freeBytes < Math.min(LOW_BYTES, totalBytes * LOW_SHARE);
}

export async function checkDisk(usage: DiskUsage, findings: Findings, signal: AbortSignal): Promise<Check> {
  const roots = await usage.roots();
  for (const root of roots.filter(isNearlyFull)) {
    const message =
      `The disk of ${folderNames[root.name]} is nearly full: ${root.freeBytes} of ${root.totalBytes} bytes are free. ` +
      'Delete data that is no longer needed, or enlarge the disk.';
    findings.add('disk', { place: null, code: 'disk-nearly-full', message });
  }
  const { files, bytes } = await usage.countOrphans(signal);
  const free = roots.map(({ name, freeBytes }) => `${freeBytes} bytes are free on the disk of ${folderNames[name]}`);
  const orphaned = `${files === 1 ? '1 stored file' : `${files} stored files`} with ${bytes} bytes ${files === 1 ? 'is' : 'are'} not referenced and will be deleted`;
  return findings.summarize('disk', [...free, orphaned].map((each) => `${each}.`).join(' '));
}
