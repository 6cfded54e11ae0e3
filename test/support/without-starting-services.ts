/** Prevents Debian from starting installed services: tests start private instances, and the machine stays unchanged. */
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

interface TemporaryFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** Both have no effect after this process ends, or are removed by it, even when interrupted. */
const hindrances = (processId: number): readonly TemporaryFile[] => [
  {
    path: '/usr/sbin/policy-rc.d',
    text: `#!/bin/sh\n# Left by an interrupted test preparation; without effect and safe to delete.\nkill -0 ${processId} 2>/dev/null && exit 101\nexit 0\n`,
    mode: 0o755,
  },
  {
    path: '/etc/postgresql-common/createcluster.d/no-main-cluster-for-tests.conf',
    text: '# Left by an interrupted test preparation; safe to delete.\ncreate_main_cluster = false\n',
    mode: 0o644,
  },
];

export async function withoutStartingServices<Result>(work: () => Promise<Result>): Promise<Result> {
  const placed = hindrances(process.pid)
    .filter((file) => !existsSync(file.path))
    .map(place);
  const restore = () => {
    for (const undo of placed.splice(0)) undo();
  };
  const interrupted = () => process.exit(1);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  process.once('exit', restore);
  for (const signal of signals) process.once(signal, interrupted);
  try {
    return await work();
  } finally {
    restore();
    process.off('exit', restore);
    for (const signal of signals) process.off(signal, interrupted);
  }
}

function place(file: TemporaryFile): () => void {
  const firstMadeFolder = mkdirSync(dirname(file.path), { recursive: true });
  writeFileSync(file.path, file.text, { mode: file.mode });
  return () => {
    rmSync(file.path, { force: true });
    if (firstMadeFolder !== undefined) removeWhileEmpty(dirname(file.path), firstMadeFolder);
  };
}

function removeWhileEmpty(folder: string, uppermost: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return; // The installed package has taken ownership of the folder.
  }
  if (folder !== uppermost) removeWhileEmpty(dirname(folder), uppermost);
}
